#include "flow/batch/relink.h"

#include <doctest/doctest.h>

#include <string>

namespace haul::flow {
namespace {

Item item(const std::string& url, const std::string& key = "") {
  return {.n = 2,
          .key = key.empty() ? url : key,
          .url = url,
          .state = "FAILED",
          .checkpoint = R"({"part":"a.part"})"};
}

std::string asks(const std::string& request, const Item& of, const std::string& url) {
  const auto linked = relink(request, of, url);
  return linked ? linked->request : linked.error().code;
}

}  // namespace

TEST_CASE("a new link asks for one item, with what belongs to the job") {
  const std::string request =
      R"({"urls":["http://h/a","http://h/b"],"folder":"/d","headers":["A: 1"],"segments":2,)"
      R"("filters":{"only_types":["images"],"max_size":9},"limits":{"retries":1},"engine":"auto"})";

  CHECK(asks(request, item("http://h/b"), "http://h/new?t=1") ==
        R"({"engine":"http","filters":{"max_size":9},"folder":"/d","headers":["A: 1"],)"
        R"("limits":{"retries":1},"segments":2,"urls":["http://h/new?t=1"]})");
}

TEST_CASE("U37: a new link on another origin gets no header and no file with secrets of the job") {
  const std::string request =
      R"({"url":"https://h/a","headers":["Authorization: x"],"cookies":"/c","netrc":"/n",)"
      R"("insecure":true,"user_agent":"me","each":{}})";

  for (const char* other : {"https://other/a", "http://h/a", "https://h:444/a"})
    CHECK(asks(request, item("https://h/a"), other) ==
          std::string{R"({"engine":"http","urls":[")"} + other + R"("],"user_agent":"me"})");
  CHECK(asks(request, item("https://h/a"), "https://h/b").find("Authorization") !=
        std::string::npos);
}

TEST_CASE("a new link has the options of its item: of a single URL, or of its position") {
  CHECK(asks(R"({"url":"http://h/a","name":"n","checksum":"md5:1","mirrors":["http://m/a"]})",
             item("http://h/a"), "http://h/b") ==
        R"({"checksum":"md5:1","engine":"http","mirrors":["http://m/a"],"name":"n",)"
        R"("urls":["http://h/b"]})");
  const std::string list = R"({"urls":["http://h/a","http://h/a"],"each":{"0":{"name":"x"},)"
                           R"("1":{"name":"y","headers":["A: 1"]}}})";
  CHECK(asks(list, item("http://h/a"), "http://h/b").find(R"("each":{"0":{"name":"x"}})") !=
        std::string::npos);
  CHECK(asks(list, item("http://h/a", "http://h/a #2"), "http://h/b")
            .find(R"("each":{"0":{"headers":["A: 1"],"name":"y"}})") != std::string::npos);
  CHECK(asks(list, item("http://h/a", "http://h/a #2"), "http://other/b")
            .find(R"("each":{"0":{"name":"y"}})") != std::string::npos);
}

TEST_CASE("a page that was searched for media is not searched again for a new link") {
  CHECK(asks(R"({"url":"http://h/page","discover":true,"pages_max":3,"name":"n"})",
             item("http://h/a.jpg"),
             "http://h/b.jpg") == R"({"engine":"http","urls":["http://h/b.jpg"]})");
}

TEST_CASE("an item of a program has no link to replace") {
  CHECK(asks(R"({"url":"http://h/a"})", item("http://h/a", "yt-dlp:0:http://h/a"), "http://h/b") ==
        "no_link");
}

TEST_CASE("the item at a new link goes on with the part, and is known by the new address") {
  const NewItem next = continued_at(item("http://h/a"), "HTTP://H:80/new");

  CHECK(next.url == "http://h/new");
  CHECK(next.key == next.url);
  CHECK(next.checkpoint == R"({"replaced":true,"part":"a.part","source":"http://h/a"})");
}

}  // namespace haul::flow
