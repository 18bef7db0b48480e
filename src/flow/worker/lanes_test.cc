// Lanes in virtual time: which jobs run, and in which order, whatever happens in other lanes.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <set>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// Like the daemon: the worker looks for due work every 20 ms.
const flow::Settings kDaemon{.look_every = 20ms};

std::string at(const std::string& host) { return R"({"url":"https://)" + host + R"(/a"})"; }

// Adds many batches, in as few transactions as the store allows.
void add_many(Stage& s, const std::vector<std::pair<std::string, UserId>>& hosts_and_owners) {
  std::vector<NewJob> jobs;
  const auto write = [&] {
    for (const AddAnswer& answer : s.store().jobs().add(jobs, s.clock.now())) REQUIRE(answer);
    jobs.clear();
  };
  for (const auto& [host, owner] : hosts_and_owners) {
    jobs.push_back(
        flow::as_job({.lifecycle = &kBatch, .owner = owner, .request = at(host)}, s.clock.now())
            .value());
    if (jobs.size() == 4'000) write();
  }
  if (!jobs.empty()) write();
}

std::vector<std::pair<std::string, UserId>> times(std::size_t number, const std::string& host) {
  return std::vector(number, std::pair{host, kAdmin});
}

std::int64_t in_state(Stage& s, std::string_view state) {
  for (const StateCount& count : s.store().reader().tally({}))
    if (count.lifecycle == &kBatch && count.state == state) return count.jobs;
  return 0;
}

Planned found(const std::string& host, int number) {
  Planned planned;
  for (int i = 1; i <= number; ++i)
    planned.items.push_back(
        {.key = std::to_string(i), .url = fmt::format("https://{}/{}", host, i)});
  return planned;
}

std::string why(Stage& s, JobId id) {
  const auto why = flow::explain(s.store(), id, s.clock.now(), {});
  return fmt::format("{}: {}", why->code, why->because);
}

}  // namespace

TEST_CASE("F08: 10,000 jobs for a dead host keep no job for another host waiting for 2 s") {
  Stage s{kDaemon};
  add_many(s, times(10'000, "dead.example"));
  s.live(10s, 20ms);
  REQUIRE(s.count("http.plan") == 2);
  CHECK(in_state(s, "RUNNING") == 2);

  const JobId later = s.add(kBatch, {.request = at("good.example")});
  s.live(2s, 20ms);
  CHECK(s.state(later) == "RUNNING");
  CHECK((s.last("http.plan").job == later));

  const auto at_once = flow::add(s.store(), {.lifecycle = &kBatch, .request = at("fine.example")},
                                 s.clock.now(), &s.worker().spare());
  CHECK(s.state(at_once.value().id) == "RUNNING");
}

TEST_CASE("F08: 1,000 dead hosts, five jobs each, keep no other host waiting for 2 s") {
  Stage s{kDaemon};
  std::vector<std::pair<std::string, UserId>> all;
  for (int i = 0; i < 5'000; ++i)
    all.emplace_back(fmt::format("dead{}.example", i % 1'000), kAdmin);
  add_many(s, all);
  s.live(5s, 20ms);
  std::set<std::string> lanes;
  for (const flow::HeldJob& held : s.worker().holding()) lanes.insert(s.job(held.job).lane);
  CHECK(lanes.size() == 1'000);
  CHECK(s.worker().held() < flow::Settings{}.held_max);

  const JobId later = s.add(kBatch, {.request = at("good.example")});
  s.live(2s, 20ms);
  CHECK(s.state(later) == "RUNNING");
}

TEST_CASE("F08: two owners with 1,000 jobs each at one host alternate") {
  Stage s{kDaemon};
  const UserId ann = s.store().users().add("ann", Role::adder, s.clock.now()).value().id;
  const UserId ben = s.store().users().add("ben", Role::adder, s.clock.now()).value().id;
  std::vector<std::pair<std::string, UserId>> all(1'000, {"h", ann});
  all.insert(all.end(), 1'000, {"h", ben});
  add_many(s, all);

  std::string order;  // Owners of the first hundred jobs that began.
  for (int i = 0; i < 100; ++i) {
    s.after(20ms);
    for (const flow::HeldJob& held : s.worker().holding()) {
      const Job job = s.job(held.job);
      order += job.owner == ann ? 'a' : 'b';
      s.push({.job = held.job, .fence = job.version.fence}, Planned{});
    }
  }

  REQUIRE(order.size() >= 100);
  for (std::size_t i = 0; i + 1 < 100; ++i) CHECK(order[i] != order[i + 1]);
}

TEST_CASE("F08: one batch of 300 items leaves every second slot of its host to the others") {
  Stage s;
  const JobId large = s.add(kBatch, {.request = at("h")});
  s.tick();
  s.reply("http.plan", found("h", 300));
  std::vector<JobId> small;
  for (int i = 0; i < 5; ++i) small.push_back(s.add(kBatch, {.request = at("h")}));

  std::string starts;  // "l" of the large job, "s" of a small one.
  for (int second = 0; second < 40; ++second) {
    s.after(1s);
    if (s.last("http.plan").job != large && s.items(s.last("http.plan").job).empty())
      s.reply("http.plan", found("h", 1));
    starts += s.last("http.start").job == large ? 'l' : 's';
    s.reply("http.start", whole("/in/a"));
  }

  CHECK(starts.find("ll") > starts.rfind('s'));  // Only once no small one waits any more.
  for (const JobId id : small) CHECK(s.state(id) == "COMPLETED");
  CHECK(s.state(large) == "RUNNING");
  CHECK(s.store().items().counts(large).downloaded >= 20);
}

TEST_CASE("a host's slots go round its jobs item by item") {
  Stage s{{.host = {.at_once = 3, .apart = 1s}}};
  for (int i = 0; i < 3; ++i) {
    s.add(kBatch, {.request = at("h")});
    s.tick();
    s.push(s.last("http.plan"), found("h", 10));
  }
  s.tick();
  s.asked();

  std::string order;
  for (int i = 0; i < 6; ++i) {
    s.after(1s);
    order += fmt::format("{} ", s.last("http.start").job.value);
    s.reply("http.start", whole("/in/a"));
  }

  CHECK(order == "2 3 1 2 3 1 ");
}

TEST_CASE("a job that waits for its host's other jobs is PENDING, and why says so") {
  Stage s;
  add_many(s, times(5, "h"));
  s.live(3s);
  CHECK(in_state(s, "RUNNING") == 2);
  CHECK(in_state(s, "PENDING") == 3);
  CHECK(why(s, JobId{3}) == "host_busy: 2 jobs run at its host h, the limit");

  s.reply("http.plan", Planned{});
  s.tick();
  CHECK(in_state(s, "RUNNING") == 2);
  CHECK(in_state(s, "COMPLETED") == 1);
}

TEST_CASE(
    "Z-11: a job whose host asks for 31 s is PENDING until then, one asked for 30 s runs on") {
  for (const Millis wait : {30s, 31s}) {
    Stage s;
    const JobId id = s.add(kBatch, {.request = at("h")});
    s.tick();
    s.reply("http.plan", found("h", 2));
    s.worker().gate().block("h", wait.count());
    s.reply("http.start", Failed{.fault = {FaultKind::retryable, "http_429", "slow down"},
                                 .wait_ms = wait.count()});
    CAPTURE(wait.count());
    s.tick();
    CHECK(s.state(id) == (wait == 31s ? "PENDING" : "RUNNING"));
    if (wait == 31s) CHECK(why(s, id) == "host_blocked: its host h asked haul to wait");

    const JobId other = s.add(kBatch, {.request = at("h")});
    s.live(wait - 1s);
    CHECK(s.state(other) == "PENDING");
    CHECK(s.count("http.start") == 1);
    s.live(2s);
    CHECK(s.state(id) == "RUNNING");
    CHECK(s.state(other) == "RUNNING");
    CHECK(s.count("http.start") >= 2);
    CHECK(s.job(id).version.attempt == 0);
  }
}

TEST_CASE("Z-11: two jobs that space their own requests by 1 min leave the host to a third") {
  Stage s;
  const std::string slow = R"({"url":"https://h/a","limits":{"delay":"1m"}})";
  for (int i = 0; i < 2; ++i) {
    s.add(kBatch, {.request = slow});
    s.tick();
    s.reply("http.plan", found("h", 3));
  }
  s.live(3s);
  REQUIRE(s.count("http.start") == 2);
  const JobId third = s.add(kBatch, {.request = at("h")});
  for (const std::int64_t job : {1, 2}) {
    Call call = s.last("http.start");
    call.job = JobId{job};
    call.item = 1;
    call.start = job;
    call.fence = s.job(call.job).version.fence;
    s.push(call, whole("/in/a"));
  }

  s.live(3s);
  CHECK(s.state(third) == "RUNNING");
  s.reply("http.plan", Planned{});
  CHECK(s.state(third) == "COMPLETED");
  s.live(1min);
  CHECK(s.count("http.start") == 4);
}

TEST_CASE("Z-11: two listings that wait for their own delay leave the host to another user's job") {
  Stage s{kDaemon};
  const UserId ann = s.store().users().add("ann", Role::adder, s.clock.now()).value().id;
  const std::string slow = R"({"urls":["https://h/a","https://h/b"],"limits":{"delay":"1h"}})";
  std::vector<Call> listings;
  for (int i = 0; i < 2; ++i) {
    s.add(kBatch, {.request = slow});
    s.after(1s);
    listings.push_back(s.last("http.plan"));
    s.worker().gate().leave(s.worker().gate().enter(listings.back().start, "h").value());
  }
  // As an engine that waits for a slot does.
  const auto ask = [&](Millis passed) {
    std::size_t let_in = 0;
    for (; passed > 0ms; passed -= 20ms) {
      for (const Call& listing : listings)
        if (const auto door = s.worker().gate().enter(listing.start, "h")) {
          s.worker().gate().leave(*door);
          ++let_in;
        }
      s.after(20ms);
    }
    return let_in;
  };
  CHECK(ask(30s) == 0);
  CHECK(in_state(s, "RUNNING") == 2);  // No other job wants to run there.

  const JobId other = s.add(kBatch, {.owner = ann, .request = at("h")});
  ask(2s);
  CHECK(s.state(other) == "RUNNING");
  CHECK((s.last("http.plan").job == other));
  CHECK(in_state(s, "RUNNING") == 2);
  CHECK(in_state(s, "PENDING") == 1);
  s.reply("http.plan", Planned{});

  // It lists again when its delay is over, and is not put off for ever: 1 s apart now.
  s.live(11min);
  REQUIRE(s.count("http.plan") == 4);
  const JobId later = s.add(kBatch, {.owner = ann, .request = at("h")});
  listings = {s.last("http.plan")};
  CHECK((listings.front().job != other));
  CHECK(ask(3s) >= 2);
  s.push(listings.front(), Planned{});
  s.live(1s, 20ms);
  CHECK(s.state(listings.front().job) == "COMPLETED");
  CHECK(s.state(later) == "RUNNING");
}

TEST_CASE("items at other hosts wait at the gate inside RUNNING, and why names that host") {
  Stage s;
  const JobId busy = s.add(kBatch, {.request = at("cdn")});
  s.tick();
  s.reply("http.plan", found("cdn", 2));
  s.after(1s);
  REQUIRE(s.count("http.start") == 2);

  const JobId id = s.add(kBatch, {.request = at("h")});
  s.tick();
  s.reply("http.plan", found("cdn", 1));
  s.live(1min);
  CHECK(s.state(busy) == "RUNNING");
  CHECK(s.state(id) == "RUNNING");
  CHECK(why(s, id) ==
        "waiting_for_host: 0 of 1 items processed, 0 failed; items wait for host cdn, which serves "
        "2 of 2 requests");
}

TEST_CASE("F08: a blocked lifecycle leaves room for the hosts, and short capacity goes by turns") {
  Stage s{{.held_max = 8}};
  for (int i = 0; i < 20; ++i) s.add(kRelay);
  s.tick();
  CHECK(s.worker().held() == 6);

  add_many(s, times(5, "a"));
  add_many(s, times(5, "b"));
  add_many(s, times(5, "c"));
  s.tick();
  CHECK(s.worker().held() == 8);
  std::string order;
  for (int i = 0; i < 6; ++i) {
    order += s.job(s.last("http.plan").job).lane;
    s.reply("http.plan", Planned{});
  }
  CHECK(order == "bcbcbc");  // A job of lane a runs all the time.
}

TEST_CASE("a batch's lane is the host of its first address, any other job's its lifecycle") {
  Stage s;
  const auto lane = [&s](const Lifecycle& table, const std::string& request) {
    return s.job(s.add(table, {.request = request})).lane;
  };
  CHECK(lane(kBatch, R"({"url":"HTTPS://WWW.Example.ORG:8443/a"})") == "example.org");
  CHECK(lane(kBatch, R"({"urls":["http://b.example/","http://a.example/"]})") == "b.example");
  CHECK(lane(kBatch, R"({"url":"http://b\u00fccher.example/"})") == "xn--bcher-kva.example");
  CHECK(lane(kBatch, R"({"url":"http://media/a"})") == "media.");
  CHECK(lane(kRelay, request_for(kRelay)) == "relay");
  CHECK(lane(kBook, full_request(kBook)) == "book");
}

TEST_CASE("a retry is in the lane of what it repeats") {
  Stage s;
  const JobId id = s.add(kBatch, {.request = at("h")});
  s.tick();
  s.reply("http.plan", found("h", 1));
  s.reply("http.start", failed(FaultKind::permanent, "http_404"));
  REQUIRE(s.state(id) == "COMPLETED");

  CHECK(s.job(flow::retry(s.store(), id, s.clock.now()).value().id).lane == "h");
}

}  // namespace haul::testing
