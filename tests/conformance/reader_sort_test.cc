// Lists of jobs in other orders than by their creation.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// The ids of all pages of this size: "3 2 | 1".
std::string pages(Bench& b, JobFilter filter, std::size_t size = 100) {
  filter.limit = size;
  std::string text;
  for (int page = 0; page < 100; ++page) {
    const JobPage found = b.reader().list(filter);
    for (const Job& job : found.jobs)
      text +=
          (text.empty() || text.ends_with(' ') ? "" : " ") + std::to_string(job.version.id.value);
    if (!found.next) return text;
    text += " | ";
    filter.before = found.next;
    filter.before_key = found.next_key;
  }
  return "endless";
}

std::string without_bars(std::string text) {
  for (std::size_t at = text.find(" | "); at != std::string::npos; at = text.find(" | "))
    text.replace(at, 3, " ");
  return text;
}

}  // namespace

TEST_CASE("by moved, open and ended jobs are in one order, the last move first") {
  Bench b;
  const JobId first = b.add(kBook);  // 1
  b.after(1s);
  b.add(kBook);  // 2
  b.after(1s);
  b.reach(kBook, "failed");  // 3
  b.after(1s);
  REQUIRE(b.ask(first, On::cancel));

  CHECK(pages(b, {.sort = JobSort::moved}) == "1 3 2");
  CHECK(pages(b, {.end = End::open, .sort = JobSort::moved}) == "2");
  CHECK(pages(b, {.sort = JobSort::ended}) == "1 3");
  CHECK(pages(b, {.end = End::bad, .sort = JobSort::ended}) == "3");
}

TEST_CASE("by priority, open jobs are the highest first and then the newest") {
  Bench b;
  for (const int priority : {0, 1, -1, 1, 0})  // 1 to 5
    b.add({.lifecycle = &kBatch, .request = request_for(kBatch), .priority = priority}).value();
  b.reach(kBook, "completed");

  CHECK(pages(b, {.sort = JobSort::priority}) == "4 2 5 1 3");
  CHECK(pages(b, {.sort = JobSort::priority}, 2) == "4 2 | 5 1 | 3");
  CHECK(pages(b, {.state = "completed", .sort = JobSort::priority}).empty());
}

TEST_CASE("sorted pages meet each job once at every size, also if many have the same time") {
  Bench b;
  for (int i = 0; i < 9; ++i) {
    const JobId id = b.add(kBook);
    if (i % 3 == 0) REQUIRE(b.ask(id, On::cancel));
    if (i % 4 == 3) b.after(1s);
  }
  for (const JobSort sort : {JobSort::moved, JobSort::ended, JobSort::priority}) {
    CAPTURE(name(sort));
    const std::string whole = pages(b, {.sort = sort});
    for (std::size_t size = 1; size <= 10; ++size)
      CHECK(without_bars(pages(b, {.sort = sort}, size)) == whole);
  }
}

TEST_CASE("a sorted list takes the other filters: owner, lifecycle and search") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  b.add(kBook);
  const JobId batch =
      b.add({.lifecycle = &kBatch, .owner = ann, .request = R"({"url":"http://h/needle"})"})
          .value()
          .id;
  const std::string only = std::to_string(batch.value);
  CHECK(pages(b, {.owner = ann, .sort = JobSort::moved}) == only);
  CHECK(pages(b, {.lifecycle = "batch", .sort = JobSort::priority}) == only);
  CHECK(pages(b, {.q = "needle", .sort = JobSort::moved}) == only);
}

TEST_CASE("the names of orders are known, and others are none") {
  CHECK(sort_named("ended") == JobSort::ended);
  CHECK_FALSE(sort_named("size"));
  CHECK(sort_names() == "created, moved, ended or priority");
}
