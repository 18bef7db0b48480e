#include "base/url_options.h"

#include <doctest/doctest.h>

using namespace haul;

TEST_CASE("options of single URLs are read by position") {
  const auto read = read_url_options(
      R"({"0":{"name":"a/b","headers":["X: 1"]},"12":{"user_agent":"me","checksum":null}})");
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK(read->at(0).name == "a/b");
  CHECK(read->at(0).headers == std::vector<std::string>{"X: 1"});
  CHECK(read->at(12).user_agent == "me");
  CHECK(read->at(12).checksum.hex.empty());
}

TEST_CASE("a wrong option of a URL is refused with its position and name") {
  const auto why = [](const char* json) {
    const auto read = read_url_options(json);
    return read ? "" : read.error().detail.substr(0, read.error().detail.find(':'));
  };
  CHECK(why(R"({"-1":{}})") == "-1");
  CHECK(why(R"({"x":{}})") == "x");
  CHECK(why(R"({"0":1})") == "0");
  CHECK(why(R"({"0":{"name":1}})") == "0.name");
  CHECK(why(R"({"3":{"nam":"x"}})") == "3.nam");
  CHECK(why(R"({"3":{"checksum":"sha256:12"}})") == "3.checksum");
  CHECK(why(R"({"3":{"headers":["nocolon"]}})") == "3.headers");
  CHECK(why(R"({"3":{"headers":"X: 1"}})") == "3.headers");
}

TEST_CASE("the items of a list have keys: an address that comes again with another name is new") {
  const std::vector<std::string> urls{"http://h/a", "HTTP://h/a", "http://h/a",
                                      "http://h/b", "http://h/a", "nonsense"};
  std::map<std::size_t, UrlOptions> options;
  options[1].name = "x";
  options[2].name = "x";
  options[3].name = "x";
  options[4].name = "y";
  CHECK(item_keys(urls, options) == std::vector<std::string>{"http://h/a", "http://h/a #2",
                                                             "http://h/a #2", "http://h/b",
                                                             "http://h/a #3", "nonsense"});
  CHECK(item_keys(urls, {})[4] == "http://h/a");
}
