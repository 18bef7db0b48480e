# Moves the symbols of BINARY into BINARY.debug, where gdb finds them, and fails if the stripped
# binary is larger than the limit for a download.
set(at_most 8000000)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${OBJCOPY} --only-keep-debug ${BINARY} ${BINARY}.debug)
run(${OBJCOPY} --strip-all --add-gnu-debuglink=${BINARY}.debug ${BINARY})
file(SIZE ${BINARY} size)
if(size GREATER at_most)
  file(REMOVE ${BINARY})
  message(FATAL_ERROR "haul has ${size} bytes without symbols; it may have ${at_most}")
endif()
