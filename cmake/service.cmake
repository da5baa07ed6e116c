# The library `outcry` for authors of services and of clients: oc_node_run() with all that is behind
# it (outcry/service.h) and the client (outcry/client.h). Shared only: it holds Aeron, and needs of
# the system what Aeron and the configuration reader need. Not built without Aeron.
if(NOT OUTCRY_AERON OR NOT TARGET outcry_host)
    return()
endif()

set(service_objects)
foreach(folder base model codec journal snapshot aeron gateway host cluster client)
    if(TARGET outcry_${folder})
        list(APPEND service_objects $<TARGET_OBJECTS:outcry_${folder}>)
    endif()
endforeach()

add_library(outcry-service SHARED ${service_objects})
set_target_properties(outcry-service PROPERTIES
    OUTPUT_NAME outcry LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(outcry-service PRIVATE outcry::aeron PkgConfig::INIH PkgConfig::CRYPTO
                                             Threads::Threads)
# Only the public API is visible: a program may link an Aeron of its own beside it. What the driver
# looks up by name it finds in tables of its own.
target_link_options(outcry-service PRIVATE
                    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/outcry.map)
# A sanitizer's runtime comes with the program, not with the library.
if(NOT OUTCRY_SANITIZE)
    target_link_options(outcry-service PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(outcry-service PROPERTIES LINK_DEPENDS
                                                ${PROJECT_SOURCE_DIR}/cmake/outcry.map)

install(TARGETS outcry-service LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/outcry/service.h include/outcry/client.h include/outcry/order_entry.h
              include/outcry/arena.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/outcry)
configure_file(cmake/outcry.pc.in ${PROJECT_BINARY_DIR}/outcry.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/outcry.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
