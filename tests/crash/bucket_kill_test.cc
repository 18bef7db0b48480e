// haul is killed at every system call by which an image lands in a folder bucket. At that instant
// the bucket has no object or a whole one, and the next run leaves exactly one. strace lists the
// calls of a run, and then kills one run at each of them.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "crash/import_victim.h"
#include "support/io/staged_picture.h"
#include "support/process/process.h"
#include "support/process/trace.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOriginal = "originals/a1b2c3d4e5f6/7/0.png";
constexpr const char* kSmall = "thumbnails/a1b2c3d4e5f6/7/0.jpg";

// An image of more than one piece of a copy, and an empty bucket.
class BucketScene {
 public:
  void clear() const { fs::remove_all(root_); }

  std::vector<std::string> command(int fence) const {
    return {HAUL_BUCKET_VICTIM,        root_.string(),
            StagedPicture::kStore,     staged_.path().string(),
            sha256_hex(staged_.bytes), staged_.thumbnail_path(),
            std::to_string(fence)};
  }
  // The files of the bucket, by key. Parts are among them.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> files;
    if (!fs::exists(root_)) return files;
    for (const auto& entry : fs::recursive_directory_iterator{root_}) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file{entry.path(), std::ios::binary};
      files[fs::relative(entry.path(), root_).string()] = {std::istreambuf_iterator<char>{file},
                                                           {}};
    }
    return files;
  }
  // What must not be so at any moment. Empty if all is well.
  std::string problems() const {
    std::string text;
    const auto all = files();
    if (all.contains(kOriginal) && all.at(kOriginal) != staged_.bytes)
      text += "the original is there, but not whole\n";
    if (all.contains(kSmall) && all.at(kSmall) != staged_.thumbnail)
      text += "the thumbnail is there, but not whole\n";
    if (all.contains(kSmall) && !all.contains(kOriginal))
      text += "the thumbnail came before its original\n";
    if (!fs::exists(staged_.path())) text += "the staged image is gone\n";
    return text;
  }
  std::string problems_at_end() const {
    const auto all = files();
    std::string text = problems();
    if (all.size() != 2 || !all.contains(kOriginal) || !all.contains(kSmall))
      text += fmt::format("{} files are in the bucket\n", all.size());
    return text;
  }

 private:
  const StagedPicture staged_{std::string((std::size_t{1} << 20U) + 7, 'p')};
  const TempFolder folder_;
  const fs::path root_ = folder_ / "bucket";
};

}  // namespace

TEST_CASE("S4-5: killed at any system call of a landing, the bucket ends with one whole object") {
  if (!can_trace()) return;
  const BucketScene scene;
  const std::vector<DiskCall> calls = disk_calls(scene.command(1), kVictimBegins);
  CHECK(scene.problems_at_end() == "");
  MESSAGE(fmt::format("killed at each of {} system calls", calls.size()));
  REQUIRE(calls.size() > 10);

  for (const DiskCall& call : calls) {
    INFO("killed at " << call.line);
    scene.clear();

    REQUIRE(is_killed_at(scene.command(1), call));

    CHECK(scene.problems() == "");
    for (const int fence : {2, 3}) {
      const testing::Finished again = run_program(scene.command(fence));
      CHECK(again.code == 0);
      CHECK(again.out == kOriginal);
      CHECK(scene.problems_at_end() == "");
    }
  }
}
