#include "seam/former_link.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("a checkpoint at a new link names the link that its bytes came from") {
  CHECK(at_new_link(R"({"part":"a.part","inode":7,"here":"0-5"})", "http://a/old") ==
        R"({"replaced":true,"here":"0-5","inode":7,"part":"a.part","source":"http://a/old"})");
}

TEST_CASE("a link that is replaced twice keeps the source of the bytes") {
  const std::string once = at_new_link(R"({"part":"a.part"})", "http://a/1");

  CHECK(at_new_link(once, "http://a/2") ==
        R"({"replaced":true,"part":"a.part","source":"http://a/1"})");
}

TEST_CASE("a checkpoint without a part has nothing to go on with") {
  for (const char* none : {"", "{}", "[]", "no json"}) CHECK(at_new_link(none, "http://a").empty());
}

}  // namespace haul
