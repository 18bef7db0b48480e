# npm builds the page from web/ into HAUL_WEB_DIST, and the build embeds those files in the binary.

set(HAUL_WEB_DIST ${CMAKE_BINARY_DIR}/web)
set(HAUL_WEB_SOURCE ${CMAKE_BINARY_DIR}/web_files.cc)
find_program(NPM npm)

if(NPM AND EXISTS ${CMAKE_SOURCE_DIR}/web/package.json)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS web/src/* web/public/*)
  list(APPEND web_sources ${CMAKE_SOURCE_DIR}/web/index.html ${CMAKE_SOURCE_DIR}/web/package.json
       ${CMAKE_SOURCE_DIR}/web/package-lock.json)
  add_custom_command(
    OUTPUT ${HAUL_WEB_SOURCE}
    COMMAND ${CMAKE_COMMAND} -DWEB=${CMAKE_SOURCE_DIR}/web -DDIST=${HAUL_WEB_DIST}
            -DOUT=${HAUL_WEB_SOURCE} -DNPM=${NPM} -P ${CMAKE_SOURCE_DIR}/cmake/build_web.cmake
    DEPENDS ${web_sources} ${CMAKE_SOURCE_DIR}/cmake/build_web.cmake
    COMMENT "Building the page")
else()
  message(STATUS "No npm: haul is built without its page")
  file(WRITE ${HAUL_WEB_SOURCE} "#include \"app/web_files.h\"\n\nnamespace haul::app {\n\n"
                                "std::span<const api::WebFile> web_files() { return {}; }\n\n"
                                "}  // namespace haul::app\n")
endif()
