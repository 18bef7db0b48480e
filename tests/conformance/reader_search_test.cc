// Lists of jobs by search text and by being stuck, and pages that end after a bounded number of
// rows read.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

std::string listed(Bench& b, const JobFilter& filter) {
  std::string text;
  for (const Job& job : b.reader().list(filter).jobs)
    text += (text.empty() ? "" : " ") + std::to_string(job.version.id.value);
  return text;
}

struct Pages {
  std::vector<std::int64_t> ids;
  int pages = 0;
};

Pages all_pages(Bench& b, JobFilter filter) {
  Pages found;
  for (; found.pages < 1000; ++found.pages) {
    const JobPage page = b.reader().list(filter);
    for (const Job& job : page.jobs) found.ids.push_back(job.version.id.value);
    if (!page.next) break;
    CHECK((!filter.before || page.next < filter.before));
    filter.before = page.next;
  }
  return found;
}

JobId add(Bench& b, const std::string& request, UserId owner = kAdmin) {
  return b.add({.lifecycle = &kBatch, .owner = owner, .request = request}).value().id;
}

// Adds many jobs. Every `each`th has the URL "rare".
void add_many(Bench& b, int count, int each) {
  std::vector<NewJob> jobs;
  for (int i = 1; i <= count; ++i) {
    jobs.push_back(
        {.lifecycle = &kBatch, .request = i % each ? R"({"url":"x"})" : R"({"url":"rare"})"});
    if (jobs.size() < 4'000 && i < count) continue;
    b.jobs().add(jobs, b.now());
    jobs.clear();
  }
}

}  // namespace

TEST_CASE("a category finds the jobs whose requests name it, with every other filter") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  add(b, R"({"category":"films","url":"https://h/a"})");
  add(b, R"({"url":"https://h/category"})");
  add(b, R"({"category":"music","url":"https://h/b"})");
  add(b, R"({"category":"films","url":"https://h/c"})", ann);
  add(b, R"({"url":"https://h/d","user_agent":"\"category\":\"films\""})");
  REQUIRE(b.ask({4}, On::cancel));

  CHECK(listed(b, {.category = "films"}) == "4 1");
  CHECK(listed(b, {.category = "films", .limit = 1}) == "4");
  CHECK(listed(b, {.category = "films", .before = {4}}) == "1");
  CHECK(listed(b, {.end = End::open, .category = "films"}) == "1");
  CHECK(listed(b, {.owner = ann, .category = "films"}) == "4");
  CHECK(listed(b, {.lifecycle = "book", .category = "films"}).empty());
  CHECK(listed(b, {.category = "films", .q = "/a"}) == "1");
  CHECK(listed(b, {.category = "films", .q = "1"}) == "1");
  CHECK(listed(b, {.category = "films", .q = "3"}).empty());
  CHECK(listed(b, {.category = "films", .sort = JobSort::moved}) == "4 1");
  CHECK(listed(b, {.category = "films", .sort = JobSort::ended}) == "4");
  CHECK(listed(b, {.category = "films", .sort = JobSort::priority}) == "1");
  CHECK(listed(b, {.category = "film"}).empty());
  CHECK(listed(b, {.q = "category"}) == "2");
}

TEST_CASE("q finds jobs by a part of their address or title, in any case, newest first") {
  Bench b;
  add(b, R"({"url":"https://example.org/One.iso"})");
  add(b, R"({"urls":["https://h/a","https://EXAMPLE.org/two"]})");
  add(b, R"({"url":"https://h/b","user_agent":"example"})");

  CHECK(listed(b, {.q = "example"}) == "2 1");
  CHECK(listed(b, {.q = "one.ISO"}) == "1");
  CHECK(listed(b, {.q = "https"}) == "3 2 1");
  CHECK(listed(b, {.q = "url"}).empty());
  CHECK(listed(b, {.q = ""}) == "3 2 1");
}

TEST_CASE("q of digits is the id of a job, if the other filters let it pass") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  add(b, R"({"url":"https://h/2"})");
  add(b, R"({"url":"https://h/1"})", ann);

  CHECK(listed(b, {.q = "1"}) == "1");
  CHECK(listed(b, {.q = "2"}) == "2");
  CHECK_FALSE(bool{b.reader().list({.q = "2"}).next});
  CHECK(listed(b, {.owner = ann, .q = "2"}) == "2");
  CHECK(listed(b, {.owner = kAdmin, .q = "2"}).empty());
  CHECK(listed(b, {.lifecycle = "book", .q = "2"}).empty());
  CHECK(listed(b, {.state = "queued", .q = "2"}).empty());
  CHECK(listed(b, {.end = End::good, .q = "2"}).empty());
  CHECK(listed(b, {.q = "2", .before = {2}}).empty());
  CHECK(listed(b, {.q = "2", .before = {3}}) == "2");
  for (const char* none : {"0", "3", "9223372036854775807", "9223372036854775808"})
    CHECK(listed(b, {.q = none}).empty());
}

TEST_CASE("promise 17: hostile searches find what they say, and nothing else") {
  Bench b;
  add(b, R"({"url":"https://h/100%_\\'\""})");
  add(b, R"({"url":"https://h/1000"})");

  CHECK(listed(b, {.q = "100%"}) == "1");
  CHECK(listed(b, {.q = "_"}) == "1");
  CHECK(listed(b, {.q = "\\'\""}) == "1");
  for (const std::string& text : {"%%"s, "' OR 1=1 --"s, "\0"s, "\xff"s, "h\0"s,
                                  std::string(501, 'h'), std::string(10'000'000, 'h')})
    CHECK(listed(b, {.q = text}).empty());
}

TEST_CASE("q and every other filter narrow together, page by page") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  std::vector<std::int64_t> wanted;
  for (int i = 0; i < 40; ++i) {
    const JobId id = add(b, i % 3 ? R"({"url":"x"})" : R"({"url":"yes"})", i % 2 ? ann : kAdmin);
    if (i % 3 == 0 && i % 2) wanted.insert(wanted.begin(), id.value);
  }

  for (const std::size_t limit : {1UL, 2UL, 6UL, 7UL, 100UL})
    for (const JobFilter& filter :
         {JobFilter{.owner = ann, .q = "yes", .limit = limit},
          JobFilter{.lifecycle = "batch", .owner = ann, .q = "YES", .limit = limit},
          JobFilter{.end = End::open, .owner = ann, .q = "yes", .limit = limit},
          JobFilter{.state = "pending", .owner = ann, .q = "yes", .limit = limit}})
      CHECK(all_pages(b, filter).ids == wanted);
}

TEST_CASE("promise 17: a search looks at 5,000 requests a page, and goes on where it stopped") {
  Bench b;
  add_many(b, 12'000, 5'500);  // Jobs 5,500 and 11,000 are rare.

  const JobPage first = b.reader().list({.q = "rare"});
  CHECK(first.jobs.size() == 1);
  CHECK(first.searched == 5'000);
  CHECK((first.next == JobId{7'001}));
  CHECK(b.reader().list({.q = "rare", .before = {5'001}}).jobs.empty());
  const Pages pages = all_pages(b, {.q = "rare"});
  CHECK(pages.ids == std::vector<std::int64_t>{11'000, 5'500});
  CHECK(pages.pages == 2);
  CHECK(b.reader().list({}).searched == 0);
  CHECK(all_pages(b, {.owner = kAdmin, .q = "rare"}).ids == pages.ids);
  CHECK(all_pages(b, {.end = End::open, .q = "rare"}).ids == pages.ids);
  CHECK(all_pages(b, {.q = "nowhere"}).ids.empty());
}

TEST_CASE("promise 17: large requests end a page of a search before 5,000 are read") {
  Bench b;
  const std::string large = R"({"url":"x","user_agent":")" + std::string(900'000, 'x') + R"("})";
  add(b, R"({"url":"rare"})");
  for (int i = 0; i < 60; ++i) add(b, large);

  const Pages pages = all_pages(b, {.q = "rare"});

  CHECK(pages.ids == std::vector<std::int64_t>{1});
  CHECK(pages.pages == 6);  // 8 MiB each.
}

TEST_CASE("S1-13: stuck_at lists those stuck then, newest first, with every other filter") {
  Bench b;
  b.add(kMedia);                   // 1: queued, stuck after 1 h.
  b.reach(kMedia, "downloading");  // 2: after 24 h.
  b.add(kBook);                    // 3: never.
  b.add(kMedia);                   // 4
  b.reach(kMedia, "failed");       // 5: ended.
  const Time start = b.now();

  CHECK(listed(b, {.stuck_at = start + 1h}).empty());
  CHECK(listed(b, {.stuck_at = start + 1h + 1ms}) == "4 1");
  CHECK(listed(b, {.stuck_at = start + 24h}) == "4 1");
  CHECK(listed(b, {.stuck_at = start + 24h + 1ms}) == "4 2 1");
  CHECK(listed(b, {.state = "queued", .stuck_at = start + 48h}) == "4 1");
  CHECK(listed(b, {.end = End::open, .stuck_at = start + 48h, .limit = 1}) == "4");
  CHECK(listed(b, {.stuck_at = start + 48h, .before = {4}}) == "2 1");
  CHECK(listed(b, {.q = "2", .stuck_at = start + 48h}) == "2");
  CHECK(listed(b, {.q = "3", .stuck_at = start + 48h}).empty());
  CHECK(listed(b, {.lifecycle = "book", .stuck_at = start + 48h}).empty());
  CHECK(listed(b, {.end = End::bad, .stuck_at = start + 48h}).empty());
  CHECK(listed(b, {.owner = UserId{99}, .stuck_at = start + 48h}).empty());
}

TEST_CASE("S1-13: the rules of a list of stuck jobs are the caller's, too") {
  Bench b;
  b.add(kMedia);
  b.add(kBook);
  b.reach(kMedia, "downloading");
  const Time start = b.now();
  const std::vector<StuckRule> rules{{"media", "queued", 10s}, {"book", "queued", 2h}};

  CHECK(listed(b, {.stuck_at = start + 10s, .stuck_rules = rules}).empty());
  CHECK(listed(b, {.stuck_at = start + 10s + 1ms, .stuck_rules = rules}) == "1");
  CHECK(listed(b, {.stuck_at = start + 2h, .stuck_rules = rules}) == "1");
  CHECK(listed(b, {.stuck_at = start + 48h, .stuck_rules = rules}) == "2 1");
  CHECK(listed(b, {.stuck_at = start + 48h, .stuck_rules = std::vector<StuckRule>{}}).empty());
}

TEST_CASE("failures of all lifecycles are paged together, newest first") {
  Bench b;
  std::vector<std::int64_t> bad;
  for (int i = 0; i < 24; ++i) {
    const Lifecycle& table = i % 3 == 0 ? kBook : i % 3 == 1 ? kMedia : kRelay;
    const JobId id = b.add(table);
    if (i % 4 == 0) continue;
    REQUIRE(b.ask(id, i % 3 == 2 ? On::claim : On::fail).has_value());
    if (i % 3 == 2) REQUIRE(b.ask(id, On::fail).has_value());
    bad.insert(bad.begin(), id.value);
  }

  for (const std::size_t limit : {1UL, 2UL, 5UL, 17UL, 18UL, 19UL, 100UL}) {
    CHECK(all_pages(b, {.end = End::bad, .limit = limit}).ids == bad);
    CHECK(all_pages(b, {.end = End::bad, .owner = kAdmin, .limit = limit}).ids == bad);
  }
}

TEST_CASE("a state or lifecycle that does not exist is in no list, and nothing is looked through") {
  Bench b;
  add(b, R"({"url":"x"})");

  for (const JobFilter& filter :
       {JobFilter{.state = "nowhere"}, JobFilter{.lifecycle = "item"},
        JobFilter{.lifecycle = "batch", .state = "downloading"},
        JobFilter{.lifecycle = "batch", .state = "PENDING", .end = End::good},
        JobFilter{.state = std::string(10'000'000, 'x')}, JobFilter{.state = "PENDING\0"s}}) {
    const JobPage page = b.reader().list(filter);
    CHECK(page.jobs.empty());
    CHECK_FALSE(bool{page.next});
  }
}
