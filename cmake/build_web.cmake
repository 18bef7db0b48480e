# Builds the page with npm in the folder WEB into the folder DIST, then writes OUT, a C++ source
# that embeds the files of DIST.

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WEB} RESULT_VARIABLE code
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${said}")
  endif()
endfunction()

# Builds of several presets at once share node_modules.
file(LOCK ${WEB}/../build/web.lock GUARD PROCESS TIMEOUT 300)

# Runs npm ci again if node_modules was not installed from this lock file.
file(SHA256 ${WEB}/package-lock.json wanted)
set(stamp ${WEB}/node_modules/.haul-lock)
set(installed "")
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
endif()
if(NOT installed STREQUAL wanted)
  run(${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel error)
  file(WRITE ${stamp} ${wanted})
endif()
run(${NPM} run --silent build -- --outDir ${DIST} --emptyOutDir)

set(types .html "text/html\; charset=utf-8" .js "text/javascript" .css "text/css"
    .svg "image/svg+xml" .ico "image/x-icon" .png "image/png" .json "application/json"
    .webmanifest "application/manifest+json" .txt "text/plain\; charset=utf-8")

file(GLOB_RECURSE files RELATIVE ${DIST} ${DIST}/*)
set(bytes "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  get_filename_component(extension ${file} LAST_EXT)
  list(FIND types "${extension}" at)
  set(type "application/octet-stream")
  if(at GREATER -1)
    math(EXPR at "${at} + 1")
    list(GET types ${at} type)
  endif()
  string(APPEND bytes "asm(\".section .rodata\\n.global haul_web_${number}\\nhaul_web_${number}:\\n\"\n"
         "    \".incbin \\\"${DIST}/${file}\\\"\\n.global haul_web_${number}_end\\n\"\n"
         "    \"haul_web_${number}_end:\\n.byte 0\\n.previous\\n\");\n"
         "extern \"C\" const char haul_web_${number}[];\nextern \"C\" const char haul_web_${number}_end[];\n")
  string(APPEND rows "      {\"${file}\", \"${type}\",\n"
         "       {haul_web_${number}, static_cast<std::size_t>(haul_web_${number}_end - haul_web_${number})}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"app/web_files.h\"\n\n${bytes}\nnamespace haul::app {\n\n"
     "std::span<const api::WebFile> web_files() {\n  static const api::WebFile files[] = {\n${rows}  };\n"
     "  return files;\n}\n\n}  // namespace haul::app\n")
