// Retention on a real disk: how fast it is, and how long it keeps the store's one writer.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "flow/worker/retain.h"
#include "store/sqlite/sqlite.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// The events of its ended job are old enough to go; time passes as it does.
class OldClock final : public Clock {
 public:
  Time now() const override { return Bench::kStart + 24h * 91; }
  Steady steady() const override { return system_clock().steady(); }
};

// Adds notes to the newest event of the first job. The store is closed meanwhile.
void add_notes(const std::filesystem::path& file, int count) {
  const std::string sql = fmt::format(
      "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {}) "
      "INSERT INTO events (job, seq, n, type, at, data) "
      "SELECT 1, (SELECT max(seq) FROM events WHERE job = 1), 1000 + i, 'LOG', {}, "
      "'{{\"message\":\"a line of a program\"}}' FROM numbers",
      count, Bench::kStart.time_since_epoch().count());
  const Finished added = run_program({"sqlite3", file.string(), sql});
  REQUIRE_MESSAGE(added.code == 0, added.err);
}

}  // namespace

TEST_CASE("SX-7: old events go (proof: 10,000 a second, in steps of 50 ms at most)" *
          doctest::test_suite("proof alone")) {
  const int notes = rounds(5'000, 300'000);
  const TempFolder folder;
  {
    Bench b{open_sqlite(folder.path(), {}, Bench::kStart)};
    REQUIRE(b.reach(kBook, "failed") == JobId{1});
  }
  add_notes(folder / "haul.db", notes);
  Bench b{open_sqlite(folder.path(), {}, Bench::kStart)};
  b.add(kBook);
  const OldClock clock;
  flow::Retention retention{b.store(), clock};
  const auto before = [&](Millis age) { return std::optional{clock.now() - age}; };
  const auto is_done = [&] { return b.store().events().after({}, 1).front().job != JobId{1}; };

  const Steady began = clock.steady();
  Millis longest{0};
  for (int i = 0; i < 100'000 && !is_done(); ++i) {
    const Steady step = clock.steady();
    retention.run(before, [] { return true; });
    longest = std::max(longest, clock.steady() - step);
    let_pass(1ms);
  }

  const std::chrono::duration<double> took = clock.steady() - began;
  MESSAGE(fmt::format("{} events in {:.2f} s; longest step {} ms", notes, took.count(),
                      longest.count()));
  CHECK(is_done());
  CHECK(is_within(took.count(), notes / 10'000.0));
  CHECK(is_within(longest, 50ms));
}

}  // namespace haul::testing
