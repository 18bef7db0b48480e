// S1-5, S1-6, F26, F44: one file comes into the library whole, once, and replaces no other.

#include "sink/library/import_file.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "io/file/entries.h"
#include "support/io/library_bench.h"
#include "support/io/small_disk.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using enum library::ImportBy;
using library::ImportBy;

constexpr const char* kText = "the bytes of a film";

struct Import {
  explicit Import(std::vector<ImportBy> by = {copy}) : methods{std::move(by)} {}

  io::PartOwner holder() const { return {kTestStore, JobId{1}, 0, fence}; }

  // Imports as a worker with a new lease does.
  Result<library::LandedFile> run(const SourceFile& source, const io::CopyWatch& watch = {}) {
    ++fence;
    library::LibraryFolders folders{holder()};
    const auto folder = folders.open(b.movies(), "Film");
    if (!folder) return std::unexpected{folder.error()};
    io::PartOwner owner = holder();
    owner.item = 1;
    auto landed = library::import_file(
        b.env(methods), {.source = source, .folder = **folder, .name = "Film.mkv", .owner = owner},
        watch);
    if (landed) REQUIRE(folders.flush());
    return landed;
  }
  std::string code(const SourceFile& source, const io::CopyWatch& watch = {}) {
    const auto landed = run(source, watch);
    return landed ? landed->how : landed.error().code;
  }
  std::string library() const { return LibraryBench::tree(b.movies()); }
  fs::path target() const { return b.movies() / "Film/Film.mkv"; }

  LibraryBench b;
  std::vector<ImportBy> methods;
  std::int64_t fence = 0;
};

std::string in_library(const std::string& text) { return "Film/Film.mkv=" + text; }

// The name of the part of an earlier lease.
std::string old_part(std::int64_t fence) {
  return io::part_name("Film.mkv", {kTestStore, JobId{1}, 1, fence});
}

}  // namespace

TEST_CASE("the methods have names that the configuration uses") {
  for (const ImportBy by : {reflink, hardlink, copy})
    CHECK((library::read_import_by(library::name_of(by)) == by));
  CHECK_FALSE(library::read_import_by("move"));
}

TEST_CASE(
    "S1-5: a copy has the bytes, their hash and the time of the source, and no part is left") {
  Import i;
  const SourceFile source = i.b.download("Film.2020/film.mkv", kText);

  const auto landed = i.run(source);

  REQUIRE(landed);
  CHECK(landed->how == "copy");
  CHECK(landed->sha256 == sha256_hex(kText));
  CHECK(landed->path == i.target().string());
  CHECK(landed->size == source.size);
  CHECK(landed->source == "Film.2020/film.mkv");
  CHECK(i.library() == in_library(kText));
  CHECK((fs::last_write_time(i.target()) ==
         fs::last_write_time(i.b.downloads() / "Film.2020/film.mkv")));
  CHECK(LibraryBench::tree(i.b.downloads()) == std::string{"Film.2020/film.mkv="} + kText);
}

TEST_CASE("F27: a hardlink is the same file under one more name") {
  Import i{{hardlink}};
  const SourceFile source = i.b.download("film.mkv", kText);

  const auto landed = i.run(source);

  REQUIRE(landed);
  CHECK(landed->how == "hardlink");
  CHECK(landed->sha256.empty());
  CHECK(fs::hard_link_count(i.target()) == 2);
  CHECK(fs::equivalent(i.target(), i.b.downloads() / "film.mkv"));
}

TEST_CASE("F27: a refused method gives way to the next one, but only to one that is configured") {
  const TempFolder temp;
  const fs::path root = temp / "disk";
  const SmallDisk disk{root};
  if (!disk.is_there()) return;
  for (const auto& [methods, end] : std::map<std::vector<ImportBy>, std::string>{
           {{hardlink}, "cannot_link"}, {{hardlink, copy}, "copy"}, {{reflink}, "cannot_link"}}) {
    Import i{methods};
    const SourceFile source = i.b.download("film.mkv", kText);
    library::LibraryFolders folders{i.holder()};
    const auto folder = folders.open(root, "Film");
    REQUIRE(folder);

    const auto landed = library::import_file(
        i.b.env(i.methods),
        {.source = source, .folder = **folder, .name = "Film.mkv", .owner = i.holder()}, {});

    CHECK((landed ? landed->how : landed.error().code) == end);
    if (!landed) CHECK((landed.error().kind == FaultKind::environment));
    if (!landed) CHECK(LibraryBench::tree(root) == "Film/");
    fs::remove_all(root / "Film");
  }
}

TEST_CASE("F44: a file that is imported again is adopted, however it came") {
  for (const ImportBy by : {hardlink, copy}) {
    Import i{{by}};
    const SourceFile source = i.b.download("film.mkv", kText);
    REQUIRE(i.run(source));

    const auto again = i.run(source);

    REQUIRE(again);
    CHECK(again->how == "adopted");
    CHECK(again->sha256 == (by == copy ? sha256_hex(kText) : ""));
    CHECK(i.library() == in_library(kText));
  }
}

TEST_CASE("F44: another file in its place is never replaced, and the fault says what to do") {
  const std::string same_size(std::string_view{kText}.size(), 'x');
  for (const std::string& other : {std::string{"short"}, same_size, std::string{}}) {
    Import i{{reflink, hardlink, copy}};
    const SourceFile source = i.b.download("film.mkv", kText);
    LibraryBench::write(i.target(), other);

    const auto landed = i.run(source);

    REQUIRE_FALSE(landed);
    CHECK(landed.error().code == "destination_taken");
    CHECK((landed.error().kind == FaultKind::environment));
    CHECK(landed.error().detail.find("move or delete it") != std::string::npos);
    CHECK(i.library() == in_library(other));
  }
}

TEST_CASE("F29: a link or a folder in its place is another file, even a link to the source") {
  Import i;
  const SourceFile source = i.b.download("film.mkv", kText);
  fs::create_directory(i.b.movies() / "Film");
  fs::create_symlink(i.b.downloads() / "film.mkv", i.target());
  CHECK(i.code(source) == "destination_taken");
  CHECK(fs::is_symlink(i.target()));

  fs::remove(i.target());
  fs::create_directory(i.target());
  CHECK(i.code(source) == "destination_taken");
}

TEST_CASE("a name that another program takes while the file is copied is not replaced") {
  Import i;
  const SourceFile source = i.b.download("film.mkv", kText);
  const auto intrude = [&](const std::string& text) {
    return io::CopyWatch{.progress = [&i, text](std::int64_t) {
      if (!fs::exists(i.target())) LibraryBench::write(i.target(), text);
    }};
  };

  CHECK(i.code(source, intrude("of a user")) == "destination_taken");
  CHECK(i.library() == in_library("of a user"));

  fs::remove(i.target());
  CHECK(i.code(source, intrude(kText)) == "adopted");
  CHECK(i.library() == in_library(kText));
}

TEST_CASE("S1-6: after a crash at any point the next import ends with the same library") {
  for (const char* left : {"empty part", "half a part", "a whole part", "two parts", "in place"}) {
    CAPTURE(left);
    Import i;
    i.fence = 5;
    const SourceFile source = i.b.download("film.mkv", kText);
    const fs::path folder = i.b.movies() / "Film";
    const std::string_view was{left};
    if (was == "empty part") LibraryBench::write(folder / old_part(5), "");
    if (was == "half a part") LibraryBench::write(folder / old_part(5), "the by");
    if (was == "a whole part") LibraryBench::write(folder / old_part(6), kText);
    if (was == "two parts") LibraryBench::write(folder / old_part(4), kText);
    if (was == "two parts") LibraryBench::write(folder / old_part(5), "the");
    if (was == "in place") LibraryBench::write(i.target(), kText);

    CHECK(i.code(source) == (was == "in place" ? "adopted" : "copy"));

    CHECK(i.library() == in_library(kText));
  }
}

TEST_CASE("parts of other jobs, other stores and later leases stay") {
  Import i;
  i.fence = 5;
  const SourceFile source = i.b.download("film.mkv", kText);
  const std::vector<io::PartOwner> others = {
      {kTestStore, JobId{2}, 1, 1}, {"ffffffffffff", JobId{1}, 1, 1}, {kTestStore, JobId{1}, 1, 7}};
  for (const io::PartOwner& other : others)
    LibraryBench::write(i.b.movies() / "Film" / io::part_name("Film.mkv", other), "theirs");

  CHECK(i.code(source) == "copy");

  for (const io::PartOwner& other : others)
    CHECK(fs::exists(i.b.movies() / "Film" / io::part_name("Film.mkv", other)));
}

TEST_CASE("a stopped copy leaves nothing in the library") {
  Import i;
  const SourceFile source = i.b.download("film.mkv", std::string(3U << 20U, 'f'));
  std::stop_source stop;

  CHECK(i.code(source, {.stop = stop.get_token(),
                        .progress = [&](std::int64_t) { stop.request_stop(); }}) == "stopped");
  CHECK(i.library() == "Film/");
  CHECK(i.code(source, {.stop = stop.get_token()}) == "stopped");
}

TEST_CASE("F25: without room nothing is copied, and a link needs none") {
  Import i;
  const SourceFile source = i.b.download("film.mkv", kText);
  io::DiskSpace full{io::KeepFree{std::int64_t{1} << 60U}};
  library::LibraryFolders folders{i.holder()};
  const auto folder = folders.open(i.b.movies(), "Film");
  REQUIRE(folder);
  const auto run = [&](const std::vector<ImportBy>& methods) {
    const auto landed = library::import_file(
        {.methods = methods, .space = full, .clock = i.b.clock, .hashes = i.b.hashes},
        {.source = source, .folder = **folder, .name = "Film.mkv", .owner = i.holder()}, {});
    return landed ? landed->how : landed.error().code;
  };

  CHECK(run({copy}) == "disk_full");
  CHECK(i.library() == "Film/");
  CHECK(run({hardlink, copy}) == "hardlink");
}

TEST_CASE("F25: a disk that is full in the middle of a copy leaves no part") {
  const TempFolder temp;
  const fs::path root = temp / "disk";
  const SmallDisk disk{root};
  if (!disk.is_there()) return;
  Import i;
  const SourceFile source = i.b.download("film.mkv", std::string(3U << 20U, 'f'));
  io::DiskSpace unwatched{io::KeepFree{-(std::int64_t{1} << 40U)}};
  library::LibraryFolders folders{i.holder()};
  const auto folder = folders.open(root, "Film");
  REQUIRE(folder);

  const auto landed = library::import_file(
      {.methods = i.methods, .space = unwatched, .clock = i.b.clock, .hashes = i.b.hashes},
      {.source = source, .folder = **folder, .name = "Film.mkv", .owner = i.holder()}, {});

  REQUIRE_FALSE(landed);
  CHECK(landed.error().code == "disk_full");
  CHECK(LibraryBench::tree(root) == "Film/");
}

TEST_CASE("a source that is gone, changed or a link is not imported") {
  Import i;
  const SourceFile source = i.b.download("film.mkv", kText);
  const fs::path path = i.b.downloads() / "film.mkv";

  LibraryBench::write(path, "other bytes");
  CHECK(i.code(source) == "source_changed");
  fs::remove(path);
  CHECK(i.code(source) == "source_missing");
  LibraryBench::write(i.b.downloads() / "real.mkv", kText);
  fs::create_symlink("real.mkv", path);
  CHECK(i.code(source) == "source_changed");
  CHECK(i.library() == "Film/");
}

TEST_CASE("a source whose disk is not mounted is waited for") {
  Import i;
  SourceFile source = i.b.download("film.mkv", kText);
  fs::remove(i.b.downloads() / "film.mkv");

  source.device += 1;
  const auto landed = i.run(source);
  REQUIRE_FALSE(landed);
  CHECK(landed.error().code == "root_not_mounted");
  CHECK((landed.error().kind == FaultKind::environment));

  LibraryBench::write(i.b.downloads() / "other", "");
  CHECK(i.code(source) == "source_missing");
}

TEST_CASE("a library root is never made, and no link below it is followed") {
  Import i;
  const SourceFile source = i.b.download("film.mkv", kText);
  fs::create_directory_symlink(i.b.downloads(), i.b.movies() / "Film");
  CHECK(i.code(source) == "bad_library_folder");
  CHECK(LibraryBench::tree(i.b.downloads()) == std::string{"film.mkv="} + kText);

  fs::remove_all(i.b.movies());
  CHECK(i.code(source) == "folder_gone");
  CHECK_FALSE(fs::exists(i.b.movies()));
}

}  // namespace haul::testing
