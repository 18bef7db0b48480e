# Benchmarks are built on request only: ./dev bench NAME.
file(GLOB store_bench CONFIGURE_DEPENDS bench/store/*.cc)
add_executable(haul_store_bench EXCLUDE_FROM_ALL ${store_bench})
target_include_directories(haul_store_bench PRIVATE bench)
target_link_libraries(haul_store_bench PRIVATE haul_store SQLite::SQLite3)

file(GLOB api_bench CONFIGURE_DEPENDS bench/api/*.cc)
add_executable(haul_api_bench EXCLUDE_FROM_ALL ${api_bench} tests/support/process/daemon.cc
               tests/support/process/process.cc tests/support/api/raw_http.cc)
target_include_directories(haul_api_bench PRIVATE bench tests)
target_link_libraries(haul_api_bench PRIVATE haul_store)
target_compile_definitions(haul_api_bench PRIVATE HAUL_BINARY="$<TARGET_FILE:haul>")
add_dependencies(haul_api_bench haul)

file(GLOB import_bench CONFIGURE_DEPENDS bench/import/*.cc)
add_executable(haul_import_bench EXCLUDE_FROM_ALL ${import_bench}
               tests/support/process/process.cc tests/support/server/fake_media_server.cc
               tests/support/server/fake_on_port.cc tests/support/server/fake_plex.cc
               tests/support/server/fake_web.cc)
target_include_directories(haul_import_bench PRIVATE bench tests)
target_link_libraries(haul_import_bench PRIVATE haul_sink)
