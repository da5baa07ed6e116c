# How every file of the project is compiled.
include(CheckCCompilerFlag)
include(CheckIPOSupported)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF) # a file that needs more than C11 defines _GNU_SOURCE itself
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the same objects make the program and the shared library
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options(
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wcast-align -Wformat=2 -Wimplicit-fallthrough)
if(OUTCRY_WERROR)
    add_compile_options(-Werror)
endif()

# Asserts of ours stay on in release; none of them looks at NDEBUG. No debugging information: with
# link-time optimisation gcc writes the path of the build into it. To profile by line, configure
# with -D CMAKE_C_FLAGS=-g.
set(CMAKE_C_FLAGS_RELEASE "-O3 -fno-plt")
# Pairs of neighbouring fields loaded as one vector right after they were stored one by one wait for
# the stores. callgrind, a million resting orders of W1 and half a million mixed operations in one
# batch: 1,403 M instructions with it, 1,382 M without.
check_c_compiler_flag(-fno-tree-slp-vectorize OUTCRY_HAS_NO_SLP)
if(OUTCRY_HAS_NO_SLP)
    string(APPEND CMAKE_C_FLAGS_RELEASE " -fno-tree-slp-vectorize")
endif()
check_c_compiler_flag(-fno-semantic-interposition OUTCRY_HAS_NO_INTERPOSITION)
if(OUTCRY_HAS_NO_INTERPOSITION)
    # Lets the engine inline its own public functions although the objects are position independent.
    add_compile_options(-fno-semantic-interposition)
endif()

if(OUTCRY_NATIVE)
    add_compile_options(-march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    add_compile_options(-march=x86-64-v2)
endif()

if(OUTCRY_SANITIZE)
    add_compile_options(-fsanitize=${OUTCRY_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${OUTCRY_SANITIZE})
endif()
if(OUTCRY_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()

# Release binaries do not depend on where they were built; elsewhere a debugger wants the true
# paths. Asserts show names seen from the source root.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=build
                        -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# Link-time optimisation with gcc only: its objects can hold machine code as well ("fat"), so the
# static library works with any compiler and linker. clang's would hold bitcode alone.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND OUTCRY_LTO)
    check_ipo_supported(RESULT link_time LANGUAGES C OUTPUT why)
    if(link_time)
        set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
        set(CMAKE_C_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
    else()
        message(STATUS "No link-time optimisation: ${why}")
    endif()
endif()
set(OUTCRY_LTO ${CMAKE_INTERPROCEDURAL_OPTIMIZATION}) # what the rest goes by

# gcc draws random names for the link-time sections of a file; derived from its path they repeat.
function(outcry_reproducible)
    if(NOT OUTCRY_LTO)
        return()
    endif()
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH seed ${PROJECT_SOURCE_DIR} ${source})
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -frandom-seed=${seed})
    endforeach()
endfunction()
