#include "cli/draw/progress_lines.h"

#include <doctest/doctest.h>

namespace haul::cli {
namespace {

std::string line_of(const std::string& evidence) {
  return ended_line({.name = "a.bin", .url = "", .ok = true, .size = 1'536, .evidence = evidence},
                    Colour::off);
}

}  // namespace

TEST_CASE("Z-24: a file that was there before is printed as already here, any other by its proof") {
  CHECK(line_of("already_here") == "✓ a.bin  1.5 KiB (already here)");
  CHECK(line_of("size") == "✓ a.bin  1.5 KiB (size)");
  CHECK(line_of("") == "✓ a.bin  1.5 KiB");
}

}  // namespace haul::cli
