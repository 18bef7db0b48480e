# Two test programs: haul_tests is the fast one, which ./dev check runs. haul_slow_tests needs real
# processes and real time.
enable_testing()

function(haul_test name)
  add_executable(${name} ${ARGN} tests/test_main.cc tests/support/run/failures.cc tests/support/store/bench.cc
                 tests/support/store/acknowledged.cc tests/support/store/invariants.cc
                 tests/support/process/process.cc tests/support/flow/script.cc tests/support/store/sql.cc
                 tests/support/store/stopped_store.cc tests/support/store/test_store.cc)
  target_link_libraries(${name} PRIVATE haul_cli haul_api haul_bot haul_engine haul_sink haul_sim
                        haul_store SQLite::SQLite3 rapidcheck)
  if(NOT HAUL_TEST_PCH STREQUAL haul_pch)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${HAUL_TEST_PCH})
  target_include_directories(${name} PRIVATE tests)
  target_compile_definitions(${name} PRIVATE HAUL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             HAUL_BINARY="$<TARGET_FILE:haul>")
endfunction()

file(GLOB_RECURSE unit_tests CONFIGURE_DEPENDS src/*_test.cc)
file(GLOB tree_tests CONFIGURE_DEPENDS tests/*_test.cc tests/contracts/*_test.cc
     tests/conformance/*_test.cc)
haul_test(haul_tests ${unit_tests} ${tree_tests})
# The files of app/ that have unit tests.
file(GLOB app_parts CONFIGURE_DEPENDS src/app/config/*.cc src/app/wiring/*.cc)
list(FILTER app_parts EXCLUDE REGEX "_test\\.cc$")
target_sources(haul_tests PRIVATE ${app_parts} src/app/admin_key.cc src/app/api_client.cc
               src/app/doctor.cc src/app/doctor_books.cc src/app/doctor_ledger.cc src/app/doctor_media.cc
               src/app/doctor_troubles.cc src/app/duty_thread.cc
               src/app/doctor_paths.cc src/app/probe_file.cc
               src/app/get_report.cc src/app/listen.cc src/app/log.cc src/app/notify.cc
               src/app/file_purge.cc src/app/program.cc src/app/progress.cc src/app/secret_file.cc src/app/staged_sweep.cc
               tests/support/server/canned_server.cc tests/support/server/fake_web.cc
               tests/support/server/fake_media_server.cc
               tests/support/server/fake_plex.cc tests/support/server/fake_jellyfin.cc
               tests/support/server/fake_on_port.cc tests/support/server/fake_telegram.cc
               tests/support/server/fake_telegram_upload.cc tests/support/server/form_reader.cc
               tests/support/server/fake_yandex.cc tests/support/server/fake_s3.cc
               tests/support/server/fake_image_api.cc tests/support/server/fake_image_queue.cc
               tests/support/client/fake_qbittorrent.cc tests/support/api/raw_http.cc
               tests/support/run/test_names.cc)
# Three parts that take about the same time, so that two cores share them.
add_test(NAME unit COMMAND haul_tests --source-file=*/src/*)
add_test(NAME contracts COMMAND haul_tests --source-file=*/tests/contracts/*)
# Fails if the build or the tests use a package that ./dev does not install.
add_test(NAME packages COMMAND ${PROJECT_SOURCE_DIR}/tests/packages.sh ${CMAKE_BINARY_DIR})
add_test(NAME tree COMMAND haul_tests --source-file-exclude=*/src/*,*/tests/contracts/*)
if(CMAKE_CXX_FLAGS MATCHES fsanitize)
  set(fast_within 600)
  set(slow_within 2400)
else()
  set(fast_within 300)
  set(slow_within 1200)
endif()
set_tests_properties(unit contracts tree packages PROPERTIES LABELS fast TIMEOUT ${fast_within})

file(GLOB slow_tests CONFIGURE_DEPENDS tests/crash/*_test.cc tests/e2e/*_test.cc
     tests/get/*_test.cc tests/get/programs/*_test.cc tests/sim/sim_test.cc)
haul_test(haul_slow_tests ${slow_tests})
add_dependencies(haul_slow_tests haul)

# The process that the crash tests kill.
add_executable(haul_victim tests/crash/victim.cc tests/support/store/bench.cc
               tests/support/store/test_store.cc)
target_link_libraries(haul_victim PRIVATE haul_store)
target_precompile_headers(haul_victim REUSE_FROM haul_pch)
target_include_directories(haul_victim PRIVATE tests)
add_dependencies(haul_slow_tests haul_victim)
target_compile_definitions(haul_slow_tests PRIVATE HAUL_VICTIM="$<TARGET_FILE:haul_victim>")

# The same for imports and cleans: strace kills it at each system call that changes the disk.
add_executable(haul_import_victim tests/crash/import_victim.cc)
target_link_libraries(haul_import_victim PRIVATE haul_sink)
target_precompile_headers(haul_import_victim REUSE_FROM haul_pch)
target_include_directories(haul_import_victim PRIVATE tests)
add_dependencies(haul_slow_tests haul_import_victim)
target_sources(haul_slow_tests PRIVATE tests/support/process/trace.cc tests/support/io/image_disk.cc)
target_compile_definitions(haul_slow_tests PRIVATE
                           HAUL_IMPORT_VICTIM="$<TARGET_FILE:haul_import_victim>")

# The same for images that land in a folder bucket.
add_executable(haul_bucket_victim tests/crash/bucket_victim.cc)
target_link_libraries(haul_bucket_victim PRIVATE haul_sink)
target_precompile_headers(haul_bucket_victim REUSE_FROM haul_pch)
target_include_directories(haul_bucket_victim PRIVATE tests)
add_dependencies(haul_slow_tests haul_bucket_victim haul_picture)
set_property(SOURCE tests/crash/bucket_kill_test.cc APPEND PROPERTY COMPILE_DEFINITIONS
             HAUL_BUCKET_VICTIM="$<TARGET_FILE:haul_bucket_victim>")
# Kills a daemon that makes an image at one of its system calls.
add_executable(haul_kill_at tests/crash/kill_at.cc)
target_link_libraries(haul_kill_at PRIVATE haul_flags)
add_dependencies(haul_slow_tests haul_kill_at)
target_sources(haul_slow_tests PRIVATE tests/support/process/killed_image.cc
               tests/support/server/fake_s3.cc)
set_property(SOURCE tests/crash/image_kill_test.cc APPEND PROPERTY COMPILE_DEFINITIONS
             HAUL_KILL_AT="$<TARGET_FILE:haul_kill_at>")
set_property(SOURCE tests/e2e/picture_test.cc APPEND PROPERTY COMPILE_DEFINITIONS
             HAUL_PICTURE="$<TARGET_FILE:haul_picture>")

# The server that downloads are tested against. It is optimised, so that a test waits for haul and
# not for the server. It therefore cannot share the precompiled header, and g++ 12 warns about
# variants that are never read.
file(GLOB fault_server CONFIGURE_DEPENDS tests/server/*.cc)
add_executable(haul_fault_server ${fault_server})
target_link_libraries(haul_fault_server PRIVATE haul_base OpenSSL::Crypto)
target_include_directories(haul_fault_server PRIVATE tests)
target_compile_options(haul_fault_server PRIVATE -O2 -Wno-maybe-uninitialized)
add_dependencies(haul_slow_tests haul_fault_server)
target_sources(haul_slow_tests PRIVATE tests/support/server/canned_server.cc
               tests/support/client/real_qbittorrent.cc tests/support/client/fake_qbittorrent.cc
               tests/support/process/daemon.cc tests/support/server/fault_server.cc tests/support/process/get_bench.cc
               tests/support/process/get_folders.cc tests/support/api/raw_http.cc
               tests/support/server/free_port.cc tests/support/server/tls_proxy.cc
               tests/support/server/forward_proxy.cc tests/support/server/real_proxy.cc
               tests/support/server/nginx.cc tests/support/server/real_web.cc
               tests/support/server/fake_image_api.cc tests/support/server/fake_image_queue.cc
               tests/support/server/fake_web.cc tests/support/server/fake_media_server.cc
               tests/support/server/fake_plex.cc tests/support/server/fake_jellyfin.cc
               tests/support/server/fake_on_port.cc tests/support/server/fake_telegram.cc
               tests/support/server/fake_telegram_upload.cc tests/support/server/form_reader.cc
               tests/support/server/fake_yandex.cc tests/support/server/minidlna.cc)
target_compile_definitions(haul_slow_tests PRIVATE
                           HAUL_FAULT_SERVER="$<TARGET_FILE:haul_fault_server>")

# Stands in for yt-dlp in tests of misbehaving programs. It runs in the sandbox, where a sanitizer
# could not read its own memory map.
add_executable(haul_fake_program tests/fake/main.cc)
target_link_libraries(haul_fake_program PRIVATE haul_flags)
target_compile_options(haul_fake_program PRIVATE -fno-sanitize=all)
target_link_options(haul_fake_program PRIVATE -fno-sanitize=all)
add_dependencies(haul_slow_tests haul_fake_program)
target_sources(haul_slow_tests PRIVATE tests/support/process/media.cc tests/support/process/relatives.cc)
target_compile_definitions(haul_slow_tests PRIVATE
                           HAUL_FAKE_PROGRAM="$<TARGET_FILE:haul_fake_program>")

# The conformance suites of engines and sinks, with their adapters and the example of
# docs/adding-an-engine.md. An adapter that starts other programs is in a folder programs/, and the
# slow tests run the suite of item engines with it.
file(GLOB adapters CONFIGURE_DEPENDS tests/conformance/engine/*.cc
     tests/conformance/engine/adapters/*.cc tests/conformance/sink/*.cc
     tests/conformance/sink/adapters/*.cc tests/example/*.cc)
target_sources(haul_tests PRIVATE ${adapters} tests/conformance/suite.cc)
file(GLOB programs CONFIGURE_DEPENDS tests/conformance/engine/item_*.cc
     tests/conformance/engine/programs/*.cc)
target_sources(haul_slow_tests PRIVATE ${programs} tests/conformance/suite.cc)

# The tests of haul get mostly wait for servers that misbehave, so they run in parallel with the
# others.
add_test(NAME slow COMMAND haul_slow_tests --source-file-exclude=*/tests/get/*)
add_test(NAME get COMMAND haul_slow_tests --source-file=*/tests/get/*
                                          --source-file-exclude=*/tests/get/programs/*)
add_test(NAME programs COMMAND haul_slow_tests --source-file=*/tests/get/programs/*)
set_tests_properties(slow get programs PROPERTIES LABELS slow TIMEOUT ${slow_within})

# What every store must do, with each store in a folder of its own on the disk. The tests remove
# their folders.
add_test(NAME stores COMMAND haul_tests --source-file=*/tests/conformance/*
         --source-file-exclude=*/tests/conformance/engine/*,*/tests/conformance/sink/*)
set_tests_properties(stores PROPERTIES LABELS slow TIMEOUT ${slow_within}
                     ENVIRONMENT "HAUL_TEST_STORE=sqlite:${CMAKE_BINARY_DIR}/test_stores")

# Spin searches the whole model of the lease. Its wrong variants must fail.
add_test(NAME models COMMAND ${PROJECT_SOURCE_DIR}/tests/models/run.sh)
set_tests_properties(models PROPERTIES LABELS slow TIMEOUT 300)

# A seventh lifecycle with worker, API and page, for the browser tests. After haul, so that the page
# is built once.
add_executable(haul_seventh tests/seventh/main.cc src/app/admin_key.cc src/app/listen.cc
               src/app/secret_file.cc src/app/wiring/server.cc ${HAUL_WEB_SOURCE})
target_link_libraries(haul_seventh PRIVATE haul_api haul_store haul_flow haul_engine)
target_precompile_headers(haul_seventh REUSE_FROM haul_pch)
target_include_directories(haul_seventh PRIVATE tests)
add_dependencies(haul_seventh haul)

# The page's unit tests, without a browser.
if(NPM)
  add_test(NAME page COMMAND ${NPM} test --silent --prefix ${PROJECT_SOURCE_DIR}/web)
  set_tests_properties(page PROPERTIES LABELS slow TIMEOUT 100)
  # Lints the description of the API, runs a client generated from it, and the examples of its page.
  add_test(NAME openapi COMMAND node ${PROJECT_SOURCE_DIR}/tests/openapi/run.mjs $<TARGET_FILE:haul>)
  set_tests_properties(openapi PROPERTIES LABELS slow TIMEOUT 300)
  # The page in Chromium, served by the haul binary of this build and by haul_seventh.
  add_test(NAME browser
           COMMAND node ${PROJECT_SOURCE_DIR}/web/scripts/browser.mjs $<TARGET_FILE:haul>
                   $<TARGET_FILE:haul_fault_server> ${HAUL_WEB_DIST} $<TARGET_FILE:haul_seventh>)
  set_tests_properties(browser PROPERTIES LABELS slow TIMEOUT 600)
endif()

# Planted bugs: the simulator must find each, through one of the oracles that the test names.
if(HAUL_PLANTED)
  add_executable(haul_planted_tests tests/sim/planted_test.cc tests/test_main.cc)
  target_link_libraries(haul_planted_tests PRIVATE haul_planted)
  add_test(NAME planted COMMAND haul_planted_tests)
  set_tests_properties(planted PROPERTIES LABELS slow TIMEOUT 600)
endif()
