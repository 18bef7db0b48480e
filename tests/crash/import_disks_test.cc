// F25, F27: imports and cleans on real file systems: from one disk to another, with shared bytes,
// on full disks and on disks that cannot be written to.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sink/library/clean.h"
#include "sink/library/import_file.h"
#include "support/io/image_disk.h"
#include "support/io/library_bench.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

using enum library::ImportBy;
using library::CleanBy;
using library::ImportBy;

constexpr std::size_t kSize = std::size_t{6} << 20U;
const std::vector<ImportBy> kAnyWay = {reflink, hardlink, copy};

// The disks that can be mounted here. The others are reported as skipped.
std::vector<std::unique_ptr<ImageDisk>> all_disks() {
  std::vector<std::unique_ptr<ImageDisk>> disks;
  for (const DiskKind kind : {DiskKind::tmpfs, DiskKind::ext4, DiskKind::btrfs, DiskKind::xfs})
    if (auto disk = std::make_unique<ImageDisk>(kind); disk->is_there())
      disks.push_back(std::move(disk));
  return disks;
}

ino_t inode_of(const fs::path& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0 ? about.st_ino : 0;
}

std::string film_bytes() {
  std::string bytes;
  bytes.reserve(kSize);
  while (bytes.size() < kSize) bytes += fmt::format("{:016}", bytes.size());
  return bytes;
}

// A film on its way from one folder to another. Both are emptied first.
class Way {
 public:
  Way(const fs::path& from, const fs::path& to)
      : downloads_{from / "downloads"}, movies_{to / "movies"} {
    fs::remove_all(downloads_);
    fs::remove_all(movies_);
    fs::create_directories(movies_);
    LibraryBench::write(source(), bytes_);
    listed_ = LibraryBench::listed_below(downloads_, "Film/film.mkv");
  }

  fs::path source() const { return downloads_ / "Film/film.mkv"; }
  fs::path target() const { return movies_ / "Film.mkv"; }
  bool has_source() const { return LibraryBench::text_of(source()) == bytes_; }
  bool has_copy() const { return LibraryBench::text_of(target()) == bytes_; }
  bool is_library_empty() const { return fs::is_empty(movies_); }
  bool is_trashed() const {
    return LibraryBench::text_of(downloads_ / ".haul-trash" / (std::string{kTestStore} + "-1") /
                                 "files/Film/film.mkv") == bytes_;
  }
  std::size_t size() const { return bytes_.size(); }

  // How it came into the library, or the code of the fault.
  std::string import(const std::vector<ImportBy>& methods) {
    io::PartOwner owner{kTestStore, JobId{1}, 0, ++fence_};
    library::LibraryFolders folders{owner};
    const auto folder = folders.open(movies_, "");
    if (!folder) return folder.error().code;
    owner.item = 1;
    io::DiskSpace space{io::KeepFree{0}};  // A new one looks at the disk anew.
    const auto landed = library::import_file(
        {.methods = methods, .space = space, .clock = clock_, .hashes = hashes_},
        {.source = listed_, .folder = **folder, .name = "Film.mkv", .owner = owner}, {});
    if (!landed) return landed.error().code;
    if (const auto flushed = folders.flush(); !flushed) return flushed.error().code;
    landed_ = {*landed};
    return landed->how;
  }

  // The outcome of a clean, or the code of its fault.
  std::string clean(CleanBy by = CleanBy::deleting) {
    const std::vector<SourceFile> sources{listed_};
    std::vector<PlacedFile> placed;
    for (const library::LandedFile& file : landed_) placed.push_back({file.path, file.size});
    const std::string evidence = library::evidence_json(landed_);
    const library::CleanEnd end = library::clean_sources(
        {.by = by,
         .store = kTestStore,
         .clock = clock_,
         .hashes = hashes_,
         .download_roots = {downloads_}},
        {.job = JobId{1}, .sources = sources, .placed = placed, .evidence = evidence}, {},
        [](const std::vector<CleanedFile>&) {});
    return end.fault ? end.fault->code : end.outcome;
  }

 private:
  const std::string bytes_ = film_bytes();
  const fs::path downloads_;
  const fs::path movies_;
  SourceFile listed_;
  std::vector<library::LandedFile> landed_;
  std::int64_t fence_ = 0;
  TurnedClock clock_;
  library::KnownHashes hashes_;
};

}  // namespace

TEST_CASE("F27: from one disk to another a film is copied, and only where copies are allowed") {
  const auto disks = all_disks();
  for (const auto& from : disks)
    for (const auto& to : disks) {
      if (from == to) continue;
      INFO(name_of(from->kind()) << " to " << name_of(to->kind()));
      Way way{from->folder(), to->folder()};

      CHECK(way.import({hardlink}) == "cannot_link");
      CHECK(way.import({reflink, hardlink}) == "cannot_link");
      CHECK(way.is_library_empty());
      CHECK(way.import(kAnyWay) == "copy");

      CHECK(way.has_copy());
      CHECK(way.has_source());
      CHECK(way.clean() == "deleted");
      CHECK(way.has_copy());
      CHECK_FALSE(fs::exists(way.source().parent_path()));
    }
}

TEST_CASE(
    "F27: bytes are shared where the file system can, and one name is added where it cannot") {
  for (const auto& disk : all_disks()) {
    INFO(name_of(disk->kind()));
    const bool can_share = disk->kind() == DiskKind::btrfs || disk->kind() == DiskKind::xfs;
    Way way{disk->folder(), disk->folder()};
    const std::int64_t before = disk->free_bytes();

    CHECK(way.import(kAnyWay) == (can_share ? "reflink" : "hardlink"));

    CHECK(before - disk->free_bytes() < static_cast<std::int64_t>(way.size()) / 2);
    CHECK((inode_of(way.target()) == inode_of(way.source())) == !can_share);
    CHECK(way.clean() == "deleted");
    CHECK(way.has_copy());
    CHECK_FALSE(fs::exists(way.source()));
  }
}

TEST_CASE("F27: with a trash the source keeps its bytes, on every file system") {
  for (const auto& disk : all_disks()) {
    INFO(name_of(disk->kind()));
    Way way{disk->folder(), disk->folder()};
    CHECK(way.import({copy}) == "copy");
    const ino_t inode = inode_of(way.source());

    CHECK(way.clean(CleanBy::trashing) == "trashed");

    CHECK(way.is_trashed());
    CHECK(inode != inode_of(way.target()));
    CHECK(way.has_copy());
    CHECK_FALSE(fs::exists(way.source()));
  }
}

TEST_CASE("F25: a full library keeps the source, has no part, and the import goes on once it can") {
  const auto disks = all_disks();
  for (const auto& to : disks) {
    INFO(name_of(to->kind()));
    const TempFolder home;
    Way way{home.path(), to->folder()};
    to->fill();

    CHECK(way.import({copy}) == "disk_full");

    CHECK(way.is_library_empty());
    CHECK(way.has_source());
    CHECK(way.clean() == "kept_unsafe");
    CHECK(way.has_source());
    to->free_it();
    CHECK(way.import({copy}) == "copy");
    CHECK(way.has_copy());
    CHECK(way.clean() == "deleted");
  }
}

TEST_CASE("F25: a full disk of downloads is cleaned: a removal needs no room") {
  for (const auto& disk : all_disks()) {
    INFO(name_of(disk->kind()));
    const TempFolder home;
    Way way{disk->folder(), home.path()};
    CHECK(way.import({copy}) == "copy");
    disk->fill();

    CHECK(way.clean() == "deleted");

    CHECK_FALSE(fs::exists(way.source()));
    disk->free_it();
  }
}

TEST_CASE("F27, A1-3: a library that is read-only takes no file, and loses none") {
  for (const auto& disk : all_disks()) {
    INFO(name_of(disk->kind()));
    const TempFolder home;
    Way way{home.path(), disk->folder()};
    REQUIRE(disk->remount(ImageDisk::Writes::refused));

    CHECK(way.import({copy}) == "read_only_disk");
    CHECK(way.import({reflink, hardlink, copy}) == "read_only_disk");

    CHECK(way.has_source());
    REQUIRE(disk->remount(ImageDisk::Writes::allowed));
    CHECK(way.import({copy}) == "copy");
    CHECK(way.has_copy());
  }
}

TEST_CASE("F27, A1-3: downloads that are read-only are imported, and cleaned once they are not") {
  for (const auto& disk : all_disks()) {
    INFO(name_of(disk->kind()));
    const TempFolder home;
    Way way{disk->folder(), home.path()};
    REQUIRE(disk->remount(ImageDisk::Writes::refused));

    CHECK(way.import(kAnyWay) == "copy");
    CHECK(way.clean() == "read_only_disk");
    CHECK(way.clean(CleanBy::trashing) == "no_trash");

    CHECK(way.has_source());
    CHECK(way.has_copy());
    REQUIRE(disk->remount(ImageDisk::Writes::allowed));
    CHECK(way.clean() == "deleted");
    CHECK(way.has_copy());
  }
}
