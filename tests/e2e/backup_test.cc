// `haul backup`: complete, self-contained copies, also of a store that is being written (Z-23,
// F56).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "store/sqlite/sqlite.h"
#include "support/io/small_disk.h"
#include "support/process/process.h"
#include "support/store/invariants.h"
#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr fs::perms kOwnerOnly = fs::perms::owner_read | fs::perms::owner_write;

std::string refusal(const fs::path& folder, const fs::path& file) {
  try {
    backup_sqlite(folder, file);
  } catch (const StoreFault& fault) {
    return fault.what();
  }
  return "it was allowed";
}

// The copy has a folder to itself, so that the test sees any other file left beside it.
struct Target {
  TempFolder folder;
  fs::path file = folder / "copy.db";

  std::string names() const {
    std::string text;
    for (const auto& entry : fs::directory_iterator{folder.path()})
      text += entry.path().filename().string() + " ";
    return text;
  }
};

// One file, for its owner only, not in WAL mode (bytes 18 and 19 of the header), and sound.
void check_copy(const Target& target) {
  CHECK(target.names() == "copy.db ");
  CHECK(fs::status(target.file).permissions() == kOwnerOnly);
  CHECK(read_bytes(target.file).substr(18, 2) == "\x01\x01");
  Sql copy{target.file};
  const std::vector<std::string> broken = broken_invariants(copy);
  CHECK_MESSAGE(broken.empty(), broken.front());
}

std::string no_space_for(const fs::path& file) {
  return "haul: cannot write " + file.string() +
         ": no space left; free space there, or choose a file on another disk\n";
}

std::int64_t jobs_in(const fs::path& file) {
  Sql sql{file};
  return std::stoll(sql.ask("SELECT count(*) FROM jobs"));
}

}  // namespace

TEST_CASE(
    "Z-23: a backup of a store that is being written is consistent, and misses nothing told") {
  const TempFolder folder;
  Bench bench{open_sqlite(folder.path(), {}, Bench::kStart)};
  std::atomic<std::int64_t> added = 0;
  std::jthread writer{[&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const JobId job = bench.add(kBook);
      ++added;
      bench.ask(job, On::started);
      bench.reach(kBatch, "COMPLETED");
      ++added;
    }
  }};

  for (int i = 0; i < 20; ++i) {
    const Target target;
    while (added < 4 * (i + 1)) std::this_thread::yield();
    const std::int64_t before = added;

    backup_sqlite(folder.path(), target.file);

    CHECK(jobs_in(target.file) >= before);
    check_copy(target);
  }
}

TEST_CASE("Z-23: a backup of a stopped store holds all of it") {
  const StoppedStore store{[](Bench& b) { b.reach(kBook, "downloading"); }};
  const Target target;

  backup_sqlite(store.file().parent_path(), target.file);

  CHECK(jobs_in(target.file) == 1);
  check_copy(target);
}

TEST_CASE("Z-23: a backup after kill -9 holds what is in the log only") {
  const TempFolder folder;
  {
    Child victim{{HAUL_VICTIM, folder.path().string(), "5"}};
    for (int i = 0; i < 40; ++i) REQUIRE(victim.line());
  }
  REQUIRE(fs::file_size(folder / "haul.db-wal") > 0);
  const Target target;

  backup_sqlite(folder.path(), target.file);

  CHECK(jobs_in(target.file) > 0);
  CHECK(jobs_in(target.file) == jobs_in(folder / "haul.db"));
  check_copy(target);
}

TEST_CASE("Z-23: a backup never replaces a file, a folder or a link that leads nowhere") {
  const StoppedStore store{[](Bench& b) { b.add(kBook); }};
  const fs::path folder = store.file().parent_path();
  const Target target;
  std::ofstream{target.file} << "precious";
  fs::create_directory(target.folder / "folder");
  fs::create_symlink("nowhere", target.folder / "link");

  for (const char* name : {"copy.db", "folder", "link"})
    CHECK_MESSAGE(refusal(folder, target.folder / name).find("exists") != std::string::npos,
                  std::string{name});

  CHECK(read_bytes(target.file) == "precious");
  CHECK(fs::is_empty(target.folder / "folder"));
  CHECK(fs::read_symlink(target.folder / "link") == "nowhere");
  CHECK(refusal(folder, store.file()).find("exists") != std::string::npos);
}

TEST_CASE("Z-23: a backup that cannot be made leaves nothing behind") {
  const StoppedStore store{[](Bench& b) { b.add(kBook); }};
  const TempFolder empty;
  const Target target;

  CHECK(refusal(empty.path(), target.file).find("there is no") != std::string::npos);
  CHECK(refusal(store.file().parent_path(), target.folder / "missing" / "copy.db") !=
        "it was allowed");
  CHECK(target.names().empty());
}

TEST_CASE("F24: a damaged store is not taken for a backup, and nothing is left behind") {
  const StoppedStore store{[](Bench& b) {
    for (int i = 0; i < 50; ++i) b.add(kBook);
  }};
  {
    // Overwrites the root page of an index: the pages stay readable, but the tree is broken.
    const auto page =
        std::stoll(store.answer("SELECT rootpage FROM sqlite_schema WHERE name = 'jobs_due'"));
    std::fstream file{store.file(), std::ios::in | std::ios::out | std::ios::binary};
    file.seekp((page - 1) * 4096 + 100);
    file << std::string(2000, '\x7f');
  }
  const Target target;

  CHECK(refusal(store.file().parent_path(), target.file) != "it was allowed");
  CHECK(target.names().empty());
}

TEST_CASE("F25: a backup that runs out of room says so, and leaves nothing behind") {
  const StoppedStore store{[](Bench& b) { b.add(kBook); }};
  const Target target;

  // No file may grow past 64 KiB: SQLite can open the store, and cannot write the whole copy.
  const Finished finished =
      run_program({"sh", "-c", "trap '' XFSZ; ulimit -f 128; exec \"$@\"", "sh", HAUL_BINARY,
                   "backup", target.file.string(), "--data", store.file().parent_path().string()});

  CHECK(finished.code == 1);
  CHECK(finished.err == no_space_for(target.file));
  CHECK(target.names().empty());
}

TEST_CASE("F25: a backup to a disk that is full names the file, and leaves nothing behind") {
  const StoppedStore store{[](Bench& b) { b.add(kBook); }};
  const Target target;
  const SmallDisk disk{target.folder.path(), "size=64k"};
  if (!disk.is_there()) return;
  const auto backup = [&] {
    return run_program({HAUL_BINARY, "backup", target.file.string(), "--data",
                        store.file().parent_path().string()});
  };

  const Finished finished = backup();

  CHECK(finished.code == 1);
  CHECK(finished.err == no_space_for(target.file));
  CHECK(target.names().empty());
  REQUIRE(disk.change(SmallDisk::Writing::allowed, "size=16m"));
  CHECK(backup().code == 0);
  check_copy(target);
}

TEST_CASE("Z-23: a part left by a backup that was killed does not stand in the way") {
  const StoppedStore store{[](Bench& b) { b.add(kBook); }};
  const Target target;
  std::ofstream{target.file.string() + ".part"} << "half a file";

  backup_sqlite(store.file().parent_path(), target.file);

  check_copy(target);
}
