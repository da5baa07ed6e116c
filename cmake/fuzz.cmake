# The fuzz targets: one libFuzzer program for each fuzz/fuzz_*.c, one for each format of order flow
# from fuzz/fuzz_reader.c, and the canary, whose planted bug must be found. Their names are written
# to fuzz/targets in the build folder, which is the list that tools/fuzz runs.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "OUTCRY_FUZZ needs clang: cmake --preset fuzz")
endif()

set(fuzz_targets "")
function(add_fuzz_target name file)
    add_executable(${name} ${file})
    target_include_directories(${name} PRIVATE include src)
    target_include_directories(${name} SYSTEM PRIVATE src/codec/generated)
    target_link_libraries(${name} PRIVATE outcry_archive)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
    set(fuzz_targets "${fuzz_targets}${name}\n" PARENT_SCOPE)
endfunction()

file(GLOB sources CONFIGURE_DEPENDS fuzz/fuzz_*.c)
outcry_without_left_out(sources)
list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/fuzz/fuzz_reader.c)
foreach(file IN LISTS sources ITEMS ${PROJECT_SOURCE_DIR}/fuzz/canary.c)
    get_filename_component(name ${file} NAME_WE)
    add_fuzz_target(${name} ${file})
endforeach()

# The own tape is not among them: its target, fuzz_own_tape, also repairs checksums.
foreach(format tape lobster dbn itch)
    string(TOUPPER ${format} constant)
    add_fuzz_target(fuzz_${format} ${PROJECT_SOURCE_DIR}/fuzz/fuzz_reader.c)
    target_compile_definitions(fuzz_${format} PRIVATE READER_FORMAT=FLOW_FORMAT_${constant})
endforeach()

file(WRITE ${PROJECT_BINARY_DIR}/fuzz/targets "${fuzz_targets}")
