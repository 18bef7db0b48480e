// F24: haul detects a damaged file. Whatever is in it, haul answers with a fault, not a crash.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include "store/sqlite/sqlite.h"
#include "support/process/process.h"
#include "support/run/proof.h"
#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr int kPage = 4096;

void fill(Bench& b) {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states) b.reach(*table, state.name);
}

void overwrite(const fs::path& file, std::int64_t at, const std::string& bytes) {
  std::fstream out{file, std::ios::in | std::ios::out | std::ios::binary};
  out.seekp(at);
  out << bytes;
}

// Opens the store and does a bit of everything. True if no call reported a fault and a job that was
// added is there.
bool works(const fs::path& folder) {
  try {
    Bench b{open_sqlite(folder, {}, Bench::kStart)};
    b.reader().list({.limit = kListMax});
    b.reader().stuck(default_stuck_rules(), b.now(), 100);
    b.store().events().after({}, kListMax);
    const JobId added = b.add(kBook);
    if (!b.reader().find(added)) return false;  // The index of the jobs is damaged.
    b.ask(added, On::started);
    b.jobs().claim({.lifecycle = &kRelay, .worker = b.worker(), .limit = 100}, b.now());
  } catch (const std::runtime_error&) {  // A StoreFault, or a refusal that Bench does not expect.
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE(
    "F24: a flipped bit anywhere in the file ends in a fault or in nothing, never in a crash") {
  const unsigned seed = seed_of_test();
  INFO("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  const StoppedStore store{fill};
  const std::string good = read_bytes(store.file());
  const TempFolder folder;
  REQUIRE(works(store.file().parent_path()));
  int noticed = 0;

  for (int i = 0; i < 150; ++i) {
    const std::size_t at = std::uniform_int_distribution<std::size_t>{0, good.size() - 1}(random);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << std::uniform_int_distribution{0, 7}(random)));
    for (const auto& entry : fs::directory_iterator{folder.path()}) fs::remove_all(entry);
    std::ofstream{folder / "haul.db", std::ios::binary} << bad;
    INFO("byte " << at);
    noticed += works(folder.path()) ? 0 : 1;
  }

  CHECK(noticed > 0);
}

TEST_CASE("F24: a file without its last page is not opened as if it were whole") {
  const StoppedStore store{fill};
  fs::resize_file(store.file(), fs::file_size(store.file()) - kPage);

  CHECK(!works(store.file().parent_path()));
}

TEST_CASE(
    "F24: after an unclean stop, an index that rotted is found out when the store is opened") {
  const TempFolder folder;
  {
    Child victim{{HAUL_VICTIM, folder.path().string(), "7"}};
    for (int i = 0; i < 100; ++i) REQUIRE(victim.line());
  }
  // The shell checkpoints the log into the file. Then a second victim is killed while it has the
  // store open.
  const Finished root =
      run_program({"sqlite3", (folder / "haul.db").string(),
                   "PRAGMA wal_checkpoint; SELECT rootpage FROM sqlite_schema WHERE name = "
                   "'jobs_leased'"});
  REQUIRE(root.code == 0);
  const auto page = std::stoll(root.out.substr(root.out.find('\n') + 1));
  {
    Child victim{{HAUL_VICTIM, folder.path().string(), "hold"}};
    REQUIRE(victim.line() == "held");
  }
  REQUIRE(fs::exists(folder / "haul.db-wal"));
  overwrite(folder / "haul.db", (page - 1) * kPage + kPage / 2, std::string(kPage / 2, '\x7f'));
  REQUIRE(run_program({"sqlite3", (folder / "haul.db").string(), "PRAGMA quick_check"}).out !=
          "ok\n");

  CHECK_THROWS_AS(open_sqlite(folder.path(), {}, Bench::kStart), StoreFault);
}
