#include "cli/commands/get_more.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::cli;

TEST_CASE("a time is seconds as in curl, or has a unit") {
  CHECK(read_seconds("2.5") == "2500ms");
  CHECK(read_seconds("10") == "10000ms");
  CHECK(read_seconds("0.0001") == "1ms");
  CHECK(read_seconds("500ms") == "500ms");
  CHECK(read_seconds("2m") == "2m");
  for (const char* wrong : {"", "0", "-1", "soon", "1e3", "inf", "0s", "1 2", "99999999999"})
    CHECK_FALSE(read_seconds(wrong));
}

TEST_CASE("-o is split into folder and name, and leaves the folder only by an absolute path") {
  const auto split = [](const char* output) {
    const auto path = split_output("/in", output);
    return path ? path->folder.string() + " " + path->name : path.error().code;
  };
  CHECK(split("a.bin") == "/in a.bin");
  CHECK(split("./a//b.bin") == "/in a/b.bin");
  CHECK(split("/x/../y/b.bin") == "/y b.bin");
  CHECK(split("...") == "/in ...");
  for (const char* wrong : {"..", ".", "a/", "a/..", "../a", "a/../b", "/a/"})
    CHECK(split(wrong) == "bad_usage");
}

TEST_CASE("-u is the login of each given origin, unless the URL has its own") {
  const GetMore more{.login = "u:p"};
  const std::vector<std::string> urls{"https://a.example/x", "https://b.example/y",
                                      "https://own:pw@c.example/z"};
  const auto fields = more_fields(more, urls);
  REQUIRE(fields);
  CHECK(fields->at("logins") == R"({"https://a.example":"u:p","https://b.example":"u:p",)"
                                R"("https://c.example":"own:pw"})");
  CHECK(without_logins(more, urls)[2] == "https://c.example/z");
  CHECK(without_logins({}, urls)[2] == urls[2]);
  CHECK_FALSE(more_fields({.login = "u"}, urls));
  CHECK_FALSE(more_fields({.login = ":p"}, urls));
}

TEST_CASE("a checksum file has the form of sha256sum or of BSD, and a wrong line is named") {
  const testing::TempFolder folder;
  const auto read = [&](const std::string& lines) {
    std::ofstream{folder / "sums", std::ios::trunc} << lines;
    return read_checksum_file(folder / "sums");
  };
  const std::string md5(32, 'a');
  const std::string sha512(128, 'B');
  CHECK(*read("# c\n\n" + md5 + "  a b.bin\n" + sha512 + " *d/c\n") ==
        std::vector<std::string>{"md5:" + md5 + " a b.bin", "sha512:" + sha512 + " c"});
  CHECK(*read("MD5 (a (1).bin) = " + md5) == std::vector<std::string>{"md5:" + md5 + " a (1).bin"});
  for (const std::string& wrong : {std::string{}, md5, md5 + " a", md5 + "  ", "x" + md5 + "  a",
                                   std::string{"CRC32 (a) = 12345678"}})
    CHECK_FALSE(read(wrong));
  CHECK(read(md5 + "  a\nnonsense\n").error().detail.find("sums:2: ") != std::string::npos);
}
