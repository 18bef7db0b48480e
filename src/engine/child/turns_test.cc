// The limit on processes at once.

#include "engine/child/turns.h"

#include <doctest/doctest.h>

#include <vector>

namespace haul::child {

TEST_CASE("F14: no more begin than may be at work, in the order they came") {
  ProcessTurns turns{2};
  std::vector<int> begun;
  std::size_t at_work = 0;
  const auto count = [&] { return at_work; };
  for (int i = 1; i <= 4; ++i)
    turns.add([&, i] {
      begun.push_back(i);
      ++at_work;
    });

  turns.take(count);
  CHECK((begun == std::vector{1, 2}));
  turns.take(count);
  CHECK((begun == std::vector{1, 2}));
  at_work = 1;
  turns.take(count);
  CHECK((begun == std::vector{1, 2, 3}));
  at_work = 0;
  turns.take(count);
  turns.take(count);
  CHECK((begun == std::vector{1, 2, 3, 4}));
}

TEST_CASE("one that is over as soon as it begins holds up no other") {
  ProcessTurns turns{1};
  int begun = 0;
  for (int i = 0; i < 3; ++i) turns.add([&] { ++begun; });
  turns.take([] { return std::size_t{0}; });
  CHECK(begun == 3);
}

}  // namespace haul::child
