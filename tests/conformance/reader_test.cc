// Reading jobs: lists that miss none and repeat none, and both sides of every threshold.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string ids(const std::vector<Job>& jobs) {
  std::string text;
  for (const Job& job : jobs)
    text += (text.empty() ? "" : " ") + std::to_string(job.version.id.value);
  return text;
}

std::string listed(Bench& b, const JobFilter& filter) { return ids(b.reader().list(filter).jobs); }

// Every id that a filter finds, over all pages.
std::vector<std::int64_t> all_pages(Bench& b, JobFilter filter) {
  std::vector<std::int64_t> found;
  for (int page = 0; page < 1000; ++page) {
    const JobPage jobs = b.reader().list(filter);
    for (const Job& job : jobs.jobs) found.push_back(job.version.id.value);
    if (!jobs.next) break;
    filter.before = jobs.next;
  }
  return found;
}

JobId add(Bench& b, NewJob job) {
  job.request = request_for(*job.lifecycle);
  return b.add(job).value().id;
}

}  // namespace

TEST_CASE("a job and its request are found by id, and only by that") {
  Bench b;
  const JobId id = b.add(kBook);

  CHECK(b.reader().find(id).has_value());
  CHECK(b.reader().request(id) == request_for(kBook, 1));
  for (const std::int64_t other : {0, -1, 99}) {
    CHECK_FALSE(b.reader().find(JobId{other}).has_value());
    CHECK_FALSE(b.reader().request(JobId{other}).has_value());
  }
}

TEST_CASE("a list by category has the jobs whose requests name it, whatever else they contain") {
  Bench b;
  const auto request = [](const std::string& more) {
    return R"({"category":)" + more + R"("url":"http://h/a"})";
  };
  for (const std::string& body :
       {request(R"("films",)"), request(R"("music",)"), std::string{R"({"url":"http://h/a"})"},
        std::string{R"({"limits":{"category":"films"},"url":"http://h/a"})"},
        std::string{R"({"category":7,"x":{"category":"films"}})"}, request(R"("films",)")})
    REQUIRE(b.add(NewJob{.lifecycle = &kBatch, .request = body}).has_value());

  CHECK(listed(b, {.category = "films"}) == "6 1");
  CHECK(listed(b, {.category = "music"}) == "2");
  CHECK(listed(b, {.category = "none"}).empty());
  CHECK(listed(b, {.lifecycle = "book", .category = "films"}).empty());
  CHECK(listed(b, {.end = End::good, .category = "films"}).empty());
  CHECK(listed(b, {.category = "films", .q = "1"}) == "1");
  CHECK(listed(b, {.category = "music", .q = "1"}).empty());
  CHECK(all_pages(b, {.category = "films", .limit = 1}) == std::vector<std::int64_t>{6, 1});
  CHECK(listed(b, {.category = "films", .sort = JobSort::moved}) == "6 1");
}

TEST_CASE("S0-26: paging from the newest meets each job once, at every page size") {
  Bench b;
  std::vector<std::int64_t> expected;
  for (int i = 0; i < 45; ++i) expected.insert(expected.begin(), b.add(kBook).value);

  for (const std::size_t limit : {1UL, 2UL, 9UL, 20UL, 44UL, 45UL, 46UL, 1000UL})
    CHECK(all_pages(b, {.limit = limit}) == expected);
}

TEST_CASE("S0-26: a page is as long as asked, 20 by default; the last one says so") {
  Bench b;
  for (int i = 0; i < 20; ++i) b.add(kBook);

  CHECK(b.reader().list({}).jobs.size() == 20);
  CHECK_FALSE(bool{b.reader().list({}).next});
  b.add(kBook);
  CHECK(b.reader().list({}).jobs.size() == 20);
  CHECK((b.reader().list({}).next == JobId{2}));
  CHECK(b.reader().list({.limit = 0}).jobs.size() == 1);
}

TEST_CASE("a job added between two pages shifts none of the rest") {
  Bench b;
  for (int i = 0; i < 6; ++i) b.add(kBook);
  const JobPage first = b.reader().list({.limit = 3});

  b.add(kBook);

  CHECK(ids(first.jobs) == "6 5 4");
  CHECK(listed(b, {.before = first.next, .limit = 3}) == "3 2 1");
}

TEST_CASE("promise 17: no page is longer than 1,000") {
  Bench b;
  std::vector<NewJob> jobs(1001, {.lifecycle = &kBook, .request = "{}"});
  b.jobs().add(jobs, b.now());

  const JobPage page = b.reader().list({.limit = 5000});

  CHECK(page.jobs.size() == 1000);
  CHECK((page.next == JobId{2}));
}

TEST_CASE("filters narrow by lifecycle, state (in any case), end and owner, alone and together") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  b.reach(kBook, "downloading");                                     // 1
  b.reach(kRelay, "DOWNLOADING");                                    // 2
  b.reach(kBook, "failed");                                          // 3
  b.reach(kRelay, "FAILED");                                         // 4
  b.reach(kImage, "failed");                                         // 5: open, it waits.
  b.reach(kBook, "completed");                                       // 6
  b.reach(kBook, "canceled");                                        // 7
  add(b, {.lifecycle = &kBook, .owner = ann});                       // 8
  const JobId theirs = add(b, {.lifecycle = &kBook, .owner = ann});  // 9
  REQUIRE(b.ask(theirs, On::fail).has_value());

  CHECK(listed(b, {.lifecycle = "book"}) == "9 8 7 6 3 1");
  CHECK(listed(b, {.state = "downloading"}) == "2 1");
  CHECK(listed(b, {.state = "DownLoading"}) == "2 1");
  CHECK(listed(b, {.lifecycle = "relay", .state = "downloading"}) == "2");
  CHECK(listed(b, {.state = "FAILED"}) == "9 5 4 3");
  CHECK(listed(b, {.end = End::open}) == "8 5 2 1");
  CHECK(listed(b, {.end = End::good}) == "6");
  CHECK(listed(b, {.end = End::bad}) == "9 4 3");
  CHECK(listed(b, {.end = End::stopped}) == "7");
  CHECK(listed(b, {.lifecycle = "book", .end = End::bad}) == "9 3");
  CHECK(listed(b, {.lifecycle = "image", .state = "failed", .end = End::bad}).empty());
  CHECK(listed(b, {.owner = ann}) == "9 8");
  CHECK(listed(b, {.end = End::bad, .owner = ann}) == "9");
  CHECK(listed(b, {.lifecycle = "book", .end = End::bad, .owner = kAdmin}) == "3");
  CHECK(listed(b, {.lifecycle = "book", .owner = kAdmin, .limit = 2}) == "7 6");
  CHECK(listed(b, {.lifecycle = "nothing"}).empty());
  CHECK(listed(b, {.owner = UserId{99}}).empty());
}

TEST_CASE("filtered lists page without gap or repeat, on each way the store may look them up") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  std::vector<std::int64_t> bad_of_ann;
  for (int i = 0; i < 30; ++i) {
    const JobId id = add(b, {.lifecycle = &kBook, .owner = i % 2 ? ann : kAdmin});
    if (i % 3 == 0) continue;
    REQUIRE(b.ask(id, On::fail).has_value());
    if (i % 2) bad_of_ann.insert(bad_of_ann.begin(), id.value);
  }

  for (const std::size_t limit : {1UL, 3UL, 10UL, 100UL}) {
    CHECK(all_pages(b, {.end = End::bad, .owner = ann, .limit = limit}) == bad_of_ann);
    CHECK(all_pages(b, {.lifecycle = "book", .end = End::bad, .owner = ann, .limit = limit}) ==
          bad_of_ann);
    CHECK(all_pages(b, {.state = "FAILED", .owner = ann, .limit = limit}) == bad_of_ann);
  }
}

TEST_CASE(
    "due: open, unleased, not paused, due by now; the longest first, one lane, any lifecycle") {
  Bench b;
  add(b, {.lifecycle = &kBook, .lane = "l", .due_at = b.now()});        // 1
  add(b, {.lifecycle = &kMedia, .lane = "l", .due_at = b.now() - 1s});  // 2
  add(b, {.lifecycle = &kBook, .lane = "l", .due_at = b.now() + 1ms});  // 3
  add(b, {.lifecycle = &kBook, .lane = "l", .paused = true});           // 4
  const JobId leased = add(b, {.lifecycle = &kRelay, .lane = "l"});     // 5
  const JobId ended = add(b, {.lifecycle = &kBook, .lane = "l"});       // 6
  add(b, {.lifecycle = &kBook, .lane = "other"});                       // 7
  REQUIRE(b.ask(leased, On::claim).has_value());
  REQUIRE(b.ask(ended, On::fail).has_value());

  CHECK(ids(b.reader().due("l", b.now(), 10)) == "2 1");
  CHECK(ids(b.reader().due("l", b.now(), 1)) == "2");
  CHECK(ids(b.reader().due("l", b.now() + 1ms, 10)) == "2 1 3");
  CHECK(b.reader().due("l", b.now() - 2s, 10).empty());
  CHECK(b.reader().due("nowhere", b.now(), 10).empty());
}

TEST_CASE(
    "lanes: those with something due, by name; a waiting, paused or leased one is not there") {
  Bench b;
  CHECK(b.reader().lanes("", b.now(), 10).lanes.empty());
  for (const char* lane : {"b", "a", "b", "c"}) add(b, {.lifecycle = &kBook, .lane = lane});
  add(b, {.lifecycle = &kBook, .lane = "later", .due_at = b.now() + 1ms});
  add(b, {.lifecycle = &kBook, .lane = "paused", .paused = true});
  const JobId leased = add(b, {.lifecycle = &kRelay, .lane = "leased"});
  REQUIRE(b.ask(leased, On::claim).has_value());

  CHECK(b.reader().lanes("", b.now(), 10).lanes == std::vector<std::string>{"a", "b", "c"});
  CHECK(b.reader().lanes("", b.now(), 2).lanes == std::vector<std::string>{"a", "b"});
  CHECK(b.reader().lanes("", b.now() + 1ms, 10).lanes ==
        std::vector<std::string>{"a", "b", "c", "later"});
}

TEST_CASE(
    "next_due: the earliest of all that can be looked at, over all lanes; none if there is none") {
  Bench b;
  CHECK_FALSE(b.reader().next_due().has_value());
  add(b, {.lifecycle = &kBook, .lane = "a", .due_at = b.now() + 9s});
  add(b, {.lifecycle = &kBook, .lane = "z", .due_at = b.now() + 5s});
  add(b, {.lifecycle = &kBook, .lane = "p", .due_at = b.now() + 1s, .paused = true});
  CHECK((b.reader().next_due() == b.now() + 5s));

  const JobId leased = add(b, {.lifecycle = &kRelay});
  CHECK((b.reader().next_due() == b.now()));
  REQUIRE(b.ask(leased, On::claim).has_value());
  CHECK((b.reader().next_due() == b.now() + 5s));
}

TEST_CASE("S3-14: a job has expired at its time, not 1 ms before; oldest first, open ones only") {
  Bench b;
  add(b, {.lifecycle = &kRelay, .expires_at = b.now() + 2s});
  add(b, {.lifecycle = &kRelay, .expires_at = b.now() + 1s});
  const JobId ended = add(b, {.lifecycle = &kRelay, .expires_at = b.now()});
  add(b, {.lifecycle = &kRelay});
  REQUIRE(b.ask(ended, On::cancel).has_value());

  CHECK(b.reader().expired(b.now() + 999ms, 10).empty());
  CHECK(ids(b.reader().expired(b.now() + 1s, 10)) == "2");
  CHECK(ids(b.reader().expired(b.now() + 2s, 10)) == "2 1");
  CHECK(ids(b.reader().expired(b.now() + 2s, 1)) == "2");
}

TEST_CASE("leased: what a worker holds, by id, after an id, at most the limit") {
  Bench b;
  b.reach(kRelay, "CLAIMED");
  b.reach(kBook, "downloading");
  b.reach(kBatch, "RUNNING");
  b.reach(kRelay, "FAILED");
  const WorkerId other = b.store().workers().enlist("other", b.now());

  CHECK(ids(b.reader().leased(b.worker(), {}, 10)) == "1 3");
  CHECK(ids(b.reader().leased(b.worker(), {}, 1)) == "1");
  CHECK(ids(b.reader().leased(b.worker(), JobId{1}, 10)) == "3");
  CHECK(ids(b.reader().leased(b.worker(), JobId{2}, 10)) == "3");
  CHECK(b.reader().leased(b.worker(), JobId{3}, 10).empty());
  CHECK(b.reader().leased(other, {}, 10).empty());
}

TEST_CASE("leased: a worker's 1,001st job is on the second page") {
  Bench b;
  const std::vector<NewJob> jobs(kListMax + 1, {.lifecycle = &kRelay, .request = "{}"});
  b.jobs().add(jobs, b.now());
  REQUIRE(b.jobs().claim({&kRelay, "", b.worker(), jobs.size(), 0}, b.now()).size() == jobs.size());

  const std::vector<Job> first = b.reader().leased(b.worker(), {}, 2 * kListMax);
  REQUIRE(first.size() == kListMax);
  const std::vector<Job> second =
      b.reader().leased(b.worker(), first.back().version.id, 2 * kListMax);

  REQUIRE(second.size() == 1);
  CHECK((second.front().version.id == JobId{1'001}));
}
