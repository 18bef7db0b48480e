// Duties: named work that one worker of many does at a time.

#include "store/duties.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;

namespace {

struct Shared {
  Bench b;
  WorkerId one = b.store().workers().enlist("one", b.now());
  WorkerId two = b.store().workers().enlist("two", b.now());

  Duties& duties() { return b.store().duties(); }
  // "one 1": who has it afterwards, and under which fence.
  std::string take(WorkerId worker, std::optional<SilentWorker> silent = {}) {
    const Duty duty = duties().take("poll", worker, silent);
    return fmt::format("{} {}", duty.holder == one ? "one" : "two", duty.fence);
  }
};

}  // namespace

TEST_CASE("a duty has one holder; taking it again changes nothing") {
  Shared s;
  CHECK(s.take(s.one) == "one 1");
  CHECK(s.take(s.one) == "one 1");
  CHECK(s.take(s.two) == "one 1");
  CHECK(s.duties().take("other", s.two, {}).holder == s.two);
  CHECK(s.duties().list().size() == 2);
}

TEST_CASE("a duty that is given back has another fence for the next, also for the same worker") {
  Shared s;
  const Duty first = s.duties().take("poll", s.one, {});
  CHECK(s.duties().holds(first));
  s.duties().give("poll", s.two);  // It is not two's.
  CHECK(s.duties().holds(first));
  s.duties().give("poll", s.one);
  CHECK_FALSE(s.duties().holds(first));
  CHECK(s.take(s.one) == "one 2");
  CHECK_FALSE(s.duties().holds(first));
}

TEST_CASE("F04: a silent holder loses its duty; one that has beaten since keeps it") {
  Shared s;
  const Duty held = s.duties().take("poll", s.one, {});
  const SilentWorker silent{.worker = s.one, .beat = 0};
  REQUIRE(s.b.store().workers().beat(s.one, s.b.now()));
  CHECK(s.take(s.two, silent) == "one 1");
  CHECK(s.take(s.two, SilentWorker{.worker = s.two, .beat = 1}) == "one 1");
  CHECK(s.take(s.two, SilentWorker{.worker = s.one, .beat = 1}) == "two 2");
  CHECK_FALSE(s.duties().holds(held));
}

TEST_CASE("asking for a duty of another worker commits nothing, unless that worker was lost") {
  int commits = 0;
  Bench b{open_test_store(
      Bench::kStart, [&](CommitPhase phase) { commits += phase == CommitPhase::after ? 1 : 0; })};
  const WorkerId one = b.store().workers().enlist("one", b.now());
  const WorkerId two = b.store().workers().enlist("two", b.now());
  const WorkerId three = b.store().workers().enlist("three", b.now());
  Duties& duties = b.store().duties();
  REQUIRE((duties.take("poll", one, {}).holder == one));
  const int before = commits;

  CHECK((duties.take("poll", one, {}).holder == one));
  CHECK((duties.take("poll", two, {}).holder == one));
  CHECK((duties.take("poll", two, SilentWorker{.worker = three, .beat = 0}).holder == one));
  CHECK(commits == before);

  CHECK((duties.take("poll", two, SilentWorker{.worker = one, .beat = 0}).holder == two));
  CHECK(commits == before + 1);
}

TEST_CASE("a worker that stops gives all its duties back") {
  Shared s;
  s.take(s.one);
  s.duties().take("other", s.one, {});
  s.duties().take("third", s.two, {});
  s.duties().give_all(s.one);
  CHECK(s.take(s.two) == "two 2");
  CHECK(s.duties().take("third", s.one, {}).holder == s.two);
}

TEST_CASE("a worker with a duty is not forgotten") {
  Shared s;
  s.take(s.one);
  const Time later = s.b.after(std::chrono::hours{1000}).now();
  s.b.store().workers().enlist("newest", later);
  s.b.store().workers().prune(later, 100);
  CHECK(s.b.store().workers().find(s.one).has_value());
  CHECK_FALSE(s.b.store().workers().find(s.two).has_value());
}
