// Sealed texts: secrets of other systems, changed by compare-and-set.

#include "store/sealed.h"

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;

TEST_CASE("Z-14: a sealed text is made once, and changed only from the version that was read") {
  Bench b;
  Sealed& sealed = b.store().sealed();
  CHECK_FALSE(sealed.get("disk"));

  CHECK_FALSE(sealed.put("disk", {.text = "a", .version = 1}, b.now()));  // There is none yet.
  CHECK(sealed.put("disk", {.text = "a", .version = 0}, b.now()));
  CHECK_FALSE(sealed.put("disk", {.text = "b", .version = 0}, b.now()));
  CHECK(sealed.get("disk") == SealedText{.text = "a", .version = 1});

  CHECK(sealed.put("disk", {.text = "b", .version = 1}, b.now()));
  CHECK_FALSE(sealed.put("disk", {.text = "c", .version = 1}, b.now()));
  CHECK(sealed.get("disk") == SealedText{.text = "b", .version = 2});
}

TEST_CASE("sealed texts of different names know nothing of each other") {
  Bench b;
  Sealed& sealed = b.store().sealed();
  CHECK(sealed.put("disk", {.text = "a", .version = 0}, b.now()));
  CHECK(sealed.put("chat", {.text = "b", .version = 0}, b.now()));
  CHECK(sealed.get("disk")->text == "a");
  CHECK(sealed.get("chat")->text == "b");
}
