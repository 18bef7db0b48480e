#include "base/shared_text.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("a shared text is the same text for all who hold it") {
  const SharedText one{"abc"};
  const SharedText other = one;
  CHECK(&one.text() == &other.text());
  CHECK(SharedText{}.text().empty());
}

TEST_CASE("a shared text that was moved from is empty") {
  SharedText from{"abc"};
  const SharedText to = std::move(from);
  CHECK(to.text() == "abc");
  CHECK(from.text().empty());  // NOLINT(bugprone-use-after-move): that it can be read is the test.
  from = "d";
  CHECK(from.text() == "d");
}

}  // namespace haul
