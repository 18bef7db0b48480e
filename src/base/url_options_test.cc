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

TEST_CASE("a URL's mirrors, size and pieces are read") {
  const std::string hash(64, 'a');
  const auto read = read_url_options(
      R"({"0":{"mirrors":["http://b/f","https://c/f"],"size":1500,"public":true,"pieces":)"
      R"({"algorithm":"sha256","length":1024,"hashes":[")" +
      hash + R"(",")" + hash + R"("]}}})");
  REQUIRE(read);
  CHECK(read->at(0).mirrors == std::vector<std::string>{"http://b/f", "https://c/f"});
  CHECK(read->at(0).size == 1'500);
  CHECK(read->at(0).pieces.hashes.size() == 2);
  CHECK(read->at(0).is_public);
}

TEST_CASE("mirrors that are no URLs, too many, or have a login are refused") {
  const auto why = [](const std::string& json) {
    const auto read = read_url_options(json);
    return read ? "" : read.error().detail.substr(0, read.error().detail.find(':'));
  };
  const auto mirrors = [&](std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += i == 0 ? R"("http://b/f")" : R"(,"http://b/f")";
    return R"({"2":{"mirrors":[)" + list + "]}}";
  };
  CHECK(why(mirrors(15)).empty());
  CHECK(why(mirrors(16)) == "2.mirrors");
  CHECK(why(R"({"2":{"mirrors":["ftp://b/f"]}})") == "2.mirrors");
  CHECK(why(R"({"2":{"mirrors":["http://u:p@b/f"]}})") == "2.mirrors");
  CHECK(why(R"({"2":{"mirrors":"http://b/f"}})") == "2.mirrors");
  CHECK(why(R"({"2":{"size":-1}})") == "2.size");
  CHECK(why(R"({"2":{"size":"5"}})") == "2.size");
  CHECK(why(R"({"2":{"public":1}})") == "2.public");
  const std::string pieces =
      R"("pieces":{"algorithm":"md5","length":1024,"hashes":[")" + std::string(32, 'a') + R"("]})";
  CHECK(why(R"({"2":{)" + pieces + "}}") == "2.pieces");
  CHECK(why(R"({"2":{"size":1025,)" + pieces + "}}") == "2.pieces");
  CHECK(why(R"({"2":{"size":1024,)" + pieces + "}}").empty());
}
