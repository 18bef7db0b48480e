// Lists: options of single URLs, and files of checksums.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

TEST_CASE("get: -i takes options of a URL on the indented lines after it, as aria2 does") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  std::ofstream{list} << server.url("/f/a?size=10") << "\n"
                      << "  out=mine.bin\n  dir=sub/deep\n"
                      << "  checksum=sha-256=" << FaultServer::content_sha256("a", 10) << "\n"
                      << server.url("/f/b?size=10") << "\n"
                      << "\theader=X-Own: 1\n\treferer=http://from.example/\n"
                      << "\tuser-agent=me/1\n dir=other\n"
                      << server.url("/f/c?size=10") << "\n"
                      << " checksum=md5=00000000000000000000000000000000\n"
                      << server.url("/f/d?size=10") << "\n";
  const Told told = bench.get({"-i", list.string()});

  CHECK(told.code == 1);
  CHECK(bench.holds("sub/deep/mine.bin", FaultServer::content("a", 10)));
  CHECK(bench.holds("other/b", FaultServer::content("b", 10)));
  CHECK(told.item("/f/a")["evidence"] == "hash");
  CHECK(told.outcome("/f/c") == "failed checksum_mismatch");
  CHECK(bench.listing() == "d, other, sub");
  for (const LoggedRequest& request : server.log()) {
    const bool is_own = request.path == "/f/b";
    CHECK(request.headers.contains("x-own") == is_own);
    CHECK(request.headers.contains("referer") == is_own);
    CHECK((request.headers.at("user-agent") == "me/1") == is_own);
  }
}

TEST_CASE("get: a wrong line of a list is refused with its number") {
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  struct LineCase {
    std::string lines;
    std::string said;
  };
  const std::vector<LineCase> cases = {
      {"http://h/a\n  outt=x\n", R"(:2: no such option \"outt\"; did you mean \"out\"?)"},
      {"http://h/a\n  split=5\n", R"(:2: no such option \"split\")"},
      {"  out=x\nhttp://h/a\n", ":1: an option before the first URL"},
      {"http://h/a\n  out=../x\n", R"(:2: out: \"..\" is not allowed)"},
      {"http://h/a\n  out=/etc/x\n", ":2: out: must be below the folder"},
      {"http://h/a\n\n  dir=/etc\n", ":3: dir: must be below the folder"},
      {"http://h/a\n  checksum=sha-256=12\n", ":2: checksum: expected sha-256="},
      {"http://h/a\n  header=nocolon\n", ":2: header: "},
      {"http://h/a\tftp://m/a\n", ":1: mirror: "},
  };
  for (const LineCase& one : cases) {
    std::ofstream{list, std::ios::trunc} << one.lines;
    const Told told = bench.get({"-i", list.string()});
    CAPTURE(one.lines);
    CAPTURE(told.err);
    CHECK(told.code == 2);
    CHECK(told.err.find(list.string() + one.said) != std::string::npos);
  }
}

TEST_CASE("get: --checksum-file checks each file by its name, and fails one that it has not") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path sums = bench.beside("SHA256SUMS");
  std::ofstream{sums} << FaultServer::content_sha256("a.bin", 10) << "  a.bin\n"
                      << std::string(64, '0') << " *dir/b.bin\n"
                      << "SHA256 (c.bin) = " << FaultServer::content_sha256("c.bin", 10) << "\n";
  const Told told = bench.get({"--checksum-file", sums.string(), server.url("/f/a.bin?size=10"),
                               server.url("/f/b.bin?size=10"), server.url("/f/c.bin?size=10"),
                               server.url("/f/d.bin?size=10")});

  CHECK(told.item("/f/a.bin")["evidence"] == "hash");
  CHECK(told.outcome("/f/b.bin") == "failed checksum_mismatch");
  CHECK(told.item("/f/c.bin")["evidence"] == "hash");
  CHECK(told.outcome("/f/d.bin") == "failed checksum_missing");
  CHECK(bench.listing() == "a.bin, c.bin");
  std::ofstream{sums, std::ios::trunc} << "nonsense\n";
  CHECK(bench.get({"--checksum-file", sums.string(), server.url("/f/a.bin")})
            .err.find("SHA256SUMS:1: expected a checksum") != std::string::npos);
}

TEST_CASE("get: one URL with two names is two files, and again none is fetched") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  const std::string url = server.url("/f/a?size=10");
  std::ofstream{list} << url << "\n out=x\n" << url << "\n out=y\n" << url << "\n out=x\n";
  CHECK(bench.get({"-i", list.string()}).code == 0);
  CHECK(bench.listing() == "x, y");
  CHECK(bench.holds("y", FaultServer::content("a", 10)));

  std::ofstream{list, std::ios::trunc} << url << "\n out=y\n" << url << "\n out=x\n" << url << "\n";
  const Told again = bench.get({"-i", list.string()});
  CHECK(again.code == 0);
  CHECK(bench.listing() == "a, x, y");
  CHECK(again.summary()["bytes"] == "10");  // Only the one with the server's name.
  CHECK(bench.get({"--dry-run", "-i", list.string()}).out.find("/x") != std::string::npos);
}

TEST_CASE("get: the file of --save-failed has the options of each URL, and -i takes it") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  const std::filesystem::path failed = bench.beside("failed");
  std::ofstream{list} << server.url("/f/a?size=10&status=404&status_times=1") << "\n"
                      << " out=mine\n dir=sub\n header=X-Own: 1\n"
                      << server.url("/f/b?size=10") << "\n out=other\n";
  CHECK(bench.get({"-i", list.string(), "--save-failed", failed.string()}).code == 1);
  CHECK(bench.listing() == "other");

  CHECK(bench.get({"-i", failed.string()}).code == 0);
  CHECK(bench.holds("sub/mine", FaultServer::content("a", 10)));
  CHECK(bench.listing() == "other, sub");
  CHECK(server.log().back().headers.contains("x-own"));
}

namespace {

// `haul get -i -` that has got the first URL, /f/a, and waits for the rest of its list.
struct GrowingList {
  FaultServer server;
  GetBench bench;
  std::filesystem::path more = bench.beside("more");
  std::optional<Child> child;

  GrowingList() {
    std::string words;
    for (const std::string& word : bench.command({"-i", "-"})) words += "'" + word + "' ";
    REQUIRE(::mkfifo(more.c_str(), 0600) == 0);
    child.emplace(Words{
        "/bin/sh", "-c",
        fmt::format("(echo '{}'; cat {}) | {}", server.url("/f/a?size=10"), more.string(), words)});
    bool has_first = false;
    for (int i = 0; i < 60 && !has_first; ++i) {
      const auto line = child->line();
      REQUIRE(line);
      has_first = line->find(R"("outcome":"completed")") != std::string::npos;
    }
    REQUIRE(has_first);
  }
  Told end_with(const std::string& lines) {
    std::ofstream{more} << lines;
    return told(*child);
  }
};

}  // namespace

TEST_CASE("Z-10: -i - downloads while standard input is still open, and takes what comes later") {
  GrowingList list;
  CHECK(list.bench.listing() == "a");
  const Told told = list.end_with(list.server.url("/f/b?size=10") + "\n out=mine\n" +
                                  list.server.url("/f/c?size=10") + "\n");

  CHECK(told.code == 0);
  CHECK(list.bench.listing() == "a, c, mine");
  CHECK(told.summary()["total"] == "3");
  CHECK(list.bench.ask("SELECT count(*) FROM jobs") == "1");
}

TEST_CASE("Z-10: a wrong line that comes later ends the list") {
  GrowingList list;
  const Told told = list.end_with(list.server.url("/f/b") + "\n" + list.server.url("/f/c") +
                                  "\n outt=x\n" + list.server.url("/f/d") + "\n");

  CHECK(told.code == 1);
  CHECK(told.out.find("standard input:4: no such option") != std::string::npos);
  CHECK(list.bench.listing() == "a, b");
}
