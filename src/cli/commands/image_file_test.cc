#include "cli/commands/image_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "support/io/temp_folder.h"

namespace haul::cli {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator{folder}, fs::directory_iterator{}));
}

TEST_CASE("an image gets its name only when it is whole") {
  const testing::TempFolder dir;
  auto file = ImageFile::make(dir.path());
  REQUIRE(file.has_value());

  CHECK(file->write("\x89PNG\r\n"));
  CHECK(file->write("\x1a\nrest"));
  CHECK_FALSE(fs::exists(dir.path() / "cat.png"));
  REQUIRE(file->finish(dir.path() / "cat.png", IfThere::refuse).has_value());

  CHECK(content(dir.path() / "cat.png") == "\x89PNG\r\n\x1a\nrest");
  CHECK(file->size() == 12);
  CHECK(file->type() == "png");
  CHECK(files_in(dir.path()) == 1);
}

TEST_CASE("an unfinished image leaves nothing behind") {
  const testing::TempFolder dir;
  {
    auto file = ImageFile::make(dir.path());
    REQUIRE(file.has_value());
    CHECK(file->write("half"));
    CHECK(files_in(dir.path()) == 1);
  }
  CHECK(files_in(dir.path()) == 0);
}

TEST_CASE("an image replaces an existing file only if asked to") {
  const testing::TempFolder dir;
  const fs::path name = dir.path() / "cat.png";
  std::ofstream{name} << "mine";
  {
    auto file = ImageFile::make(dir.path());
    CHECK(file->write("new"));
    const auto refused = file->finish(name, IfThere::refuse);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == "file_exists");
  }
  CHECK(content(name) == "mine");
  CHECK(files_in(dir.path()) == 1);

  auto file = ImageFile::make(dir.path());
  CHECK(file->write("new"));
  CHECK(file->finish(name, IfThere::replace).has_value());
  CHECK(content(name) == "new");
  CHECK(files_in(dir.path()) == 1);
}

TEST_CASE("the type of an image is read from its first bytes, in whatever pieces they come") {
  const testing::TempFolder dir;
  const auto type_of = [&](std::string_view bytes) {
    auto file = ImageFile::make(dir.path());
    for (const char byte : bytes) CHECK(file->write({&byte, 1}));
    return file->type();
  };

  CHECK(type_of("\xff\xd8\xff\xe0 a jpeg") == "jpeg");
  CHECK(type_of("RIFF1234WEBPVP8 ") == "webp");
  CHECK(type_of("RIFF1234WAVEfmt ") == "");
  CHECK(type_of("<html>") == "");
  CHECK(type_of("") == "");
}

TEST_CASE("a folder that is not there is named") {
  const auto file = ImageFile::make("/nowhere/at/all");
  REQUIRE_FALSE(file.has_value());
  CHECK(file.error().code == "cannot_save");
  CHECK(file.error().detail.find("/nowhere/at/all") != std::string::npos);
}

}  // namespace
}  // namespace haul::cli
