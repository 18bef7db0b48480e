#include "api/byte_range.h"

#include <doctest/doctest.h>

namespace haul::api {
namespace {

using Is = ByteRange::Is;

}  // namespace

TEST_CASE("a range is a part of the file, from either end, and never beyond it") {
  CHECK(read_range("bytes=0-0", 10) == ByteRange{Is::part, 0, 1});
  CHECK(read_range("bytes=2-5", 10) == ByteRange{Is::part, 2, 4});
  CHECK(read_range("bytes=9-", 10) == ByteRange{Is::part, 9, 1});
  CHECK(read_range("bytes=0-9", 10) == ByteRange{Is::part, 0, 10});
  CHECK(read_range("bytes=0-10", 10) == ByteRange{Is::part, 0, 10});
  CHECK(read_range("Bytes=-3", 10) == ByteRange{Is::part, 7, 3});
  CHECK(read_range("bytes=-99", 10) == ByteRange{Is::part, 0, 10});
  CHECK(read_range("bytes=5-99999999999999999999", 10) == ByteRange{Is::part, 5, 5});
}

TEST_CASE("a range without a byte of the file is beyond it") {
  for (const char* header :
       {"bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"}) {
    CAPTURE(header);
    CHECK(read_range(header, 10).is == Is::beyond);
  }
  CHECK(read_range("bytes=0-", 0).is == Is::beyond);
}

TEST_CASE("no range, several ranges and malformed ones mean the whole file") {
  for (const char* header : {"", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b",
                             "bytes=1-2,4-5", "items=0-1", "bytes=+1-2", "bytes=1--2"}) {
    CAPTURE(header);
    CHECK(read_range(header, 10) == ByteRange{Is::whole, 0, 10});
  }
}

}  // namespace haul::api
