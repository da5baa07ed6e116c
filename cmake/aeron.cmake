# Aeron, as the target outcry::aeron, and what is left out of the build without it.
#
# Which Aeron: one that is named by AERON_ROOT (variable or environment), or that find_package finds
# by aeron_DIR, aeron_ROOT or CMAKE_PREFIX_PATH; otherwise the one that tools/aeron built into
# build/aeron of the source tree, for all build folders together.
#
# Whoever links outcry::aeron is compiled with OUTCRY_AERON=1.

set(OUTCRY_AERON_FOLDERS aeron gateway host cluster service client report)
# Files elsewhere that cannot be built without Aeron. A file's unit test is left out with it.
set(OUTCRY_AERON_FILES
    fuzz/fuzz_cluster_snapshot.c
    fuzz/fuzz_gateway.c
    fuzz/fuzz_recording.c
    fuzz/fuzz_run_file.c
    fuzz/fuzz_trace_file.c
    src/bench/arrival_plan.c
    src/bench/bench_burst.c
    src/bench/bench_echo.c
    src/bench/bench_failover.c
    src/bench/bench_folder.c
    src/bench/bench_knee.c
    src/bench/bench_node.c
    src/bench/bench_recovery.c
    src/bench/bench_rejoin.c
    src/bench/bench_restart.c
    src/bench/bench_restore.c
    src/bench/bench_rtt.c
    src/bench/bench_selftest.c
    src/bench/bench_snapshot.c
    src/bench/bench_stall.c
    src/bench/burst_flow.c
    src/bench/burst_receiver.c
    src/bench/burst_record.c
    src/bench/burst_sender.c
    src/bench/burst_verdict.c
    src/bench/cluster_bench.c
    src/bench/cluster_folder.c
    src/bench/cluster_proof.c
    src/bench/echo_account.c
    src/bench/echo_loop.c
    src/bench/echo_record.c
    src/bench/image_request.c
    src/bench/knee_record.c
    src/bench/load_venue.c
    src/bench/local_cluster.c
    src/bench/loss_counters.c
    src/bench/measured_cluster.c
    src/bench/measured_node.c
    src/bench/measured_venue.c
    src/bench/member_state.c
    src/bench/module_watch.c
    src/bench/offline_node.c
    src/bench/order_venue.c
    src/bench/peer_cluster.c
    src/bench/probe_stream.c
    src/bench/recovery_proof.c
    src/bench/reflector.c
    src/bench/run_conditions.c
    src/bench/run_file.c
    src/bench/trace_file.c
    src/bench/wire.c
    src/cli/admin.c
    src/cli/bench_burst.c
    src/cli/bench_echo.c
    src/cli/bench_failover.c
    src/cli/bench_knee.c
    src/cli/bench_node.c
    src/cli/bench_order.c
    src/cli/bench_recovery.c
    src/cli/bench_rejoin.c
    src/cli/bench_restart.c
    src/cli/bench_restore.c
    src/cli/bench_rtt.c
    src/cli/bench_run.c
    src/cli/bench_selftest.c
    src/cli/bench_snapshot.c
    src/cli/bench_stall.c
    src/cli/bench_terms.c
    src/cli/bench_trace.c
    src/cli/burst_terms.c
    src/cli/cluster.c
    src/cli/cluster_action.c
    src/cli/cluster_diff.c
    src/cli/cluster_log.c
    src/cli/cluster_members.c
    src/cli/cluster_place.c
    src/cli/cluster_prune.c
    src/cli/cluster_seed.c
    src/cli/cluster_status.c
    src/cli/cluster_up.c
    src/cli/demo.c
    src/cli/demo_cluster.c
    src/cli/demo_scene.c
    src/cli/driver.c
    src/cli/echo_options.c
    src/cli/image_diff.c
    src/cli/image_exchange.c
    src/cli/load.c
    src/cli/load_report.c
    src/cli/load_setup.c
    src/cli/load_terms.c
    src/cli/member.c
    src/cli/node.c
    src/cli/node_setup.c
    src/cli/report.c
    src/cli/snapshot.c
    test/integration/test_archive_files.c
    test/integration/test_archive_session.c
    test/integration/test_client_leaders.c
    test/integration/test_client_node.c
    test/integration/test_cluster_device.c
    test/integration/test_cluster_divergence.c
    test/integration/test_cluster_kills.c
    test/integration/test_cluster_recovery.c
    test/integration/test_cluster_refusals.c
    test/integration/test_cluster_replica.c
    test/integration/test_cluster_sizes.c
    test/integration/test_cluster_snapshot.c
    test/integration/test_cluster_strangers.c
    test/integration/test_cluster_timers.c
    test/integration/test_exchange_counter.c
    test/integration/test_exchange_images.c
    test/integration/test_exchange_records.c
    test/integration/test_exchange_replay.c
    test/integration/test_exchange_resend.c
    test/integration/test_frozen.c
    test/integration/test_gateway_udp.c
    test/integration/test_node_crash.c
    test/integration/test_node_faults.c
    test/integration/test_node_hostile.c
    test/integration/test_node_kills.c
    test/integration/test_node_redirect.c
    test/integration/test_node_service.c
    test/integration/test_node_snapshot.c
    test/integration/test_records_aeron.c
    test/integration/test_snapshot_simulation.c
    test/lib/applier_rig.c
    test/lib/archive_maker.c
    test/lib/client_fixture.c
    test/lib/cluster_kill_run.c
    test/lib/cluster_place.c
    test/lib/cluster_restore.c
    test/lib/cluster_rig.c
    test/lib/container_rig.c
    test/lib/control_asking.c
    test/lib/exchange_fixture.c
    test/lib/exchange_traffic.c
    test/lib/fake_archive.c
    test/lib/fake_module.c
    test/lib/fake_venue.c
    test/lib/gateway_fixture.c
    test/lib/good_pair.c
    test/lib/hostile_client.c
    test/lib/hostile_rig.c
    test/lib/java_tools.c
    test/lib/kill_run.c
    test/lib/log_maker.c
    test/lib/member_folder.c
    test/lib/member_maker.c
    test/lib/message_tape.c
    test/lib/module_stage.c
    test/lib/module_view.c
    test/lib/node_fixture.c
    test/lib/nowhere_terms.c
    test/lib/offline_fixture.c
    test/lib/own_cluster.c
    test/lib/raw_client.c
    test/lib/recording_fixture.c
    test/lib/replica_rig.c
    test/lib/run_maker.c
    test/lib/service_host.c
    test/lib/stepped_driver.c
    test/lib/tally_service.c
    test/long/test_long_cluster_kills.c
    test/long/test_long_node_kills.c
    test/long/test_long_soak.c
    test/system/test_bench_burst.sh
    test/system/test_bench_cluster.sh
    test/system/test_bench_echo.sh
    test/system/test_bench_interrupt.sh
    test/system/test_cluster_backup.sh
    test/system/test_cluster_cli.sh
    test/system/test_cluster_java.sh
    test/system/test_cluster_ops.sh
    test/system/test_cluster_service.sh
    test/system/test_demo_cluster.sh
    test/system/test_node.sh
    test/system/test_report.sh
    test/system/test_report_benches.sh
    test/system/test_report_page.sh
    test/system/test_service_library.sh
    test/system/test_snapshot.sh)

# As tools/setup understands it, so that one variable serves `make build` as a whole.
if("$ENV{OUTCRY_AERON}" STREQUAL "OFF")
    set(OUTCRY_AERON OFF)
endif()

set(OUTCRY_AERON_PREFIX ${PROJECT_SOURCE_DIR}/build/aeron CACHE PATH "Where tools/aeron built it")
# These see the generated codecs of src/codec/generated, as <cluster/sessionEvent.h>.
set(OUTCRY_CODEC_FOLDERS codec records gateway host cluster client)

# What must be there, as it is told when it is not.
set(OUTCRY_AERON_FILE_CLIENT_INCLUDE include/aeron/aeronc.h)
set(OUTCRY_AERON_FILE_DRIVER_INCLUDE include/aeronmd/aeronmd.h)
set(OUTCRY_AERON_FILE_ARCHIVE_INCLUDE include/aeron/client/aeron_archive.h)
set(OUTCRY_AERON_FILE_CLIENT lib/libaeron_static.a)
set(OUTCRY_AERON_FILE_DRIVER lib/libaeron_driver_static.a)
set(OUTCRY_AERON_FILE_ARCHIVE lib/libaeron_archive_c_client_static.a)

# Makes outcry::aeron of the static libraries under a prefix laid out as Aeron installs itself; sets
# OUTCRY_AERON_MISSING to what is not there.
function(outcry_aeron_from prefix)
    find_path(OUTCRY_AERON_CLIENT_INCLUDE aeronc.h PATHS ${prefix}/include/aeron
              NO_DEFAULT_PATH NO_CACHE)
    find_path(OUTCRY_AERON_DRIVER_INCLUDE aeronmd.h PATHS ${prefix}/include/aeronmd
              NO_DEFAULT_PATH NO_CACHE)
    # In an installed Aeron it lies in a folder of the client's.
    find_path(OUTCRY_AERON_ARCHIVE_INCLUDE aeron_archive.h
              PATHS ${prefix}/include/aeron_archive ${prefix}/include/aeron/client
              NO_DEFAULT_PATH NO_CACHE)
    find_library(OUTCRY_AERON_CLIENT libaeron_static.a PATHS ${prefix}/lib ${prefix}/lib64
                 NO_DEFAULT_PATH NO_CACHE)
    find_library(OUTCRY_AERON_DRIVER libaeron_driver_static.a PATHS ${prefix}/lib ${prefix}/lib64
                 NO_DEFAULT_PATH NO_CACHE)
    find_library(OUTCRY_AERON_ARCHIVE libaeron_archive_c_client_static.a
                 PATHS ${prefix}/lib ${prefix}/lib64 NO_DEFAULT_PATH NO_CACHE)
    set(missing "")
    foreach(part CLIENT_INCLUDE DRIVER_INCLUDE ARCHIVE_INCLUDE CLIENT DRIVER ARCHIVE)
        if(NOT OUTCRY_AERON_${part})
            list(APPEND missing ${OUTCRY_AERON_FILE_${part}})
        endif()
    endforeach()
    set(OUTCRY_AERON_MISSING "${missing}" PARENT_SCOPE)
    if(missing)
        return()
    endif()
    add_library(outcry_aeron_library INTERFACE)
    target_include_directories(outcry_aeron_library SYSTEM INTERFACE
                               ${OUTCRY_AERON_CLIENT_INCLUDE} ${OUTCRY_AERON_DRIVER_INCLUDE}
                               ${OUTCRY_AERON_ARCHIVE_INCLUDE})
    # The archive's client needs what the others hold. The driver holds most of the client as well:
    # it comes before that, so that nothing is taken twice.
    target_link_libraries(outcry_aeron_library INTERFACE ${OUTCRY_AERON_ARCHIVE}
                          ${OUTCRY_AERON_DRIVER} ${OUTCRY_AERON_CLIENT} uuid bsd m dl)
endfunction()

# The same of an Aeron that find_package() has found. Its target for the archive's client does not
# name the folder into which the header was installed.
function(outcry_aeron_from_package)
    get_target_property(includes aeron::aeron_archive_c_client_static INTERFACE_INCLUDE_DIRECTORIES)
    find_path(OUTCRY_AERON_ARCHIVE_INCLUDE aeron_archive.h PATHS ${includes}
              PATH_SUFFIXES client ../aeron_archive NO_DEFAULT_PATH NO_CACHE)
    if(NOT OUTCRY_AERON_ARCHIVE_INCLUDE)
        message(FATAL_ERROR "the Aeron of ${aeron_DIR} has no aeron_archive.h in ${includes} or "
                            "in client below it")
    endif()
    add_library(outcry_aeron_library INTERFACE)
    target_include_directories(outcry_aeron_library SYSTEM INTERFACE
                               ${OUTCRY_AERON_ARCHIVE_INCLUDE})
    target_link_libraries(outcry_aeron_library INTERFACE aeron::aeron_archive_c_client_static
                          aeron::aeron_driver_static aeron::aeron_static uuid bsd)
endfunction()

function(outcry_find_aeron)
    set(root "${AERON_ROOT}")
    if(NOT root)
        set(root "$ENV{AERON_ROOT}")
    endif()
    if(root)
        outcry_aeron_from(${root})
        if(NOT TARGET outcry_aeron_library)
            list(JOIN OUTCRY_AERON_MISSING ", " missing)
            message(FATAL_ERROR "AERON_ROOT=${root} has no Aeron as a whole: ${missing} not found. "
                                "Aeron's build makes the archive's client with "
                                "BUILD_AERON_ARCHIVE_API=ON")
        endif()
        message(STATUS "Aeron: ${root}")
        return()
    endif()
    if(aeron_DIR OR aeron_ROOT OR CMAKE_PREFIX_PATH)
        find_package(aeron CONFIG QUIET)
        if(TARGET aeron::aeron_driver_static AND TARGET aeron::aeron_static
           AND TARGET aeron::aeron_archive_c_client_static)
            outcry_aeron_from_package()
            message(STATUS "Aeron: ${aeron_DIR}")
            return()
        elseif(TARGET aeron::aeron_static)
            message(STATUS "Aeron in ${aeron_DIR} is passed over: it was installed without its "
                           "driver or without its archive client, as static libraries")
        endif()
    endif()
    outcry_aeron_from(${OUTCRY_AERON_PREFIX})
    if(NOT TARGET outcry_aeron_library)
        list(JOIN OUTCRY_AERON_MISSING ", " missing)
        message(FATAL_ERROR "No Aeron in ${OUTCRY_AERON_PREFIX} (${missing} not found): run "
                            "tools/setup, or configure with -DOUTCRY_AERON=OFF for the engine "
                            "alone")
    endif()
endfunction()

if(OUTCRY_AERON)
    outcry_find_aeron()
    target_link_libraries(outcry_aeron_library INTERFACE Threads::Threads)
    target_compile_definitions(outcry_aeron_library INTERFACE OUTCRY_AERON=1)
    # The driver looks its strategies up by name in the running program.
    target_link_options(outcry_aeron_library INTERFACE -rdynamic)
    add_library(outcry::aeron ALIAS outcry_aeron_library)
else()
    list(REMOVE_ITEM OUTCRY_FOLDERS ${OUTCRY_AERON_FOLDERS})
endif()

# outcry_without_left_out(LIST): takes out of a list of files what this build cannot have.
function(outcry_without_left_out variable)
    if(OUTCRY_AERON)
        return()
    endif()
    set(kept ${${variable}})
    foreach(folder IN LISTS OUTCRY_AERON_FOLDERS)
        list(FILTER kept EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/test/unit/${folder}/")
    endforeach()
    foreach(file IN LISTS OUTCRY_AERON_FILES)
        string(REGEX REPLACE "^src/(.*)/([^/]*)$" "test/unit/\\1/test_\\2" test ${file})
        list(REMOVE_ITEM kept ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/${test})
    endforeach()
    set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# outcry_use_aeron(TARGET FOLDER): the include paths that the files of a folder of src/ need.
function(outcry_use_aeron target folder)
    if(folder IN_LIST OUTCRY_CODEC_FOLDERS)
        target_include_directories(${target} SYSTEM PRIVATE src/codec/generated)
    endif()
    if(OUTCRY_AERON AND folder IN_LIST OUTCRY_AERON_FOLDERS)
        target_link_libraries(${target} PRIVATE outcry::aeron)
    elseif(OUTCRY_AERON AND folder MATCHES "^(bench|cli)$")
        target_link_libraries(${target} PRIVATE outcry::aeron)
    endif()
endfunction()
