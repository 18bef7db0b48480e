// The tables drive the flow: a worker does for a job what the step of its state says. The edited
// table is registered as a lifecycle of its own, and the handler of the original works on its jobs.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contracts/edited.h"
#include "flow/worker/handler.h"
#include "support/flow/script.h"
#include "support/process/ending.h"

namespace haul::testing {
namespace {

constexpr Step kSteps[] = {Step::none, Step::claim,  Step::plan, Step::transfer,
                           Step::land, Step::verify, Step::wait};

// The handler of another lifecycle, which works on the jobs of this one.
class Lending final : public flow::Handler {
 public:
  Lending(const Lifecycle& table, std::unique_ptr<flow::Handler> handler)
      : table_{table}, handler_{std::move(handler)} {}

  const Lifecycle& lifecycle() const override { return table_; }
  flow::ItemWork* item_work() override { return handler_->item_work(); }
  void begin(flow::Held& held) override { handler_->begin(held); }
  void again(flow::Held& held) override { handler_->again(held); }
  void see(flow::Held& held, Sight& sight) override { handler_->see(held, sight); }
  std::vector<flow::Awaited> awaited(const flow::Held& held) const override {
    return handler_->awaited(held);
  }
  void stop(flow::Held& held, Leftovers leftovers) override { handler_->stop(held, leftovers); }
  bool is_at_rest(const flow::Held& held) const override { return handler_->is_at_rest(held); }
  void save(flow::Held& held) override { handler_->save(held); }

 private:
  const Lifecycle& table_;
  const std::unique_ptr<flow::Handler> handler_;
};

Lifecycle renamed(Lifecycle table) {
  table.name = "edited";
  return table;
}

// A worker with one job of the edited table. Engines and sinks answer each of their calls once.
class StepScene {
 public:
  StepScene(const Lifecycle& original, const Lifecycle& edited)
      : original_{original}, table_{renamed(edited)}, worker_{hire()} {
    const NewJob job{.lifecycle = &table_, .request = full_request(original)};
    id_ = s_.store().jobs().add({&job, 1}, s_.clock.now()).front().value().id;
    // Its client has it, and reports that it is whole.
    for (const On on : {On::started, On::fetched})
      if (const Job now = s_.job(id_); const Move* move = table_.find(now.version.state, on)) {
        const Ask ask{.version = now.version, .on = on, .holds = move->terms.guards};
        (void)s_.store().jobs().move({&ask, 1}, s_.clock.now()).front().value();
      }
  }

  // The states of the job, and the calls that its handler made. A job that the next worker adopts
  // also loses its worker.
  std::string run() {
    std::string calls = calls_within(Millis{800});
    if (s_.job(id_).state().on_lost.kind == AnswerKind::adopt) {
      worker_ = hire();
      calls += "another worker: " + calls_within(kLeaseOver);
    }
    return s_.trail(id_) + ": " + calls;
  }

 private:
  static constexpr Millis kLeaseOver{20'000};

  std::string calls_within(Millis time) {
    constexpr int kTicks = 40;
    std::string calls;
    for (int i = 0; i < kTicks; ++i) {
      s_.clock.pass(time / kTicks);
      worker_->tick();
      const std::string asked = s_.asked();
      if (asked.empty()) continue;
      calls += asked + "; ";
      answer("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
      answer("library.land", landed("/lib/film"));
      answer("disk.start", Moving{.have = 5, .size = 10});
    }
    return calls;
  }

  std::unique_ptr<flow::Worker> hire() {
    const std::vector<flow::LifecycleWork> all = s_.work();
    flow::LifecycleWork work = *flow::find_work(all, original_);
    work.lifecycle = &table_;
    work.make_handler = [this, lent = work.make_handler](flow::Desk& desk) {
      return std::make_unique<Lending>(table_, lent(desk));
    };
    return std::make_unique<flow::Worker>(s_.store(), std::vector{work}, s_.clock, random_,
                                          flow::Settings{}, "edited");
  }

  void answer(std::string_view call, What what) {
    if (s_.count(call) == answered_.count(std::string{call})) return;
    answered_.insert(std::string{call});
    Stage::push(*worker_, s_.last(call), std::move(what));
  }

  const Lifecycle& original_;
  const Lifecycle table_;
  const OwnLifecycle registered_{table_};
  Stage s_;
  NoChance random_;
  std::multiset<std::string> answered_;
  std::unique_ptr<flow::Worker> worker_;
  JobId id_;
};

// In a process of its own: a handler whose step does not fit its state may ask for a move without a
// row, which ends the process.
std::string steps(const Lifecycle& original, const Lifecycle& edited) {
  const Ending ending = ending_of([&] {
    try {
      std::fputs(StepScene{original, edited}.run().c_str(), stderr);
    } catch (const std::exception& error) {
      std::fputs(error.what(), stderr);
    }
  });
  return ending.text;
}

}  // namespace

TEST_CASE("a worker does for a job what the step of its state says, whatever the table") {
  Tried tried;
  std::size_t leased = 0;
  for (const Lifecycle* table : six_tables())
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      const State& state = table->states[i];
      if (!state.is_leased()) continue;
      ++leased;
      for (const Step step : kSteps)
        if (step != state.step)
          tried.edit(
              *table, fmt::format("{}.step {}", state.name, name(step)),
              [&](Edited& edited) { edited.states[i].step = step; },
              [&](const Lifecycle& edited) { return steps(*table, edited); });
    }
  CHECK(leased == 7);
  CHECK(tried.edits == leased * (std::size(kSteps) - 1));
  CHECK(tried.changed == tried.edits);
}

TEST_CASE("a film, a batch, a relay and an image begin with the steps of their tables") {
  CHECK(steps(kMedia, kMedia) ==
        "queued > downloading > completed > imported: library.land 1; library.verify 1; "
        "another worker: library.verify 1; ");
  CHECK(steps(kBatch, kBatch) == "PENDING > RUNNING: http.plan 1; ");
  CHECK(steps(kRelay, kRelay) ==
        "QUEUED > CLAIMED > DOWNLOADING > STREAMING: disk.start 1; chat.land 1; ");
  CHECK(steps(kImage, kImage) == "queued > running: images.start 1; ");
}

TEST_CASE("a film whose import and proof change places in the table is proven before its import") {
  Edited swapped{kMedia};
  REQUIRE(swapped.states[2].name == "completed");
  std::swap(swapped.states[2].step, swapped.states[3].step);
  CHECK(steps(kMedia, swapped.table) ==
        "queued > downloading > completed: library.verify 1; another worker: library.verify 1; ");
}

}  // namespace haul::testing
