# Benchmarks are built on request only: ./dev bench NAME.
file(GLOB store_bench CONFIGURE_DEPENDS bench/store/*.cc)
add_executable(haul_store_bench EXCLUDE_FROM_ALL ${store_bench})
target_include_directories(haul_store_bench PRIVATE bench)
target_link_libraries(haul_store_bench PRIVATE haul_store SQLite::SQLite3)
