# Every test_*.c is a program of its own, linked with the project's archive, test/lib's and cmocka;
# every test_*.sh is run by sh. Found by place:
#
#   test/unit/<folder>/   label unit         60 s
#   test/integration/     label integration  300 s
#   test/system/          label system       300 s
#   test/long/            label long         7200 s, only with `ctest -C Long` (make test-long)
#
# What looks at the source tree or at an installed copy, not at this build's code, has the label
# "tree" as well: one preset is enough for it.
#
# A script that cannot run here prints "SKIP: why" and exits with 77.
#
# What runs beside what is said by ctest's PROCESSORS, counted in halves of a processor, of which
# tools/run-tests gives it two for each and one more: a test is two of them, unless it hardly does
# anything but wait (one), or has real members with their JVMs (all but one). So each processor has
# work, and something waits beside it. COST is the order: members first, for beside them others can
# wait; then what takes longest; what waits when it fits.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

set(program "")
if(TARGET outcry)
    set(program $<TARGET_FILE:outcry>)
endif()
set(test_environment
    OUTCRY_PROGRAM=${program} OUTCRY_SOURCE_DIR=${PROJECT_SOURCE_DIR}
    OUTCRY_BUILD_DIR=${PROJECT_BINARY_DIR} CC=${CMAKE_C_COMPILER}
    OUTCRY_CLUSTER_JAR=${PROJECT_SOURCE_DIR}/build/cluster/outcry-cluster.jar)

set(test_archives outcry_archive)
file(GLOB library_sources CONFIGURE_DEPENDS test/lib/*.c)
outcry_without_left_out(library_sources)
if(library_sources)
    add_library(outcry_testlib STATIC EXCLUDE_FROM_ALL ${library_sources})
    target_link_libraries(outcry_testlib PRIVATE outcry_archive)
    list(PREPEND test_archives outcry_testlib)
endif()

set(sanitized 0) # what has thousands of random cases takes fewer where each is ten times as slow
if(OUTCRY_SANITIZE)
    set(sanitized 1)
endif()

# Link-time optimisation would cost seconds for each of the tests; the program has it.
function(outcry_test_target target)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_include_directories(${target} PRIVATE include src test)
    target_include_directories(${target} SYSTEM PRIVATE src/codec/generated
                                                        test/codec_extended/generated)
    target_compile_definitions(${target} PRIVATE OUTCRY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                 OUTCRY_PROGRAM="${program}"
                                                 OUTCRY_SANITIZED=${sanitized})
    target_link_libraries(${target} PRIVATE PkgConfig::CMOCKA)
endfunction()
if(TARGET outcry_testlib)
    outcry_test_target(outcry_testlib)
endif()

# outcry_tests(LABEL TIMEOUT FILES...)
function(outcry_tests label timeout)
    foreach(file IN LISTS ARGN)
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/test ${file})
        string(REGEX REPLACE "test_([^/]*)\\.(c|sh)$" "\\1" name ${name})
        set(command sh ${file})
        if(file MATCHES "\\.c$")
            string(REPLACE "/" "_" target test_${name})
            add_executable(${target} ${file})
            outcry_test_target(${target})
            target_link_libraries(${target} PRIVATE ${test_archives})
            set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                       ${PROJECT_BINARY_DIR}/test)
            if(OUTCRY_LTO)
                target_link_options(${target} PRIVATE -fno-lto)
            endif()
            set(command ${target})
        endif()
        if(label STREQUAL "long")
            add_test(NAME ${name} COMMAND ${command} CONFIGURATIONS Long)
        else()
            add_test(NAME ${name} COMMAND ${command})
        endif()
        set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${timeout}
                             SKIP_RETURN_CODE 77 ENVIRONMENT "${test_environment}"
                             PROCESSORS 2)
    endforeach()
endfunction()

foreach(place "unit;unit/*;60" "integration;integration;300" "system;system;300" "long;long;7200")
    list(GET place 0 label)
    list(GET place 1 folders)
    list(GET place 2 timeout)
    file(GLOB files CONFIGURE_DEPENDS test/${folders}/test_*.c test/${folders}/test_*.sh)
    outcry_without_left_out(files)
    outcry_tests(${label} ${timeout} ${files})
    if(label STREQUAL "long" AND files)
        get_property(names DIRECTORY PROPERTY TESTS)
        list(FILTER names INCLUDE REGEX "^long/")
        set_property(TEST ${names} APPEND PROPERTY ENVIRONMENT OUTCRY_LONG=1)
    endif()
endforeach()

# The same tests with many more seeds.
foreach(name IN ITEMS journal_crash snapshot_simulation)
    if(TARGET test_integration_${name})
        add_test(NAME long/${name} COMMAND test_integration_${name} CONFIGURATIONS Long)
        set_tests_properties(long/${name} PROPERTIES LABELS long TIMEOUT 7200 PROCESSORS 2
                                                     ENVIRONMENT OUTCRY_LONG=1)
    endif()
endforeach()

# What has threads of its own has the label "threads"; the target of that name builds just these
# tests, for the thread sanitizer.
set(threaded integration/capture_threads integration/journal_threads integration/records
             unit/bench/bench_burst unit/bench/bench_echo unit/bench/burst_receiver
             unit/bench/burst_sender unit/bench/reflector
             unit/cluster/container_images unit/cluster/container_recovery unit/journal/journal
             unit/journal/journal_place unit/journal/journal_writer unit/journal/journal_window
             unit/records/encode_team unit/records/order_window unit/service/exchange_image
             unit/snapshot/capture unit/snapshot/image_load unit/snapshot/snapshot)
add_custom_target(threads)
foreach(name IN LISTS threaded)
    string(REPLACE "/" "_" target test_${name})
    if(TARGET ${target}) # some are left out without Aeron
        add_dependencies(threads ${target})
        set_property(TEST ${name} APPEND PROPERTY LABELS threads)
    endif()
endforeach()

# What waits most of its time: takes less than a quarter of a processor, by `time`.
foreach(name IN ITEMS integration/client_node integration/gateway_udp system/cluster_cli
                      unit/cli/load unit/client/aeron_link unit/client/client
                      unit/cluster/member_client unit/cluster/member_run
                      unit/cluster/members_query unit/cluster/module_process
                      unit/cluster/prune_ask unit/host/node_snapshot)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES PROCESSORS 1 COST -1)
    endif()
endforeach()

# The longest ones that work.
foreach(name IN ITEMS integration/journal_crash integration/node_hostile
                      integration/conformance integration/node_kills
                      integration/workload_oracle system/gen_codecs system/snapshot)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES COST 100)
    endif()
endforeach()

# Real members with their JVMs: nothing that works may run beside them, and not twice as slow under
# a sanitizer, where their timeouts would be what is tested: the presets of those leave the label
# "cluster" out.
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR all_processors "2 * ${processors}")
foreach(name IN ITEMS integration/cluster_device integration/cluster_divergence
                      integration/cluster_kills integration/cluster_recovery
                      integration/cluster_refusals integration/cluster_sizes
                      integration/cluster_strangers integration/cluster_timers
                      long/long_cluster_kills system/bench_cluster system/bench_interrupt
                      system/bench_order
                      system/cluster_backup system/cluster_first_start system/cluster_java
                      system/cluster_module
                      system/cluster_ops system/cluster_service system/demo_cluster)
    if(TEST ${name})
        set_property(TEST ${name} APPEND PROPERTY LABELS cluster)
        set_tests_properties(${name} PROPERTIES PROCESSORS ${all_processors} COST 1000
                                                RESOURCE_LOCK cluster)
    endif()
endforeach()
# Look at all that is in memory, so that nothing may come and go beside them.
math(EXPR alone "2 * ${processors} + 1")
foreach(name IN ITEMS system/bench_interrupt system/demo_cluster)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES PROCESSORS ${alone})
    endif()
endforeach()
if(TEST integration/cluster_kills)
    set_tests_properties(integration/cluster_kills PROPERTIES TIMEOUT 600)
endif()

add_test(NAME tidy COMMAND ${PROJECT_SOURCE_DIR}/tools/tidy)
set_tests_properties(tidy PROPERTIES TIMEOUT 300 PROCESSORS 2 COST 100)
set_property(TEST tidy system/tidy system/install system/gen_codecs system/netpair
             APPEND PROPERTY LABELS tree)
if(TEST system/report_page) # the browser is the same in all presets
    set_property(TEST system/report_page system/report_benches APPEND PROPERTY LABELS tree)
endif()
