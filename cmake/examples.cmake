# Programs that show how the libraries are used, one per file of examples/, linked as a user's are,
# with the library alone. All but one talk or listen over Aeron, so there are none without it.
if(NOT TARGET outcry-service)
    return()
endif()

# Of those that show another library than `outcry`.
set(OUTCRY_LIBRARY_OF_match engine-static)
set(OUTCRY_LIBRARY_OF_ledger_client outcry::aeron)

file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
foreach(file IN LISTS examples)
    get_filename_component(name ${file} NAME_WE)
    add_executable(${name} ${file})
    target_include_directories(${name} PRIVATE include)
    if(DEFINED OUTCRY_LIBRARY_OF_${name})
        target_link_libraries(${name} PRIVATE ${OUTCRY_LIBRARY_OF_${name}})
    else()
        target_link_libraries(${name} PRIVATE outcry-service)
    endif()
    set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
endforeach()
