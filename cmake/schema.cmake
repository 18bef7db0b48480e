# haul_schema(<target>) compiles src/store/sqlite/schema/NNNN_name.sql into the target as its table of
# migrations.
function(haul_schema target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/store/sqlite/schema/*.sql)
  list(SORT files)
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    string(REGEX MATCH "^[0-9]+" number ${name})
    math(EXPR number "1${number} - 10000")
    file(READ ${file} sql)
    string(APPEND rows "    {${number}, \"${name}\", R\"sql(${sql})sql\"},\n")
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/schema.cc)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Made by cmake/schema.cmake.
#include \"store/sqlite/migrate.h\"

namespace haul::sqlite {
namespace {

constexpr Migration kMigrations[] = {
@rows@};

}  // namespace

std::span<const Migration> all_migrations() { return kMigrations; }

}  // namespace haul::sqlite
")
  target_sources(${target} PRIVATE ${output})
endfunction()
