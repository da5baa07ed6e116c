# The consensus module of a member, which cluster/java/build makes with Maven: installed where the
# program looks for it, when it is there.
if(NOT OUTCRY_AERON)
    return()
endif()

set(cluster_jars ${PROJECT_SOURCE_DIR}/build/cluster)
set(cluster_place ${CMAKE_INSTALL_DATADIR}/outcry)
install(FILES ${cluster_jars}/outcry-cluster.jar DESTINATION ${cluster_place} OPTIONAL)
install(DIRECTORY ${cluster_jars}/lib DESTINATION ${cluster_place} OPTIONAL
        FILES_MATCHING PATTERN "*.jar")
