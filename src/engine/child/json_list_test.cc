// Splitting JSON arrays, whole, nested and cut off.

#include "engine/child/json_list.h"

#include <doctest/doctest.h>

using namespace haul;
using Elements = std::vector<std::string_view>;

namespace {

Elements array_elements(std::string_view text) { return child::take_array(text).elements; }

}  // namespace

TEST_CASE("arrays that follow one another are taken one by one") {
  std::string_view text = "[1] [] [2,3]";
  CHECK(child::take_array(text).elements == Elements{"1"});
  CHECK(child::take_array(text).elements.empty());
  CHECK(child::take_array(text).elements == Elements{"2", "3"});
  CHECK(text.empty());
}

TEST_CASE("an array is cut at its own commas, not at those inside") {
  CHECK(array_elements(R"([ [1,"a,]"], {"b":[2]} ,3])") ==
        Elements{R"([1,"a,]"])", R"({"b":[2]})", "3"});
  CHECK(array_elements("[]").empty());
  CHECK(array_elements("noise [1]") == Elements{"1"});
}

TEST_CASE("quotes and escapes inside a string end nothing") {
  CHECK(array_elements(R"(["a\"],", "\\"])") == Elements{R"("a\"],")", R"("\\")"});
}

TEST_CASE("what is not whole is left out, and nothing is read past the end") {
  CHECK(array_elements("[1,[2") == Elements{"1"});
  CHECK(array_elements("[\"a").empty());
  CHECK(array_elements("[\"a\\").empty());
  CHECK(array_elements("").empty());
}
