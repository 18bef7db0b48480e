// How many jobs a page reads, on tables that are larger than a test could fill through the store.

#include "store/sqlite/list.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

#include "store/sqlite/migrate.h"

using namespace haul;
using namespace haul::sqlite;

namespace {

// A database without the trigger jobs_birth, so that a script can insert jobs in any state.
class Table {
 public:
  Table() {
    migrate(db_, all_migrations(), [](int) {});
    sync_lifecycles(db_);
    add_initial_rows(db_, from_unix_ms(1));
    db_.script("DROP TRIGGER jobs_birth");
  }

  // Adds jobs `first` to `last`, all with the same lifecycle, state and end: "book completed good".
  void fill(std::int64_t first, std::int64_t last, std::string_view what, int owner = 1) {
    const std::size_t a = what.find(' ');
    const std::size_t b = what.rfind(' ');
    db_.script(fmt::format(R"(
WITH RECURSIVE ids (id) AS (SELECT {0} UNION ALL SELECT id + 1 FROM ids WHERE id < {1})
INSERT INTO jobs (id, lifecycle, state, "end", seq, fence, attempt, owner, lane, paused, due_at,
                  ended_at, created_at, moved_at)
SELECT id, '{2}', '{3}', '{4}', 0, 0, 0, {5}, '{2}', 0, iif('{4}' = 'open', 1, NULL),
       iif('{4}' = 'open', NULL, 1), 1, 1
  FROM ids;)",
                           first, last, what.substr(0, a), what.substr(a + 1, b - a - 1),
                           what.substr(b + 1), owner));
  }

  // The ids of all pages: "3 2 (next 2) 1 ".
  std::string pages(JobFilter filter) {
    std::string text;
    for (int page = 0; page < 10; ++page) {
      const JobPage found = list_jobs(db_, filter);
      for (const Job& job : found.jobs) text += fmt::format("{} ", job.version.id.value);
      if (!found.next) break;
      text += fmt::format("(next {}) ", found.next.value);
      filter.before = found.next;
      filter.before_key = found.next_key;
    }
    return text;
  }
  void set_priority(std::int64_t first, std::int64_t last, int priority) {
    db_.script(fmt::format(
        R"(UPDATE jobs SET priority = {} WHERE id BETWEEN {} AND {} AND "end" = 'open')", priority,
        first, last));
  }

 private:
  Connection db_{":memory:", OpenFor::writing};
};

constexpr std::string_view kDone = "book completed good";
constexpr std::string_view kStopped = "relay CANCELLED stopped";
constexpr std::string_view kWaiting = "book queued open";
constexpr std::string_view kFailed = "book failed bad";

}  // namespace

TEST_CASE("promise 17: a page looks through 100,000 jobs, then says where to go on") {
  Table table;
  table.fill(1, 2, kStopped);
  table.fill(3, 100'001, kDone);
  CHECK(table.pages({.lifecycle = "relay"}) == "2 (next 2) 1 ");

  table.fill(100'002, 100'002, kDone);

  CHECK(table.pages({.lifecycle = "relay"}) == "(next 3) 2 1 ");
  CHECK(table.pages({.end = End::stopped}) == "(next 3) 2 1 ");
}

TEST_CASE("a gap in the ids, which only another hand can make, costs no pages") {
  Table table;
  table.fill(1, 2, kStopped);
  table.fill(1'000'000'000'000'000, 1'000'000'000'000'001, kDone);

  CHECK(table.pages({.lifecycle = "relay"}) == "(next 3) 2 1 ");
}

TEST_CASE("the largest id there can be does no harm") {
  Table table;
  table.fill(1, 1, kDone);
  table.fill(9'223'372'036'854'775'807, 9'223'372'036'854'775'807, kDone);

  CHECK(table.pages({.q = "9223372036854775806"}).empty());
  CHECK(table.pages({.before = {2}}) == "1 ");
}

TEST_CASE("F24: a job in a state that no table has is a fault, also to a page of outcomes") {
  Table table;
  table.fill(1, 1, "book nowhere good");

  CHECK_THROWS_AS(table.pages({}), StoreFault);
  CHECK_THROWS_AS(table.pages({.outcome = Outcome::whole}), StoreFault);
}

TEST_CASE("promise 17: of one owner's jobs 100,000 are looked through, however far apart") {
  Table table;
  table.fill(1, 2, kStopped, 2);
  table.fill(3, 200'000, kDone);
  CHECK(table.pages({.lifecycle = "relay", .owner = UserId{2}}) == "2 1 ");

  table.fill(200'001, 300'000, kDone, 2);

  CHECK(table.pages({.lifecycle = "relay", .owner = UserId{2}}) == "(next 3) 2 1 ");
  CHECK(table.pages({.owner = UserId{2}, .before = {200'002}}) == "200001 2 1 ");
}

TEST_CASE("a few open jobs are found at once behind any number of ended ones") {
  Table table;
  table.fill(1, 3, kWaiting);
  table.fill(4, 150'000, kDone);

  CHECK(table.pages({.end = End::open}) == "3 2 1 ");
  CHECK(table.pages({.state = "QUEUED"}) == "3 2 1 ");
  CHECK(table.pages({.end = End::open, .limit = 2}) == "3 2 (next 2) 1 ");
  CHECK(table.pages({.end = End::open, .owner = UserId{2}}).empty());
}

TEST_CASE("10,000 open jobs are sorted, of more the newest jobs are looked through") {
  Table table;
  table.fill(1, 10'000, kWaiting);
  table.fill(10'001, 110'001, kDone);
  CHECK(table.pages({.end = End::open, .before = {3}}) == "2 1 ");
  CHECK(table.pages({.end = End::open, .limit = 1}).starts_with("10000 (next 10000) 9999 "));

  table.fill(110'002, 110'002, kWaiting);

  CHECK(table.pages({.end = End::open, .limit = 1})
            .starts_with("110002 (next 10003) 10000 (next 10000) "));
}

TEST_CASE(
    "by priority, 10,000 open jobs are sorted, of more 20,000 jobs a page are looked through") {
  Table table;
  table.fill(1, 10'000, kWaiting);
  table.fill(10'001, 40'000, kDone);
  table.set_priority(2, 2, 1);
  table.set_priority(1, 1, -1);
  const JobFilter by_priority{.limit = 1, .sort = JobSort::priority};
  CHECK(table.pages(by_priority).starts_with("2 (next 2) 10000 (next 10000) 9999 "));

  table.fill(40'001, 40'001, kWaiting);

  CHECK(table.pages(by_priority)
            .starts_with("2 (next 2) 40001 (next 20002) 10000 (next 10000) 9999 "));
  table.set_priority(3, 40'001, -1);
  CHECK(table.pages({.limit = 2, .sort = JobSort::priority})
            .starts_with("2 (next 20003) (next 3) 40001 10000 (next 10000) "));
}

TEST_CASE("a few failures are found at once behind any number of good ends") {
  Table table;
  table.fill(1, 2, kFailed);
  table.fill(3, 3, "media failed bad");
  table.fill(4, 150'000, kDone);

  CHECK(table.pages({.end = End::bad}) == "3 2 1 ");
  CHECK(table.pages({.end = End::bad, .limit = 1}) == "3 (next 3) 2 (next 2) 1 ");
  CHECK(table.pages({.lifecycle = "book", .state = "failed"}) == "2 1 ");
}

TEST_CASE("promise 17: of failures that another user has 100,000 are looked through") {
  Table table;
  table.fill(1, 1, kFailed, 2);
  table.fill(2, 100'001, kFailed);

  CHECK(table.pages({.end = End::bad, .owner = UserId{2}}) == "(next 2) 1 ");
}
