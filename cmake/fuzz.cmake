# fuzz/fuzz_*.c, one libFuzzer program each, and the canary, whose planted bug must be found.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "OUTCRY_FUZZ needs clang: cmake --preset fuzz")
endif()

function(add_fuzz_target name file)
    add_executable(${name} ${file})
    target_include_directories(${name} PRIVATE include src)
    target_link_libraries(${name} PRIVATE ${OUTCRY_OBJECTS} ${OUTCRY_LIBRARIES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endfunction()

file(GLOB targets CONFIGURE_DEPENDS fuzz/fuzz_*.c)
list(REMOVE_ITEM targets ${PROJECT_SOURCE_DIR}/fuzz/fuzz_reader.c)
foreach(file IN LISTS targets ITEMS ${PROJECT_SOURCE_DIR}/fuzz/canary.c)
    get_filename_component(name ${file} NAME_WE)
    add_fuzz_target(${name} ${file})
endforeach()

# One target for each format of order flow; the own tape has one that also repairs checksums.
foreach(format tape lobster dbn itch)
    string(TOUPPER ${format} constant)
    add_fuzz_target(fuzz_${format} ${PROJECT_SOURCE_DIR}/fuzz/fuzz_reader.c)
    target_compile_definitions(fuzz_${format} PRIVATE READER_FORMAT=FLOW_FORMAT_${constant})
endforeach()
