// What ought to hold of base/ and does not yet. Each test fails as expected; whoever mends one
// takes its should_fail off and moves it to the file of its subject.

#include <doctest/doctest.h>

#include <climits>
#include <string>

#include "base/backoff.h"
#include "base/json.h"

namespace haul {

TEST_CASE("A2-11: the smallest int is few failures, not many") {
  CHECK((kItemBackoff.after(INT_MIN, 0.5) == Millis{1'000}));
}

TEST_CASE("J4: 32 objects deep are read also when the innermost holds a value" *
          doctest::should_fail()) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += R"({"a":)";
  text += "1" + std::string(32, '}');
  CHECK(canonical(text).has_value());
}

}  // namespace haul
