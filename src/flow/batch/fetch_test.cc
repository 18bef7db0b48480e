#include "flow/batch/fetch.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace haul::flow {
namespace {

using Phase = Transfer::Phase;

Transfer of(std::int64_t n, Phase phase = Phase::moving) {
  Transfer transfer{.phase = phase};
  transfer.item.n = n;
  return transfer;
}

}  // namespace

TEST_CASE("what still moves is counted through every phase") {
  AtWork at_work;
  CHECK(at_work.moving() == 0);
  Transfer& one = at_work.add(of(1));
  at_work.add(of(2));
  at_work.add(of(3, Phase::landing));
  CHECK(at_work.moving() == 2);
  at_work.set_phase(one, Phase::fetched);
  CHECK(at_work.moving() == 1);
  at_work.set_phase(one, Phase::landing);
  CHECK(at_work.moving() == 1);
  CHECK(at_work.take(1).phase == Phase::landing);
  CHECK(at_work.moving() == 1);
  at_work.take(2);
  CHECK(at_work.moving() == 0);
  CHECK(at_work.size() == 1);
}

TEST_CASE("an item that is begun again is one item, and one that moves") {
  AtWork at_work;
  at_work.add(of(7, Phase::landing));
  at_work.add(of(7));
  CHECK(at_work.size() == 1);
  CHECK(at_work.moving() == 1);
  CHECK(at_work.find(7) != nullptr);
  CHECK(at_work.find(8) == nullptr);
}

TEST_CASE("items that another program fetches are counted until they end") {
  AtWork at_work;
  for (const auto& [n, key] : {std::pair{1, "yt-dlp:0:https://h/a"},
                               {2, "gallery-dl:1:https://h/b"},
                               {3, "https://h/yt-dlp:c"}}) {
    Transfer transfer = of(n);
    transfer.item.key = key;
    at_work.add(std::move(transfer));
  }
  CHECK(at_work.of_programs() == 2);
  at_work.set_phase(*at_work.find(1), Phase::landing);
  at_work.take(3);
  CHECK(at_work.of_programs() == 2);
  at_work.take(1);
  CHECK(at_work.of_programs() == 1);
  at_work.take(2);
  CHECK(at_work.of_programs() == 0);
}

TEST_CASE("a batch has work while a listing runs or waits for its next try, and not otherwise") {
  for (const auto& [is, has_work] : {std::pair{ListingIs::idle, false},
                                     {ListingIs::running, true},
                                     {ListingIs::waiting, true},
                                     {ListingIs::stopping, false},
                                     {ListingIs::given_up, false}}) {
    Fetch fetch;
    fetch.listing.is = is;
    CHECK(fetch.has_work() == has_work);
  }
}

TEST_CASE("sizes that no disk has are added up without an overflow") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Fetch fetch;
  for (const std::int64_t n : {1, 2}) {
    Transfer transfer = of(n);
    transfer.item.size = kMost;
    fetch.at_work.add(transfer);
  }

  const OpenItems open = fetch.open_items();

  CHECK(open.sized == 2);
  CHECK(open.size == kMost);
  CHECK(open.left == kMost);
}

}  // namespace haul::flow
