#include "engine/yandexdisk/disk_path.h"

#include <doctest/doctest.h>

namespace haul::yandexdisk {
namespace {

std::string path_of(std::string_view text) {
  const auto path = disk_path(text);
  if (path) return *path;
  CHECK(path.error().kind == FaultKind::permanent);
  CHECK(path.error().code == "bad_path");
  return "refused";
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("a path has the disk's scheme, whether the request names it or not") {
  CHECK(path_of("/Книги/a b.pdf") == "disk:/Книги/a b.pdf");
  CHECK(path_of("disk:/Книги/a b.pdf") == "disk:/Книги/a b.pdf");
  CHECK(path_of("/12:30.txt") == "disk:/12:30.txt");
  CHECK(path_of("/...") == "disk:/...");
}

TEST_CASE("other places, relative paths, control characters and dot segments are refused") {
  for (const char* bad :
       {"", "a.pdf", "app:/a", "trash:/a", "disk:a", "http://h/a", "/", "disk:/", "/a//b", "/a/",
        "/a/../b", "/..", "/.", "/./a", "/a\nb", "/a\x7f", "/a\xff"})
    CHECK_MESSAGE(path_of(bad) == "refused", bad);
  CHECK(path_of(std::string_view{"/a\0b", 4}) == "refused");
}

TEST_CASE("a name has at most 255 characters, and a path 32,760") {
  CHECK(path_of("/" + repeated("я", 255)) != "refused");
  CHECK(path_of("/" + repeated("я", 256)) == "refused");
  const std::string deep = repeated("/abcdefghi", 3'275);  // With the scheme: 32,755.
  CHECK(path_of(deep + "/jklm") != "refused");
  CHECK(path_of(deep + "/jklmn") == "refused");
}

TEST_CASE("a folder may be the root and may end with a slash") {
  CHECK(disk_folder("/").value() == "disk:/");
  CHECK(disk_folder("disk:/").value() == "disk:/");
  CHECK(disk_folder("/Книги/").value() == "disk:/Книги");
  CHECK_FALSE(disk_folder("/Книги//"));
  CHECK_FALSE(disk_folder("//"));
  CHECK(name_in("disk:/Книги/a.pdf") == "a.pdf");
}

}  // namespace haul::yandexdisk
