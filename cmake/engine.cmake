# The engine as a library of its own, static and shared, and how it is installed. Made of base,
# model and engine alone: it must not need a transport or a compression library.
include(CMakePackageConfigHelpers)

if(NOT TARGET outcry_engine)
    return()
endif()

set(engine_objects)
foreach(folder base model engine)
    if(TARGET outcry_${folder})
        list(APPEND engine_objects $<TARGET_OBJECTS:outcry_${folder}>)
    endif()
endforeach()

add_library(engine-static STATIC ${engine_objects})
add_library(engine SHARED ${engine_objects})
set_target_properties(engine PROPERTIES VERSION ${PROJECT_VERSION}
                                        SOVERSION ${PROJECT_VERSION_MAJOR})
foreach(library engine engine-static)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME outcry-engine LINKER_LANGUAGE C)
    target_include_directories(
        ${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

# What is left of link-time optimisation would bind the static library to this very compiler, and
# holds the path of the build.
if(OUTCRY_LTO)
    add_custom_command(TARGET engine-static POST_BUILD VERBATIM
        COMMAND ${CMAKE_OBJCOPY} -D -R .gnu.lto_* -R .gnu.debuglto_* -N __gnu_lto_v1
                $<TARGET_FILE:engine-static>)
endif()

install(TARGETS engine engine-static EXPORT outcry-engineTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/outcry/error.h include/outcry/model.h include/outcry/engine.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/outcry)

# For find_package(outcry-engine): outcry::engine and outcry::engine-static.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/outcry-engine)
install(EXPORT outcry-engineTargets NAMESPACE outcry:: DESTINATION ${package_dir})
configure_package_config_file(
    cmake/outcry-engineConfig.cmake.in ${PROJECT_BINARY_DIR}/outcry-engineConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/outcry-engineConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/outcry-engineConfig.cmake
              ${PROJECT_BINARY_DIR}/outcry-engineConfigVersion.cmake
        DESTINATION ${package_dir})

# For pkg-config. Its prefix is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/outcry-engine.pc.in ${PROJECT_BINARY_DIR}/outcry-engine.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/outcry-engine.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
