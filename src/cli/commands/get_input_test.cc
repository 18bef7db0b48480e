#include "cli/commands/get_input.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace haul;
using namespace haul::cli;

namespace {

GetBatch batch_of(const std::string& text) {
  GetBatch batch{.request = {}, .input = "list"};
  std::istringstream lines{text};
  REQUIRE(read_input(lines, batch));
  return batch;
}

std::string refused(const std::string& text) {
  GetBatch batch{.request = {}, .input = "list"};
  std::istringstream lines{text};
  const auto read = read_input(lines, batch);
  return read ? "" : read.error().detail;
}

}  // namespace

TEST_CASE("a list has a URL per line, past blanks and comments, also after blanks") {
  const GetBatch batch = batch_of("# mine\n\n  http://h/a?x=1  \r\nhttp://h/b\n");

  CHECK(batch.urls == std::vector<std::string>{"http://h/a?x=1", "http://h/b"});
  CHECK(batch.lines == std::vector<std::size_t>{3, 4});
  CHECK(batch.each.empty());
}

TEST_CASE("indented lines are the options of the URL before them") {
  const GetBatch batch = batch_of(
      "http://h/a\n out=x.bin\n dir=sub\n# comment\n\n checksum=md5=" + std::string(32, 'A') +
      "\nhttp://h/b\nhttp://h/c\n\theader=X: http://h/?a=b\n\treferer=http://r/\n dir=only\n");

  REQUIRE(batch.each.size() == 2);
  CHECK(batch.each.at(0) ==
        R"({"name":"sub/x.bin","checksum":"md5:)" + std::string(32, 'A') + "\"}");
  CHECK(batch.each.at(2) ==
        R"({"name":"only/","headers":["X: http://h/?a=b","Referer: http://r/"]})");
}

TEST_CASE("a line that is no URL and no option is refused with its number") {
  CHECK(refused("http://h/a\n nonsense=1\n").starts_with("list:2: no such option \"nonsense\""));
  CHECK(refused("http://h/a\n refere=1\n").ends_with("did you mean \"referer\"?"));
  CHECK(refused("http://h/a\n out\n") == "list:2: expected out=VALUE");
  CHECK(refused("http://h/a\n out=a/../../b\n") == "list:2: out: \"..\" is not allowed");
  CHECK(refused("http://h/a\n out=a/\n") == "list:2: out: names no file");
  CHECK(refused("http://h/a\n dir=\n") == "list:2: dir: expected a path");
  CHECK(refused(" out=a\n") == "list:1: an option before the first URL");
}

TEST_CASE("the URLs after a tab are mirrors of the first") {
  const GetBatch batch = batch_of("http://h/a\thttp://i/a\t\thttps://j/a\t\n out=x\nhttp://h/b\n");

  CHECK(batch.urls == std::vector<std::string>{"http://h/a", "http://h/b"});
  REQUIRE(batch.each.size() == 1);
  CHECK(batch.each.at(0) == R"({"name":"x","mirrors":["http://i/a","https://j/a"]})");
  CHECK(batch.texts.at(0) == "  mirror=http://i/a\n  mirror=https://j/a\n  out=x\n");
  CHECK(batch_of("http://h/a\n" + batch.texts.at(0)).each.at(0) == batch.each.at(0));

  CHECK(refused("http://h/a\thttp://u:p@i/b\n").ends_with("cannot have a login"));
  CHECK(refused("http://h/a\tnonsense\n").starts_with("list:1: mirror: "));
  std::string many = "http://h/a";
  for (int i = 0; i < 15; ++i) many += "\thttp://i/a";
  CHECK(refused(many).empty());
  CHECK(refused(many + "\thttp://i/a") == "list:1: mirror: more than 15 of one file");
}
