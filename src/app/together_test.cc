#include "app/together.h"

#include <doctest/doctest.h>

using namespace haul;

namespace {

using Put = Together<int>::Put;

Put put(Together<int>& together, int thing) { return together.put(thing); }

}  // namespace

TEST_CASE("what comes while all hands are full is taken together, in order, by the next free one") {
  Together<int> together{{.waiting = 5, .at_once = 3, .hands = 1}};
  CHECK(put(together, 1) == Put::wants_hand);
  CHECK(together.take() == std::vector{1});
  for (int i = 2; i <= 5; ++i) CHECK(put(together, i) == Put::waits);
  CHECK(together.take() == std::vector{2, 3, 4});
  CHECK(together.take() == std::vector{5});
  CHECK(together.take().empty());                  // The hand goes,
  CHECK(put(together, 6) == Put::wants_hand);      // and another is wanted.
}

TEST_CASE("no more wait than may, and what is refused is left with who brought it") {
  Together<std::vector<int>> together{{.waiting = 1, .at_once = 1, .hands = 2}};
  std::vector<int> one{1};
  std::vector<int> other{2};
  CHECK(together.put(one) == Together<std::vector<int>>::Put::wants_hand);
  CHECK(together.put(other) == Together<std::vector<int>>::Put::full);
  CHECK(other == std::vector{2});
  CHECK(together.take().size() == 1);
  CHECK(together.put(other) == Together<std::vector<int>>::Put::wants_hand);  // The second hand.
}
