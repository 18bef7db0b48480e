// Dates in the forms that servers send.

#include "io/web/http_date.h"

#include <doctest/doctest.h>

namespace haul::io {
namespace {

std::optional<std::int64_t> seconds(std::string_view text) {
  const auto time = read_http_date(text);
  if (!time) return std::nullopt;
  return to_unix_ms(*time) / 1'000;
}

}  // namespace

TEST_CASE("a date is read in the form that servers send, and in the two older ones") {
  CHECK(seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784'111'777);
  CHECK(seconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784'111'777);
  CHECK(seconds("Sun Nov  6 08:49:37 1994") == 784'111'777);
}

TEST_CASE("H29: the first second of 1970 is a date; earlier times and other text are not") {
  CHECK(seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0);
  CHECK(seconds("Thu, 29 Feb 2024 23:59:59 GMT") == 1'709'251'199);
  CHECK_FALSE(seconds("Tue, 30 Dec 1969 23:59:59 GMT"));
  CHECK_FALSE(seconds("Sun, 06 Xxx 1994 08:49:37 GMT"));
  CHECK_FALSE(seconds(""));
}

TEST_CASE("the last second of the year 9999 is a date; a later year is not") {
  CHECK(seconds("Fri, 31 Dec 9999 23:59:59 GMT") == 253'402'300'799);
  CHECK(seconds("Fri, 31-Dec-9999 23:59:59 GMT") == 253'402'300'799);  // libcurl reads it.
  CHECK_FALSE(seconds("Sat, 01-Jan-10000 00:00:00 GMT"));
  CHECK_FALSE(seconds("Sun, 06 Nov 2147483647 08:49:37 GMT"));
}

}  // namespace haul::io
