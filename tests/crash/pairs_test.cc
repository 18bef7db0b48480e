// Z-15: pairs of equal requests around the edges of minutes, with a clock that is stepped. One job
// inside the window, two outside, never two charges for one.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <random>

#include "flow/user/user.h"
#include "support/run/proof.h"
#include "support/store/bench.h"
#include "support/store/test_store.h"

namespace haul::testing {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

std::int64_t minute_of(Time time) { return to_unix_ms(time) / kMinuteMs; }

// Whether the second request is the same as the first by Z-15, as the clock shows it. A step back
// over one edge does not separate them.
bool is_same(Time first, Time second) {
  const std::int64_t apart = minute_of(second) - minute_of(first);
  if (apart == 0 || apart == -1) return true;
  return apart == 1 && second - first < Millis{kMinuteMs};
}

struct Pairs {
  std::unique_ptr<Store> store = open_test_store(Bench::kStart);
  std::mt19937_64 random{20'261'117};

  std::int64_t draw(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>{from, to}(random);
  }
  Added ask(int number, Time now) {
    const flow::AddRequest to_add{
        .lifecycle = &kImage, .request = fmt::format(R"({{"prompt":"{}"}})", number), .price = 1};
    return flow::add(*store, to_add, now).value();
  }
};

}  // namespace

TEST_CASE(
    "Z-15, F46: pairs of equal requests, 0 to 120 s apart, around minute edges (proof: 100,000)" *
    doctest::test_suite("proof")) {
  const int pairs = rounds(5'000, 100'000);
  Pairs p;
  REQUIRE(p.store->ledger().grant(kAdmin, 2 * pairs, "gift", Bench::kStart));
  std::int64_t jobs = 0;
  int wrong = 0;
  for (int i = 0; i < pairs; ++i) {
    const std::int64_t edge = 29'500'000 * kMinuteMs + p.draw(0, 1'000) * kMinuteMs;
    const Time first = from_unix_ms(edge + p.draw(-2'000, 2'000));
    const std::int64_t step = p.draw(0, 3) == 0 ? p.draw(-59'000, 59'000) : 0;  // Of the clock.
    const Time second = first + Millis{p.draw(0, 120'000) + step};
    const Added one = p.ask(i, first);
    const Added two = p.ask(i, second);
    const bool is_one = two.replayed && two.id == one.id;
    if (is_one != is_same(first, second) || one.replayed) ++wrong;
    jobs += is_one ? 1 : 2;
  }
  CHECK(wrong == 0);
  const Wallet wallet = p.store->ledger().wallet(kAdmin);
  CHECK(wallet.reserved == jobs);
  CHECK(wallet.available + wallet.reserved == wallet.granted);
}

}  // namespace haul::testing
