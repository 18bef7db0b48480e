// Pictures that come from outside, checked by the real program in its sandbox.

#include "io/process/picture.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <vector>

#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

const fs::path kPng = HAUL_SOURCE_DIR "/docs/page.png";  // 1280 x 800.

// One black pixel.
constexpr unsigned char kWebp[] = {
    0x52, 0x49, 0x46, 0x46, 0x24, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38,
    0x20, 0x18, 0x00, 0x00, 0x00, 0x30, 0x01, 0x00, 0x9d, 0x01, 0x2a, 0x01, 0x00, 0x01, 0x00,
    0x02, 0x00, 0x34, 0x25, 0xa4, 0x00, 0x03, 0x70, 0x00, 0xfe, 0xfb, 0xfd, 0x50, 0x00};

std::string content_of(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

class PictureBench {
 public:
  explicit PictureBench(const std::function<void(io::PictureSettings&)>& change = {}) {
    io::PictureSettings settings{
        .program = HAUL_PICTURE, .keeper = HAUL_BINARY, .work = folder / "work"};
    if (change) change(settings);
    pictures = io::make_pictures(system_clock(), std::move(settings));
  }

  fs::path file(const std::string& name, const std::string& bytes) const {
    std::ofstream{folder / name, std::ios::binary} << bytes;
    return folder / name;
  }
  // A program that haul runs instead of its own.
  fs::path script(const std::string& text) const {
    const fs::path path = file("program", "#!/bin/sh\n" + text + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  std::future<Result<io::PictureFacts>> begin(const fs::path& staged) {
    auto answer = std::make_shared<std::promise<Result<io::PictureFacts>>>();
    pictures->check(staged, thumbnail,
                    [answer](const Result<io::PictureFacts>& facts) { answer->set_value(facts); });
    return answer->get_future();
  }
  Result<io::PictureFacts> check(const fs::path& staged) { return begin(staged).get(); }
  std::string code(const fs::path& staged) {
    const auto facts = check(staged);
    return facts ? "" : facts.error().code;
  }
  // Nothing is left of the checks that are over.
  bool is_tidy() const { return !fs::exists(folder / "work") || fs::is_empty(folder / "work"); }

  TempFolder folder;
  const fs::path thumbnail = folder / "thumbnail.jpg";
  std::unique_ptr<io::Pictures> pictures;
};

}  // namespace

TEST_CASE("S4-5: a picture's type and size come from its bytes, and it gets a small JPEG") {
  PictureBench b;

  CHECK(b.check(kPng).value() == io::PictureFacts{"png", 1280, 800});
  const fs::path small = b.file("small.png", content_of(b.thumbnail));
  CHECK(b.check(small).value() == io::PictureFacts{"jpeg", 320, 200});
  CHECK(b.check(b.thumbnail).value() == io::PictureFacts{"jpeg", 320, 200});
  const std::string webp{reinterpret_cast<const char*>(kWebp), sizeof kWebp};
  CHECK(b.check(b.file("tiny", webp)).value() == io::PictureFacts{"webp", 1, 1});
  CHECK(b.check(b.thumbnail).value() == io::PictureFacts{"jpeg", 1, 1});
  CHECK(b.is_tidy());
}

TEST_CASE("what is no whole PNG, JPEG or WebP is refused, whatever its name") {
  PictureBench b;
  const std::string png = content_of(kPng);

  CHECK(b.code(b.file("cut.png", png.substr(0, png.size() / 2))) == "bad_picture");
  CHECK(b.code(b.file("head.png", png.substr(0, 30))) == "bad_picture");
  CHECK(b.code(b.file("empty.png", "")) == "bad_picture");
  CHECK(b.code(b.file("page.png", "<!DOCTYPE html><html></html>")) == "bad_picture");
  CHECK(b.code(b.file("a.png", "<svg xmlns='http://www.w3.org/2000/svg'/>")) == "bad_picture");
  CHECK(b.code(b.file("a.gif", "GIF89a\x01\x00\x01\x00")) == "bad_picture");
  CHECK(b.code(b.file("a.jpg", "\xff\xd8\xff\xe0" + std::string(1'000, 'x'))) == "bad_picture");
  CHECK(b.code(b.folder / "none.png") == "bad_picture");
  CHECK_FALSE(fs::exists(b.thumbnail));
  CHECK(b.is_tidy());
}

TEST_CASE("a picture of too many pixels is refused for good, one of just so many is not") {
  const std::int64_t pixels = std::int64_t{1280} * 800;
  PictureBench enough{[&](io::PictureSettings& settings) { settings.pixels_max = pixels; }};
  PictureBench less{[&](io::PictureSettings& settings) { settings.pixels_max = pixels - 1; }};

  CHECK(enough.code(kPng).empty());
  const auto facts = less.check(kPng);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().code == "image_too_large");
  CHECK(facts.error().kind == FaultKind::permanent);  // Another call would bring the same.
}

TEST_CASE("a program that is missing or never ends costs no more than its time") {
  PictureBench missing{
      [](io::PictureSettings& settings) { settings.program = "/no/such/haul-picture"; }};
  const auto facts = missing.check(kPng);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().kind == FaultKind::environment);
  CHECK(facts.error().code == "program_missing");

  PictureBench slow;
  const fs::path script = slow.script("exec sleep 60");
  slow.pictures = io::make_pictures(system_clock(), {.program = script,
                                                     .keeper = HAUL_BINARY,
                                                     .work = slow.folder / "work",
                                                     .timeout = Millis{200}});
  CHECK(slow.code(kPng) == "bad_picture");
  CHECK(slow.is_tidy());
}

TEST_CASE("neither the line nor the thumbnail of a program is believed unseen") {
  PictureBench b;
  const std::string facts = R"({"type":"png","width":1,"height":1})";
  for (const std::string& script : std::vector<std::string>{
           "echo '" + facts + "'",                            // No thumbnail.
           "ln -s /etc/passwd \"$2\"; echo '" + facts + "'",  // A link.
           "echo '<svg/>' > \"$2\"; echo '" + facts + "'",    // No JPEG.
           R"(printf '\377\330\377' > "$2"; echo '{"type":"svg","width":1,"height":1}')",
           R"(printf '\377\330\377' > "$2"; echo '{"type":"png","width":0,"height":1}')",
           R"(printf '\377\330\377' > "$2"; echo '{"type":"png","width":1,"height":99999}')",
           R"(printf '\377\330\377' > "$2"; echo 'png')",
           R"(printf '\377\330\377' > "$2"; echo ')" + facts + "'; exit 1", "yes"}) {
    CAPTURE(script);
    b.pictures = io::make_pictures(
        system_clock(),
        {.program = b.script(script), .keeper = HAUL_BINARY, .work = b.folder / "work"});
    CHECK(b.code(kPng) == "bad_picture");
    CHECK_FALSE(fs::exists(b.thumbnail));
  }
  const fs::path good = b.script(R"(printf '\377\330\377' > "$2"; echo ')" + facts + "'");
  b.pictures = io::make_pictures(
      system_clock(), {.program = good, .keeper = HAUL_BINARY, .work = b.folder / "work"});
  CHECK(b.check(kPng).value() == io::PictureFacts{"png", 1, 1});
}

TEST_CASE("many pictures are checked, few at once, and too many are told to come again") {
  PictureBench b{[](io::PictureSettings& settings) { settings.waiting_max = 6; }};
  std::vector<std::future<Result<io::PictureFacts>>> answers;
  for (int i = 0; i < 20; ++i) answers.push_back(b.begin(kPng));

  int good = 0;
  int busy = 0;
  for (auto& answer : answers) {
    const auto facts = answer.get();
    if (facts) ++good;
    if (!facts && facts.error().code == "pictures_busy") ++busy;
  }

  CHECK(good >= 6);
  CHECK(good + busy == 20);
  CHECK(b.is_tidy());
}

TEST_CASE("a new daemon removes the folders that a killed one left") {
  TempFolder folder;
  fs::create_directories(folder / "work" / "check-1-1");
  fs::create_directories(folder / "work" / "images");
  {
    const auto pictures = io::make_pictures(
        system_clock(), {.program = HAUL_PICTURE, .keeper = HAUL_BINARY, .work = folder / "work"});
  }

  CHECK_FALSE(fs::exists(folder / "work" / "check-1-1"));
  CHECK(fs::exists(folder / "work" / "images"));
}
