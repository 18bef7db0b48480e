// The limiter against a model of it: three workers take, give back, block and wait at random.

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <optional>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct Model {
  HostRule rule;
  std::array<std::size_t, 3> held{};
  std::optional<Time> started_at;
  Time blocked_until;

  bool is_free(Time now) const {
    const bool apart = !started_at || now - *started_at >= rule.apart;
    return apart && now >= blocked_until && held[0] + held[1] + held[2] < rule.at_once;
  }
};

void play(Bench& b, Model& model, const std::array<WorkerId, 3>& workers) {
  const auto who = *rc::gen::inRange<std::size_t>(0, 3);
  Limits& limits = b.store().limits();
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
    case 1: {
      const bool was_free = model.is_free(b.now());
      const auto taken = limits.take("h", model.rule, workers[who], b.now());
      RC_ASSERT(taken.has_value() == was_free);
      if (!taken) RC_ASSERT(taken.error() > b.now());
      if (!taken) return;
      ++model.held[who];
      model.started_at = b.now();
      return;
    }
    case 2:
      limits.give("h", workers[who]);
      if (model.held[who] > 0) --model.held[who];
      return;
    case 3: {
      const Time until = b.now() + Millis{*rc::gen::inRange(0, 5'000)};
      limits.block("h", until, b.now());
      model.blocked_until = std::max(model.blocked_until, until);
      return;
    }
    case 4:
      if (*rc::gen::inRange(0, 4) != 0) return;
      limits.give_all(workers[who]);
      model.held[who] = 0;
      return;
    default:
      b.after(Millis{*rc::gen::element(0, 1, 249, 999, 1'000, 1'001, 4'000)});
  }
}

}  // namespace

TEST_CASE("S2-23, Z-11: whatever three workers do, a slot is given exactly when there is one") {
  CHECK(rc::check([] {
    Bench b;
    const std::array<WorkerId, 3> workers{b.worker(), b.store().workers().enlist("b", b.now()),
                                          b.store().workers().enlist("c", b.now())};
    Model model{.rule = {.at_once = *rc::gen::inRange<std::size_t>(1, 4),
                         .apart = Millis{*rc::gen::element(0, 1, 1'000)}}};
    for (int step = 0; step < 60; ++step) play(b, model, workers);
    RC_ASSERT(b.store().limits().use("h").held == model.held[0] + model.held[1] + model.held[2]);
  }));
}
