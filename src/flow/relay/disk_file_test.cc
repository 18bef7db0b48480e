#include "flow/relay/disk_file.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

const std::string kHash(64, 'a');

std::string checkpoint(const std::string& hash) {
  return fmt::format(R"({{"name":"a.mp4","size":10,"sha256":"{}","mime":"video/mp4"}})", hash);
}

}  // namespace

TEST_CASE("the disk's facts are read, and what is missing or malformed is empty") {
  const DiskFile file = read_disk_file(checkpoint(kHash));
  CHECK(file.name == "a.mp4");
  CHECK((file.size == 10));
  CHECK(file.sha256 == kHash);
  CHECK(read_disk_file(checkpoint(std::string(64, 'A'))).sha256 == kHash);
  CHECK(read_disk_file(checkpoint(std::string(63, 'a'))).sha256.empty());
  CHECK(read_disk_file(checkpoint(std::string(64, 'g'))).sha256.empty());
  CHECK_FALSE(read_disk_file(R"({"size":-1})").size.has_value());
  CHECK_FALSE(read_disk_file(R"({"size":1.5})").size.has_value());
  CHECK(read_disk_file("no JSON").name.empty());
  CHECK(read_disk_file("").name.empty());
}

TEST_CASE("S3-22: the same content under the same name of the same sender is the same file") {
  const DiskFile file{.name = "a", .size = 10, .sha256 = kHash};
  const std::string first = fingerprint_of(file, "77");
  CHECK(first.size() == 64);
  CHECK(fingerprint_of({.name = "b", .size = 10, .sha256 = kHash}, "77") != first);
  CHECK(fingerprint_of({.name = "a", .size = 10, .sha256 = kHash}, "77") == first);
  CHECK(fingerprint_of({.name = "a", .size = 11, .sha256 = kHash}, "77") != first);
  CHECK(fingerprint_of({.name = "a", .size = 10, .sha256 = std::string(64, 'b')}, "77") != first);
  CHECK(fingerprint_of(file, "78") != first);
}

TEST_CASE("S3-22: a file whose content or size the disk does not know is never known again") {
  CHECK(fingerprint_of({.name = "a", .size = 10}, "77").empty());
  CHECK(fingerprint_of({.name = "a", .sha256 = kHash}, "77").empty());
}

TEST_CASE("S3-24: a send may take 15 min, or 10 min and a second for every 100 kB") {
  CHECK((longer_than_least(std::nullopt) == 0ms));
  CHECK((longer_than_least(0) == 1min));
  CHECK((longer_than_least(30'000'000) == 1min));
  CHECK((longer_than_least(30'100'000) == 1min + 1s));
  CHECK((longer_than_least(2'097'152'000) == 20'971'520ms - 4min));
}

}  // namespace haul::flow
