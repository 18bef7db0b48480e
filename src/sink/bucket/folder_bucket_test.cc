#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "base/clock.h"
#include "sink/bucket/bucket.h"
#include "support/io/staged_picture.h"
#include "support/io/temp_folder.h"

namespace haul::bucket {
namespace {

namespace fs = std::filesystem;

class OneAnswer final : public Inbox {
 public:
  void push(Sight sight) override { answer_.set_value(std::move(sight.what)); }
  What take() { return answer_.get_future().get(); }

 private:
  std::promise<What> answer_;
};

What land(Sink& sink, const testing::StagedPicture& staged) {
  OneAnswer inbox;
  sink.land(staged.parcel(), inbox);
  return inbox.take();
}

}  // namespace

TEST_CASE("a broken folder bucket is told to the operator with its path, and to owners without") {
  const testing::TempFolder folder;
  const testing::StagedPicture staged;
  std::ofstream{folder / "bucket"} << "a file in the folder's place";
  std::vector<std::string> troubles;
  io::DiskSpace space{io::KeepFree{0}};
  const auto sink = make_folder_bucket(
      {.root = folder / "bucket",
       .store = testing::StagedPicture::kStore,
       .on_trouble =
           [&](const Fault* fault) { troubles.push_back(fault ? fault->detail : "well"); }},
      space, system_clock());

  for (int i = 0; i < 2; ++i) {
    const What what = land(*sink, staged);
    REQUIRE(std::holds_alternative<Failed>(what));
    CHECK((std::get<Failed>(what).fault.kind == FaultKind::environment));
    CHECK(std::get<Failed>(what).fault.detail.find('/') == std::string::npos);
  }
  fs::remove(folder / "bucket");
  CHECK(std::holds_alternative<Landed>(land(*sink, staged)));
  REQUIRE(troubles.size() == 2);
  CHECK(troubles[0].find("bucket") != std::string::npos);
  CHECK(troubles[1] == "well");
}

TEST_CASE("whether a folder takes images is found out by writing there, and leaves nothing") {
  const testing::TempFolder folder;
  std::vector<std::string> troubles;
  io::DiskSpace space{io::KeepFree{0}};
  const auto sink = make_folder_bucket(
      {.root = folder / "bucket",
       .store = testing::StagedPicture::kStore,
       .on_trouble = [&](const Fault* fault) { troubles.push_back(fault ? fault->code : "well"); }},
      space, system_clock());
  const auto check = [&] {
    OneAnswer inbox;
    CHECK_FALSE(sink->is_usable({.job = JobId{7}, .fence = 1}, inbox));
    return inbox.take();
  };
  const auto files = [&] {
    std::size_t count = 0;
    for (const auto& each : fs::recursive_directory_iterator{folder / "bucket"})
      count += each.is_directory() ? 0 : 1;
    return count;
  };

  CHECK(std::holds_alternative<Usable>(check()));
  CHECK(files() == 0);

  for (const char* name : {"originals", "thumbnails"}) {
    fs::remove_all(folder / "bucket" / name);
    std::ofstream{folder / "bucket" / name} << "a file in the folder's place";
    const What what = check();
    REQUIRE(std::holds_alternative<Failed>(what));
    CHECK((std::get<Failed>(what).fault.kind == FaultKind::environment));
    CHECK(std::get<Failed>(what).fault.detail.find('/') == std::string::npos);
    fs::remove(folder / "bucket" / name);
  }
  CHECK(std::holds_alternative<Usable>(check()));
  REQUIRE(troubles.size() == 2);
  CHECK(troubles[1] == "well");
}

TEST_CASE("a disk without the room that must stay free takes no image") {
  const testing::TempFolder folder;
  io::DiskSpace space{io::KeepFree{std::int64_t{1} << 60U}};
  const auto sink = make_folder_bucket(
      {.root = folder / "bucket", .store = testing::StagedPicture::kStore}, space, system_clock());
  OneAnswer inbox;
  CHECK_FALSE(sink->is_usable({.job = JobId{7}, .fence = 1}, inbox));
  const What what = inbox.take();
  REQUIRE(std::holds_alternative<Failed>(what));
  CHECK(std::get<Failed>(what).fault.code == "disk_full");
}

}  // namespace haul::bucket
