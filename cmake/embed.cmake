# Files as bytes of the program.
#
#   outcry_embed(TARGET SYMBOL FILE): adds `const unsigned char SYMBOL[]` and `const size_t
#   SYMBOL_size` with the content of FILE to a target.
#
# The second half is the script that writes one such .c file at build.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(OUTCRY_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
    function(outcry_embed target symbol file)
        set(source ${PROJECT_BINARY_DIR}/embedded/${symbol}.c)
        add_custom_command(
            OUTPUT ${source} VERBATIM
            COMMAND ${CMAKE_COMMAND} -D symbol=${symbol} -D file=${file} -D source=${source}
                    -P ${OUTCRY_EMBED_SCRIPT}
            DEPENDS ${file} ${OUTCRY_EMBED_SCRIPT})
        target_sources(${target} PRIVATE ${source})
    endfunction()
    return()
endif()

file(READ ${file} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(........................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${source} "/* Made of ${symbol} by cmake/embed.cmake. */
#include <stddef.h>

extern const unsigned char ${symbol}[];
extern const size_t ${symbol}_size;
const unsigned char ${symbol}[] = {
${bytes}};
const size_t ${symbol}_size = ${size};
")
