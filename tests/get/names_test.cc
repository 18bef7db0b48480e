// S2-24: hostile file names, list N, in every place where HTTP carries a name; and what happens if
// a name is taken.

#include "hostile/names.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "io/file/filename.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// Numbers equal names. The result is sorted, because files may arrive in any order.
Words numbered_apart(const Words& names) {
  std::map<std::string, int> seen;
  Words apart;
  for (const std::string& name : names) apart.push_back(io::numbered(name, ++seen[name]));
  std::ranges::sort(apart);
  return apart;
}

void check_same(const Words& got, const Words& wanted) {
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == wanted[i]);
}

bool is_dots(const std::string& name) { return name == "." || name == ".."; }

}  // namespace

TEST_CASE("S2-24, N: a name in an address becomes one safe component") {
  const FaultServer server;
  GetBench bench;
  Words urls;
  Words wanted;
  int number = 0;
  for (const auto& list : {kHostileNames, kBrokenNames})
    for (const HostileName& one : list) {
      if (is_dots(one.wanted) || one.wanted.empty()) continue;  // Not possible as a name in a URL.
      urls.push_back(server.url(fmt::format("/f/{}/{}?size=20", number++, encoded(one.wanted))));
      wanted.push_back(one.last.empty() ? one.safe : one.last);
      // Nothing follows the last slash, so the host's name is used.
      if (one.wanted == "a/") wanted.back() = "127.0.0.1";
    }
  const Told told = bench.get(urls);

  CHECK(told.code == 0);
  check_same(bench.files(), numbered_apart(wanted));
}

TEST_CASE("S2-24, N, H34: a name in Content-Disposition becomes one safe component") {
  const FaultServer server;
  GetBench bench;
  Words urls;
  Words wanted;
  int number = 0;
  for (const HostileName& one : kHostileNames) {
    const std::string header = "attachment; filename*=UTF-8''" + encoded(one.wanted);
    urls.push_back(
        server.url(fmt::format("/f/{}/url.bin?size=20&disposition={}", number++, encoded(header))));
    wanted.push_back(one.last.empty() ? one.safe : one.last);
    // Without a name in the header, the URL's is used.
    if (one.wanted.empty() || one.wanted == "a/") wanted.back() = "url.bin";
  }
  const Told told = bench.get(urls);

  CHECK(told.code == 0);
  check_same(bench.files(), numbered_apart(wanted));
}

TEST_CASE("H34, H36, H37: of the names in Content-Disposition the right one counts") {
  struct HeaderCase {
    std::string header;
    std::string name;
  };
  // clang-format off
  const std::vector<HeaderCase> cases = {
      {R"(attachment; filename="../../x")",                              "x"},
      {R"(attachment; filename="..\\..\\y")",                            "y"},
      {R"(attachment; filename*=iso-8859-1'en'%A3.txt)",                 "£.txt"},
      {R"(attachment; filename="plain.txt"; filename*=UTF-8''better.txt)", "better.txt"},
      {R"(attachment; filename*=UTF-8''%zz; filename="kept.txt")",       "kept.txt"},
      {R"(inline; filename=word.txt)",                                   "word.txt"},
      {"attachment; filename=\"\xc3\xa9.txt\"",                          "é.txt"},
      {"attachment; filename=\"L\xe9.txt\"",                             "Lé.txt"},
      {R"(attachment)",                                                  "url.bin"},
  };
  // clang-format on
  const FaultServer server;
  GetBench bench;
  Words urls;
  Words wanted;
  for (const HeaderCase& one : cases) {
    urls.push_back(server.url(
        fmt::format("/f/{}/url.bin?size=1&disposition={}", wanted.size(), encoded(one.header))));
    wanted.push_back(one.name);
  }
  bench.get(urls);
  check_same(bench.files(), numbered_apart(wanted));
}

TEST_CASE("S2-24: a name that is taken gets a number, and what was there is never touched") {
  const FaultServer server;
  GetBench bench;
  bench.put("a.tar.gz", "mine");
  std::filesystem::create_directory(bench.folder() / "b");
  std::filesystem::create_symlink(bench.beside("outside"), bench.folder() / "c");
  const Told told = bench.get({server.url("/f/a.tar.gz?size=1"), server.url("/f/1/a.tar.gz?size=2"),
                               server.url("/f/b"), server.url("/f/c")});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a (2).tar.gz, a (3).tar.gz, a.tar.gz, b, b (2), c, c (2)");
  CHECK(bench.holds("a.tar.gz", "mine"));
  CHECK_FALSE(std::filesystem::exists(bench.beside("outside")));
}

TEST_CASE("S2-24: fetched again, a file is there twice, and the first is as it was") {
  const FaultServer server;
  GetBench bench;
  bench.get({server.url("/f/a.bin?size=10")});
  bench.get({"--keep-both", server.url("/f/a.bin?size=10")});

  CHECK(bench.listing() == "a (2).bin, a.bin");
  CHECK(bench.holds("a.bin", FaultServer::content("a.bin", 10)));
}

TEST_CASE("S2-24: without a name the host's is taken, and the type gives an extension") {
  const FaultServer server;
  GetBench bench;
  bench.get({server.url("/f/?size=1&type=video%2Fmp4"), server.url("/f/x?size=8&type=image%2Fpng"),
             server.url("/f/y.bin?size=1&type=image%2Fpng")});

  CHECK(bench.listing() == "127.0.0.1, x.png, y.bin");
}

TEST_CASE("brackets and braces in an address are letters like any other") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({server.url("/f/a[1-1000000]{b,c}.bin?size=1")});

  CHECK(told.code == 0);
  CHECK(server.log().size() == 1);
  CHECK(bench.listing() == "a[1-1000000]{b,c}.bin");
}
