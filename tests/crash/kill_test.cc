// kill -9 of a process that writes, again and again on the same data folder: everything it
// acknowledged is there, and nothing is half written (promises 1 to 5, 13 and 14; F09, F45).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/run/proof.h"
#include "support/store/acknowledged.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr int kRounds = 200;
constexpr unsigned kLinesMax = 250;  // Lines read before the kill; more may arrive until then.

// Starts a victim, reads `lines` lines, kills it, and reads the rest of its output. Returns how it
// ended.
int run_victim(const std::filesystem::path& folder, unsigned seed, unsigned lines,
               Acknowledged& acknowledged) {
  Child victim{{HAUL_VICTIM, folder.string(), std::to_string(seed)}};
  for (unsigned i = 0; i < lines; ++i)
    if (const auto line = victim.line()) acknowledged.hear(*line);
  const int ended = victim.kill();
  while (const auto line = victim.line()) acknowledged.hear(*line);
  return ended;
}

}  // namespace

TEST_CASE(
    "promises 1-5, 13, 14: after each of 200 kills, all that was acknowledged is there, whole") {
  const unsigned seed = seed_of_test();
  INFO("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  const TempFolder folder;
  Acknowledged acknowledged;

  for (int round = 1; round <= kRounds; ++round) {
    INFO("round " << round);
    const unsigned lines = std::uniform_int_distribution<unsigned>{1, kLinesMax}(random);
    const int ended =
        run_victim(folder.path(), static_cast<unsigned>(random()), lines, acknowledged);
    REQUIRE(ended == -SIGKILL);

    Sql sql{folder / "haul.db"};
    using enum Acknowledged::Which;
    const auto lost = acknowledged.missing(sql, round == kRounds ? all : since_last_time);
    REQUIRE_MESSAGE(lost.empty(), joined(lost));
    const std::vector<std::string> broken = broken_invariants(sql);
    REQUIRE_MESSAGE(broken.empty(), joined(broken));
  }

  // A test that read few lines proves little.
  CHECK(acknowledged.heard() >= kRounds * kLinesMax / 3);
  Sql sql{folder / "haul.db"};
  for (const auto& [lifecycle, ended_min] :
       {std::pair{"book", 100}, {"media", 100}, {"batch", 100}, {"relay", 100}, {"image", 100}})
    CHECK_MESSAGE(sql.ask(fmt::format("SELECT count(*) >= {} FROM jobs WHERE lifecycle = '{}' "
                                      "AND \"end\" <> 'open'",
                                      ended_min, lifecycle)) == "1",
                  lifecycle << ": too few have ended");
  CHECK(sql.ask("SELECT count(*) > 100 FROM items WHERE state = 'COMPLETED'") == "1");
  CHECK(sql.ask("SELECT count(*) > 50 FROM credits WHERE kind = 'spend' AND amount > 0") == "1");
}

TEST_CASE("promise 3: a store that was killed opens again, and every job can be read") {
  const TempFolder folder;
  Acknowledged acknowledged;
  REQUIRE(run_victim(folder.path(), 1, kLinesMax, acknowledged) == -SIGKILL);

  const auto store = open_sqlite(folder.path(), {}, from_unix_ms(1'770'000'000'000));

  Sql sql{folder / "haul.db"};
  const auto lost = acknowledged.missing(sql, Acknowledged::Which::all);
  CHECK_MESSAGE(lost.empty(), joined(lost));
  const JobPage page = store->reader().list({.limit = kListMax});
  CHECK(std::to_string(page.jobs.size()) == sql.ask("SELECT count(*) FROM jobs"));
}
