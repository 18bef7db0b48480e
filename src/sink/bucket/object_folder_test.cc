#include "sink/bucket/object_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <set>

#include "sink/bucket/folder_landing.h"
#include "support/flow/turned_clock.h"
#include "support/io/staged_picture.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOriginal = "originals/a1b2c3d4e5f6/7/0.png";
constexpr const char* kSmall = "thumbnails/a1b2c3d4e5f6/7/0.jpg";

struct FolderBench {
  What land(const Parcel& parcel, const std::stop_token& stop = {}) const {
    return bucket::land_in_folder(objects, parcel, stop);
  }
  std::string fault_of(const Parcel& parcel) const {
    const What what = land(parcel);
    const auto* failed = std::get_if<Failed>(&what);
    return failed ? failed->fault.code : "";
  }
  std::string content(const std::string& key) const {
    std::ifstream file{root / key, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  std::set<std::string> keys() const {
    std::set<std::string> keys;
    if (!fs::exists(root)) return keys;
    for (const auto& entry : fs::recursive_directory_iterator{root})
      if (!entry.is_directory()) keys.insert(fs::relative(entry.path(), root).string());
    return keys;
  }

  // Where a landing under this lease has the part of the original.
  fs::path part(const io::PartOwner& owner) const {
    return (root / kOriginal).replace_filename(io::part_name("0.png", owner));
  }

  TempFolder folder;
  const fs::path root = folder / "bucket";
  TurnedClock clock;
  io::DiskSpace space{io::KeepFree{0}};
  const bucket::ObjectFolder objects{root, StagedPicture::kStore, space, clock};
  const StagedPicture staged;
};

}  // namespace

TEST_CASE("S4-5: an image lands whole under originals/, its thumbnail beside it, for haul alone") {
  const FolderBench b;

  const What what = b.land(b.staged.parcel());

  const auto* landed = std::get_if<Landed>(&what);
  REQUIRE(landed);
  CHECK(landed->files == std::vector<PlacedFile>{{kOriginal, std::ssize(b.staged.bytes)}});
  CHECK(b.keys() == std::set<std::string>{kOriginal, kSmall});
  CHECK(b.content(kOriginal) == b.staged.bytes);
  CHECK(b.content(kSmall) == b.staged.thumbnail);
  for (const char* key : {kOriginal, kSmall}) {
    struct stat seen{};
    REQUIRE(::stat((b.root / key).c_str(), &seen) == 0);
    CHECK((seen.st_mode & 0777U) == 0600U);
  }
  CHECK(fs::exists(b.staged.path()));
  CHECK(fs::exists(b.staged.thumbnail_path()));
}

TEST_CASE("an image that lands again stays the same file, and what was left of a landing goes") {
  const FolderBench b;
  REQUIRE(std::holds_alternative<Landed>(b.land(b.staged.parcel())));
  struct stat before{};
  REQUIRE(::stat((b.root / kOriginal).c_str(), &before) == 0);

  REQUIRE(std::holds_alternative<Landed>(b.land(b.staged.parcel(JobId{7}, 2))));

  struct stat after{};
  REQUIRE(::stat((b.root / kOriginal).c_str(), &after) == 0);
  CHECK(after.st_ino == before.st_ino);
  CHECK(b.keys() == std::set<std::string>{kOriginal, kSmall});

  StagedPicture::write(b.part({StagedPicture::kStore, JobId{7}, 0, 1}), "half an ima");
  fs::remove(b.root / kOriginal);
  REQUIRE(std::holds_alternative<Landed>(b.land(b.staged.parcel(JobId{7}, 3))));
  CHECK(b.keys() == std::set<std::string>{kOriginal, kSmall});
}

TEST_CASE("a landing removes no part of another job, another store or a later lease") {
  const FolderBench b;
  fs::create_directories((b.root / kOriginal).parent_path());
  const std::vector<io::PartOwner> others = {{StagedPicture::kStore, JobId{8}, 0, 1},
                                             {"ffffffffffff", JobId{7}, 0, 1},
                                             {StagedPicture::kStore, JobId{7}, 0, 3}};
  for (const io::PartOwner& other : others) StagedPicture::write(b.part(other), "theirs");

  REQUIRE(std::holds_alternative<Landed>(b.land(b.staged.parcel(JobId{7}, 2))));

  for (const io::PartOwner& other : others)
    CHECK_MESSAGE(fs::exists(b.part(other)), b.part(other).string());
}

TEST_CASE("S4-5: two stores that share a folder keep their images of equal job numbers apart") {
  FolderBench b;
  const StagedPicture theirs{"the image of another store", "its thumbnail"};
  const bucket::ObjectFolder other{b.root, "ffffffffffff", b.space, b.clock};

  const What first = b.land(b.staged.parcel());
  const What second = bucket::land_in_folder(other, theirs.parcel(), {});

  REQUIRE(std::holds_alternative<Landed>(first));
  REQUIRE(std::holds_alternative<Landed>(second));
  CHECK(b.content(kOriginal) == b.staged.bytes);
  CHECK(b.content(kSmall) == b.staged.thumbnail);
  CHECK(b.content(std::get<Landed>(second).files.at(0).path) == theirs.bytes);
  CHECK(b.keys().size() == 4);
}

TEST_CASE("another object of the same key, or half of it, is replaced") {
  for (const char* old : {"another image", "an im", ""}) {
    CAPTURE(old);
    const FolderBench b;
    fs::create_directories((b.root / kOriginal).parent_path());
    StagedPicture::write(b.root / kOriginal, old);

    REQUIRE(std::holds_alternative<Landed>(b.land(b.staged.parcel())));

    CHECK(b.content(kOriginal) == b.staged.bytes);
  }
}

TEST_CASE("a staged file that is gone or has other bytes does not land") {
  const FolderBench b;
  StagedPicture::write(b.staged.path(), "an imagE");
  CHECK(b.fault_of(b.staged.parcel()) == "staged_changed");
  StagedPicture::write(b.staged.path(), "an image and more");
  CHECK(b.fault_of(b.staged.parcel()) == "staged_changed");
  fs::remove(b.staged.path());
  CHECK(b.fault_of(b.staged.parcel()) == "staged_gone");
  fs::create_symlink("/etc/passwd", b.staged.path());
  CHECK_FALSE(b.fault_of(b.staged.parcel()).empty());
  CHECK(b.keys().empty());
}

TEST_CASE("a paid image lands although its thumbnail is gone, and its evidence names none") {
  const FolderBench b;
  fs::remove(b.staged.thumbnail_path());

  const What what = b.land(b.staged.parcel());

  const auto* landed = std::get_if<Landed>(&what);
  REQUIRE(landed);
  CHECK(landed->evidence.find(R"("thumbnail":"")") != std::string::npos);
  CHECK(b.keys() == std::set<std::string>{kOriginal});
}

TEST_CASE("a landing that is stopped before its original is in place has no effect") {
  const FolderBench b;
  std::stop_source stop;
  stop.request_stop();

  CHECK(std::holds_alternative<Stopped>(b.land(b.staged.parcel(), stop.get_token())));

  CHECK(b.keys().empty());
}

TEST_CASE("a disk without room is a fault of the environment, and nothing is left") {
  const FolderBench b;
  io::DiskSpace full{io::KeepFree{INT64_MAX / 2}};
  const bucket::ObjectFolder objects{b.root, StagedPicture::kStore, full, b.clock};

  const What what = bucket::land_in_folder(objects, b.staged.parcel(), {});

  const auto* failed = std::get_if<Failed>(&what);
  REQUIRE(failed);
  CHECK(failed->fault.kind == FaultKind::environment);
  CHECK(failed->fault.code == "disk_full");
  CHECK(b.keys().empty());
}

TEST_CASE("an object is opened by its key alone, beneath the bucket and through no link") {
  const FolderBench b;
  REQUIRE(std::holds_alternative<Landed>(b.land(b.staged.parcel())));
  StagedPicture::write(b.folder / "secret", "x");
  fs::create_symlink(b.folder / "secret", b.root / "originals/a1b2c3d4e5f6/7/1.png");

  CHECK(bucket::open_object(b.root, kOriginal)->mark().size == std::ssize(b.staged.bytes));
  for (const char* key : {"originals/a1b2c3d4e5f6/8/0.png", "../secret", "/etc/passwd", "originals",
                          "", "originals/../../secret"}) {
    CAPTURE(key);
    const auto file = bucket::open_object(b.root, key);
    REQUIRE_FALSE(file);
    CHECK(file.error().code == "no_such_object");
  }
  CHECK_FALSE(bucket::open_object(b.root, "originals/a1b2c3d4e5f6/7/1.png"));
}

}  // namespace haul::testing
