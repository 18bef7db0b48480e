#include "base/size.h"

#include <doctest/doctest.h>

using namespace haul;

TEST_CASE("sizes are read with and without a unit") {
  CHECK(read_size("0") == 0);
  CHECK(read_size("1500") == 1'500);
  CHECK(read_size("64K") == 65'536);
  CHECK(read_size("64 kib") == 65'536);
  CHECK(read_size("2MB") == 2'097'152);
  CHECK(read_size("64G") == std::int64_t{64} << 30U);
  CHECK(read_size("1T") == std::int64_t{1} << 40U);
  CHECK(read_size("8388607T") == std::int64_t{8'388'607} << 40U);
}

TEST_CASE("text that is not a size is refused") {
  for (const char* text :
       {"", "G", "-1", "1.5G", "5X", "1GiBs", "8388608T", "99999999999999999999"})
    CHECK_MESSAGE(!read_size(text), text);
}

TEST_CASE("sizes are told in a unit that leaves at least ten") {
  CHECK(size_text(0) == "0 B");
  CHECK(size_text(10'239) == "10239 B");
  CHECK(size_text(10'240) == "10 KiB");
  CHECK(size_text(std::int64_t{943} << 20U) == "943 MiB");
  CHECK(size_text(std::int64_t{1} << 30U) == "1024 MiB");
  CHECK(size_text(-5) == "0 B");
}
