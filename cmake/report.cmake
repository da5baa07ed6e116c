# What `outcry report` embeds: uPlot, which tools/report-assets fetched into build/report of the
# source tree, and the page's own style and script.
if(NOT TARGET outcry_report)
    return()
endif()
include(cmake/embed.cmake)

set(uplot ${PROJECT_SOURCE_DIR}/build/report/node_modules/uplot)
file(READ report/package.json package)
string(JSON wanted GET "${package}" dependencies uplot)
set(version none)
if(EXISTS ${uplot}/package.json)
    file(READ ${uplot}/package.json package)
    string(JSON version GET "${package}" version)
endif()
if(NOT version STREQUAL wanted)
    message(FATAL_ERROR "uPlot ${wanted} is wanted in ${uplot}, there is ${version}: run "
                        "tools/setup")
endif()

target_compile_definitions(outcry_report PRIVATE UPLOT_VERSION="${wanted}")
outcry_embed(outcry_report page_uplot_js ${uplot}/dist/uPlot.iife.min.js)
outcry_embed(outcry_report page_uplot_css ${uplot}/dist/uPlot.min.css)
outcry_embed(outcry_report page_own_js ${PROJECT_SOURCE_DIR}/report/page.js)
outcry_embed(outcry_report page_own_css ${PROJECT_SOURCE_DIR}/report/page.css)
foreach(folder report bench cli)
    target_link_libraries(outcry_${folder} PRIVATE PkgConfig::JANSSON)
endforeach()
