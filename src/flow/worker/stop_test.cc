// Stopping what goes on outside: in every leased state, for every reason. A book has no leased
// state; cancel_test.cc shows how its client stops it.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lifecycle/tables.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// What a handler has started, and the call that stops it.
struct GoingOn {
  std::string started;
  std::string stopped;
};

// What a pause does about an act that goes on.
enum class OnPause : std::uint8_t {
  gives_up,      // Tells it to stop, and waits for at most two seconds.
  waits,         // Tells it to stop, and waits for its answer.
  leaves_alone,  // Waits for its answer, and does not tell it to stop.
  lets_go,       // Neither tells it to stop nor waits: the next worker asks for it.
};

// A held job of which something goes on outside.
struct StopCase {
  std::string name;
  const Lifecycle* table;
  std::string state;
  JobId (*begin)(Stage& s);
  std::vector<GoingOn> going_on;
  OnPause on_pause = OnPause::gives_up;
};

JobId listing(Stage& s) {
  const JobId id = s.add(kBatch);
  s.tick();
  return id;
}

JobId transferring(Stage& s) {
  const JobId id = listing(s);
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  return id;
}

JobId landing(Stage& s) {
  const JobId id = transferring(s);
  s.reply("http.start", Fetched{.path = "/in/a", .size = 10, .checkpoint = "{}"});
  return id;
}

JobId importing(Stage& s) {
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  return id;
}

JobId proving(Stage& s) {
  const JobId id = importing(s);
  s.reply("library.land", landed("/lib/film"));
  return id;
}

JobId cleaning(Stage& s) {
  const JobId id = proving(s);
  s.reply("library.verify", indexed("/lib/film"));
  return id;
}

JobId reading(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  return id;
}

JobId sending(Stage& s) {
  const JobId id = reading(s);
  s.reply("disk.start", whole("/spool/1"));
  return id;
}

JobId reading_and_sending(Stage& s) {
  const JobId id = reading(s);
  s.reply("disk.start", Moving{.have = 1});
  return id;
}

JobId paying(Stage& s) {
  const JobId id = s.buy(4);
  s.tick();
  return id;
}

JobId paying_by_handle(Stage& s) {
  const JobId id = paying(s);
  s.reply("images.start", Accepted{.handle = "call-1"});
  return id;
}

// Another worker asks about the call of a lost one.
JobId asking(Stage& s) {
  const JobId id = paying_by_handle(s);
  s.crash();
  s.hire();
  s.live(20s);
  return id;
}

JobId keeping(Stage& s) {
  const JobId id = paying(s);
  s.reply("images.start", whole("https://p/1"));
  return id;
}

JobId keeping_by_handle(Stage& s) {
  const JobId id = paying_by_handle(s);
  s.reply("images.start", whole("https://p/1"));
  return id;
}

// clang-format off
std::vector<StopCase> all_cases() {
  using enum OnPause;
  return {
      {"batch lists",       &kBatch, "RUNNING", listing,      {{"http.plan", "http.stop"}}},
      {"batch transfers",   &kBatch, "RUNNING", transferring, {{"http.start", "http.stop"}}},
      {"batch lands",       &kBatch, "RUNNING", landing,      {{"http.land", "http.stop"}}},
      {"media lands",       &kMedia, "completed", importing,  {{"library.land", "library.stop"}}},
      {"media verifies",    &kMedia, "imported", proving,   {{"library.verify", "library.stop"}}},
      {"media cleans",      &kMedia, "imported", cleaning,  {{"library.clean", "library.stop"}}},
      {"relay reads",       &kRelay, "DOWNLOADING", reading,  {{"disk.start", "disk.stop"}}},
      {"relay sends",       &kRelay, "STREAMING", sending,    {{"chat.land", "chat.stop"}}, waits},
      {"relay does both",   &kRelay, "STREAMING", reading_and_sending,
       {{"disk.start", "disk.stop"}, {"chat.land", "chat.stop"}}, waits},
      {"image by handle",   &kImage, "running", paying_by_handle,
       {{"images.start", "images.stop"}}, lets_go},
      {"image asks",        &kImage, "running", asking,
       {{"images.look", "images.stop"}}, lets_go},
      {"image, no handle",  &kImage, "running", paying,
       {{"images.start", "images.stop"}}, leaves_alone},
      {"bucket by handle",  &kImage, "running", keeping_by_handle,
       {{"bucket.land", "bucket.stop"}}},
      {"bucket, no handle", &kImage, "running", keeping,
       {{"bucket.land", "bucket.stop"}}, leaves_alone},
  };
}
// clang-format on

bool is_engine(std::string_view call) {
  return call.starts_with("http.") || call.starts_with("disk.") || call.starts_with("images.");
}

// A case on its stage. No engine and no sink answers a stop, unless the test does.
struct Scene {
  explicit Scene(const StopCase& of) : c{of}, id{of.begin(s)}, holder{s.worker().id()} {
    s.http_answers_stops = false;
    REQUIRE(s.state(id) == c.state);
    REQUIRE(s.job(id).worker == holder);
    for (const GoingOn& each : c.going_on) started.push_back(s.last(each.started));
    s.asked();
  }

  // The table's answers.
  std::string cancelled() const {
    const Answer& answer = c.table->find(c.state)->on_cancel;
    return answer.kind == AnswerKind::go ? std::string{answer.to} : "";
  }
  std::string released() const {
    const Move* move = c.table->find(c.state, On::release);
    return move ? std::string{move->to} : c.state;
  }

  // Since the last check, all that goes on was told to stop, once, and nothing else was asked.
  void check_told(Leftovers leftovers) {
    std::string expected;
    for (std::size_t i = 0; i < started.size(); ++i) {
      expected += fmt::format("{}{} {}", i == 0 ? "" : ", ", c.going_on[i].stopped, id.value);
      if (started[i].item > 0) expected += fmt::format(".{}", started[i].item);
    }
    REQUIRE(s.asked() == expected);
    for (std::size_t i = 0; i < started.size(); ++i) {
      const Call stop = s.last(c.going_on[i].stopped);
      CHECK(stop.fence == started[i].fence);
      CHECK(stop.start == started[i].start);
      CHECK((!is_engine(stop.name) || stop.leftovers == leftovers));
    }
  }
  void check_untouched() {
    CHECK(s.state(id) == c.state);
    CHECK(s.job(id).worker == holder);
    CHECK(s.asked().empty());
  }
  void check_paused() {
    CHECK(s.state(id) == released());
    CHECK(s.job(id).paused);
    CHECK_FALSE(s.job(id).worker);
    CHECK(s.intents(id).ends_with("pause done"));
    CHECK(s.worker().held() == 0);
    CHECK(s.host_slots("h") == 0);
  }
  void check_cancelled() {
    CHECK(s.state(id) == cancelled());
    CHECK(s.job(id).reason == "canceled");
    CHECK(s.intents(id).find("cancel done") != std::string::npos);
    CHECK(s.worker().held() == 0);
    CHECK(s.host_slots("h") == 0);
  }

  void answer_stops() {
    for (const GoingOn& each : c.going_on) s.push(s.last(each.stopped), Stopped{});
  }
  // The worker handles wishes at its next tick instead of at its next sweep.
  void wake() {
    s.worker().wake();
    s.worker().wait(0ms);
    s.tick();
  }
  bool cancel() { return haul::flow::cancel(s.store(), id, s.clock.now()).wished; }
  bool pause() { return haul::flow::pause(s.store(), id, s.clock.now()).wished; }

  const StopCase& c;
  Stage s;
  JobId id;
  WorkerId holder;
  std::vector<Call> started;
};

StopCase case_named(const std::string& name) {
  const std::vector<StopCase> all = all_cases();
  const auto found = std::ranges::find(all, name, &StopCase::name);
  REQUIRE((found != all.end()));
  return *found;
}

}  // namespace

TEST_CASE("each leased state in which something goes on outside is a case here") {
  const std::vector<StopCase> all = all_cases();
  for (const Lifecycle* table : all_lifecycles())
    for (const State& state : table->states) {
      const bool passes_at_once = state.step == Step::plan;  // A relay that is CLAIMED.
      if (is_item(*table) || !state.is_leased() || passes_at_once) continue;
      CAPTURE(std::string{state.name});
      CHECK(std::ranges::any_of(all, [&](const StopCase& c) {
        return c.table->name == table->name && c.state == state.name;
      }));
    }
}

TEST_CASE("A3-8: what its table does not let a user cancel is neither stopped nor moved") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    Scene t{c};
    if (!t.cancelled().empty()) continue;

    const flow::CancelAnswer answer = haul::flow::cancel(t.s.store(), t.id, t.s.clock.now());
    REQUIRE(answer.refusal.has_value());
    CHECK(answer.refusal->code == "cannot_cancel");
    t.s.live(5s);

    t.check_untouched();
  }
}

TEST_CASE("a wish is for the holder alone: another worker neither stops nor moves the job") {
  for (const StopCase& c : all_cases())
    for (const bool is_cancel : {true, false}) {
      CAPTURE(c.name);
      CAPTURE(is_cancel);
      Scene t{c};
      if (is_cancel && t.cancelled().empty()) continue;
      flow::Worker& other = t.s.hire();
      REQUIRE((is_cancel ? t.cancel() : t.pause()));

      for (int second = 0; second < 5; ++second) {
        t.s.clock.pass(1s);
        other.tick();
        t.check_untouched();
      }

      t.s.worker().tick();
      const bool is_let_go = !is_cancel && c.on_pause == OnPause::lets_go;
      if (is_let_go) t.check_paused();
      if (is_let_go || (!is_cancel && c.on_pause == OnPause::leaves_alone)) continue;
      t.check_told(is_cancel ? Leftovers::remove : Leftovers::keep);
      CHECK(t.s.state(t.id) == c.state);
    }
}

TEST_CASE("S2-12: a cancel whose stop is answered is granted at once, as the table says") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    Scene t{c};
    if (t.cancelled().empty()) continue;
    REQUIRE(t.cancel());
    t.wake();
    t.check_told(Leftovers::remove);
    CHECK(t.s.state(t.id) == c.state);

    t.answer_stops();
    t.s.tick();

    t.check_cancelled();
    CHECK(t.s.asked().empty());
  }
}

TEST_CASE("S2-12: a cancel whose stop is never answered is granted after 2 s, and not before") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    Scene t{c};
    if (t.cancelled().empty() || c.name == "batch lands") continue;  // See stop_answers_test.cc.
    REQUIRE(t.cancel());
    t.s.after(1s);  // The sweep sees it.
    t.check_told(Leftovers::remove);

    t.s.after(999ms);
    t.check_untouched();

    t.s.after(1ms);
    t.check_cancelled();
    CHECK(t.s.asked().empty());  // It is not told again.
  }
}

TEST_CASE("a pause whose stop is answered is granted at once, where the table releases the job") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    if (c.on_pause == OnPause::leaves_alone || c.on_pause == OnPause::lets_go) continue;
    Scene t{c};
    const int attempt = t.s.job(t.id).version.attempt;
    REQUIRE(t.pause());
    t.wake();
    t.check_told(Leftovers::keep);
    CHECK(t.s.state(t.id) == c.state);

    t.answer_stops();
    t.s.tick();

    t.check_paused();
    CHECK(t.s.asked().empty());
    CHECK(t.s.job(t.id).version.attempt == attempt);
  }
}

TEST_CASE("a pause whose stop is never answered is granted after 2 s, and not before") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    if (c.on_pause != OnPause::gives_up) continue;
    Scene t{c};
    REQUIRE(t.pause());
    t.s.after(1s);  // The sweep sees it.
    t.check_told(Leftovers::keep);

    t.s.after(999ms);
    t.check_untouched();

    t.s.after(1ms);
    t.check_paused();
    CHECK(t.s.asked().empty());  // It is not told again.
  }
}

TEST_CASE("S2-12: a worker that is woken gives engines and sinks 1.5 s, so that 2 s are enough") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    if (c.on_pause != OnPause::gives_up) continue;
    Scene t{c};
    REQUIRE(t.pause());
    t.wake();
    t.check_told(Leftovers::keep);

    t.s.after(1'499ms);
    t.check_untouched();

    t.s.after(1ms);
    t.check_paused();
  }
}

TEST_CASE("a wish that is seen late, or under a clock that was set, leaves 0.5 to 1.5 s to stop") {
  for (const Millis set : {Millis{0}, Millis{24h}, Millis{-24h}}) {
    CAPTURE(set.count());
    const StopCase c = case_named("media lands");
    Scene t{c};
    REQUIRE(t.pause());
    t.s.clock.set(set);
    const bool is_early = set < 0ms;  // By the wall clock, the wish is of tomorrow.
    if (is_early)
      t.wake();
    else
      t.s.after(4s);
    t.check_told(Leftovers::keep);

    t.s.after((is_early ? 1'500ms : 500ms) - 1ms);
    t.check_untouched();
    t.s.after(1ms);
    t.check_paused();
  }
}

TEST_CASE("promise 3: a pause waits for the answer of an act whose outcome would be lost") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    if (c.on_pause == OnPause::gives_up || c.on_pause == OnPause::lets_go) continue;
    Scene t{c};
    REQUIRE(t.pause());
    t.s.after(1s);
    if (c.on_pause == OnPause::waits) t.check_told(Leftovers::keep);
    t.check_untouched();

    t.s.live(60s);

    t.check_untouched();
  }
}

TEST_CASE("a worker that lost its lease stops what it must, and changes nothing") {
  for (const StopCase& c : all_cases()) {
    CAPTURE(c.name);
    Scene t{c};
    flow::Worker& other = t.s.hire();
    for (int second = 0; second < 40 && t.s.job(t.id).worker == t.holder; ++second) {
      t.s.clock.pass(1s);
      other.tick();
    }
    REQUIRE_FALSE(t.s.job(t.id).worker == t.holder);
    const std::string trail = t.s.trail(t.id);
    t.s.asked();

    t.s.worker().tick();

    if (c.on_pause == OnPause::lets_go)
      CHECK(t.s.asked().empty());
    else
      t.check_told(Leftovers::keep);
    CHECK(t.s.worker().held() == 0);
    CHECK(t.s.trail(t.id) == trail);
  }
}

TEST_CASE("a worker that gets its lost job back stops what it started under the former lease") {
  const StopCase c = case_named("batch transfers");
  Scene t{c};
  const auto row = t.s.store().workers().find(t.holder);
  const Rescued rescued =
      t.s.store().jobs().rescue({t.holder, row->beat, &kBatch, 10}, {}, t.s.clock.now());
  REQUIRE(rescued.moved == 1);

  t.s.tick();

  t.check_told(Leftovers::keep);
  CHECK(t.s.worker().held() == 1);
  CHECK(t.s.job(t.id).version.fence > t.started.front().fence);
}

TEST_CASE("Z-8: a shutdown stops what goes on, once, and releases the job at no cost") {
  for (const StopCase& c : all_cases())
    for (const bool answers : {true, false}) {
      CAPTURE(c.name);
      CAPTURE(answers);
      Scene t{c};
      const bool is_left_alone = c.on_pause == OnPause::leaves_alone;
      const bool is_let_go = c.on_pause == OnPause::lets_go;
      if (answers && (is_left_alone || is_let_go)) continue;
      const int attempt = t.s.job(t.id).version.attempt;

      CHECK(t.s.worker().wind_down() == is_let_go);
      if (!is_left_alone && !is_let_go) t.check_told(Leftovers::keep);
      t.check_untouched();
      if (answers) t.answer_stops();
      CHECK(t.s.worker().wind_down() == (answers || is_let_go));
      t.check_untouched();
      t.s.worker().stop();

      if (is_left_alone) t.check_told(Leftovers::keep);
      CHECK(t.s.asked().empty());
      CHECK(t.s.state(t.id) == t.released());
      CHECK_FALSE(t.s.job(t.id).worker);
      CHECK(t.s.job(t.id).version.attempt == attempt);
      CHECK(t.s.worker().held() == 0);
      CHECK(t.s.host_slots("h") == 0);
    }
}

}  // namespace haul::testing
