# Programs that show how the libraries are used, one per file of examples/. All but one talk or
# listen over Aeron, so there are none without it.
if(NOT OUTCRY_AERON)
    return()
endif()

file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
foreach(file IN LISTS examples)
    get_filename_component(name ${file} NAME_WE)
    add_executable(${name} ${file})
    target_link_libraries(${name} PRIVATE ${OUTCRY_OBJECTS} ${OUTCRY_LIBRARIES})
    outcry_reproducible(${file})
endforeach()
