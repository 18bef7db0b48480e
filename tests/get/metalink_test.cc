// Metalink 4: files with mirrors, hashes and pieces, from a file or a server; and hostile ones.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/io/meta4.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kSize = 8 * kMiB;

std::string url(const FaultServer& server, const std::string& switches = "",
                const std::string& name = "a.bin") {
  return server.url(fmt::format("/f/{}?size={}{}", name, kSize, switches));
}

std::string write(const GetBench& bench, const std::string& text,
                  const std::string& name = "x.meta4") {
  std::ofstream{bench.beside(name)} << text;
  return bench.beside(name).string();
}

const std::string& content() {
  static const std::string bytes = FaultServer::content("a.bin", kSize);
  return bytes;
}

}  // namespace

TEST_CASE("metalink: a file in it lands under its name, from the best source that works") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  const std::string file = write(
      bench, meta4({{.name = "sub/b.bin",
                     .content = content(),
                     .urls = {url(first, "&status=404"), url(second), url(first, "&status=500")}},
                    {.name = "c.bin",
                     .content = FaultServer::content("c", 1'024),
                     .urls = {first.url("/f/c")}}}));

  const Told told = bench.get({file});

  CHECK(told.code == 0);
  CHECK(bench.holds("sub/b.bin", content()));
  CHECK(bench.holds("c.bin", FaultServer::content("c", 1'024)));
  CHECK(bench.ask("SELECT count(*) FROM items WHERE evidence LIKE '{\"kind\":\"hash\"%'") == "2");
}

TEST_CASE("metalink: it can come from a server, by its name or with --metalink") {
  TempFolder root;
  const FaultServer server{"127.0.0.1", root.path().string()};
  const std::string text = meta4({{.name = "a.bin", .content = content(), .urls = {url(server)}}});
  std::ofstream{root / "x.meta4"} << text;
  std::ofstream{root / "x.xml"} << text;

  GetBench bench;
  CHECK(bench.get({server.url("/d/x.meta4")}).code == 0);
  CHECK(bench.listing() == "a.bin");
  CHECK(bench.holds("a.bin", content()));

  GetBench by_flag;
  CHECK(by_flag.get({"--metalink", server.url("/d/x.xml")}).code == 0);
  CHECK(by_flag.holds("a.bin", content()));

  GetBench missing;
  CHECK(missing.get({server.url("/d/none.meta4")}).code == 1);
  CHECK(missing.files().empty());
}

TEST_CASE("metalink: headers go to the server of the Metalink, not to those of its files") {
  TempFolder root;
  const FaultServer server{"127.0.0.1", root.path().string()};
  const FaultServer files{"127.0.0.2"};
  std::ofstream{root / "x.meta4"} << meta4(
      {{.name = "a.bin", .content = content(), .urls = {url(files)}}});
  GetBench bench;

  CHECK(bench.get({"-H", "X-Token: secret", server.url("/d/x.meta4")}).code == 0);
  CHECK(server.log().front().headers.contains("x-token"));
  CHECK(!files.log().front().headers.contains("x-token"));
}

TEST_CASE("metalink: only the damaged piece is fetched again, from another mirror") {
  for (const bool has_hash : {true, false}) {
    CAPTURE(has_hash);
    const FaultServer first;
    const FaultServer second{"127.0.0.2"};
    GetBench bench;
    const std::string file =
        write(bench, meta4({{.name = "a.bin",
                             .content = content(),
                             .urls = {url(first, "&damage=3000000"), url(second)},
                             .piece = kMiB,
                             .has_hash = has_hash}}));

    const Told told = bench.get({file});

    CHECK(told.code == 0);
    CHECK(bench.holds("a.bin", content()));
    CHECK(first.log().size() == 1);
    REQUIRE(second.log().size() == 1);
    CHECK(second.log().front().range == fmt::format("bytes={}-{}", 2 * kMiB, 3 * kMiB - 1));
    const std::string evidence = bench.ask("SELECT evidence FROM items");
    CHECK(evidence.starts_with(has_hash ? R"({"kind":"hash")" : R"({"kind":"pieces")"));
  }
}

TEST_CASE("metalink: each mirror has another piece damaged, and the file is whole") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  const std::string file =
      write(bench, meta4({{.name = "a.bin",
                           .content = content(),
                           .urls = {url(first, "&damage=100"), url(second, "&damage=3000000")},
                           .piece = kMiB}}));

  CHECK(bench.get({file}).code == 0);
  CHECK(bench.holds("a.bin", content()));
}

TEST_CASE("metalink: a piece that every source has damaged fails the file, and nothing is left") {
  const FaultServer server;
  GetBench bench;
  const std::string file = write(bench, meta4({{.name = "a.bin",
                                                .content = content(),
                                                .urls = {url(server, "&damage=100")},
                                                .piece = kMiB}}));

  const Told told = bench.get({file});

  CHECK(told.code == 1);
  CHECK(told.outcome("a.bin") == "failed checksum_mismatch");
  CHECK(bench.files().empty());
  CHECK(std::ranges::any_of(server.log(), [](const auto& each) { return !each.range.empty(); }));
}

TEST_CASE("metalink: a source of another size is left at once") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  const std::string file =
      write(bench, meta4({{.name = "a.bin",
                           .content = content(),
                           .urls = {first.url("/f/a.bin?size=100"), url(second)}}}));

  CHECK(bench.get({file}).code == 0);
  CHECK(bench.holds("a.bin", content()));
}

TEST_CASE("metalink: a hostile document is refused, and nothing is fetched or written") {
  const FaultServer server;
  const std::string head = R"(<metalink xmlns="urn:ietf:params:xml:ns:metalink">)";
  const auto file = [&](const std::string& name) {
    return fmt::format(R"(<file name="{}"><url>{}</url></file>)", name, server.url("/f/a"));
  };
  std::string many = head;
  for (int i = 0; i < 100'000; ++i) many += file(std::to_string(i));
  const std::vector<std::string> hostile = {
      R"(<!DOCTYPE m [<!ENTITY a "aaaaaaaaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>)" +
          head + file("&b;") + "</metalink>",
      head + file("../../evil") + "</metalink>",
      head + file("/tmp/evil") + "</metalink>",
      many + "</metalink>",
      head + R"(<file name="a"><size>99999999999999999999</size></file></metalink>)",
      "<html>a login page</html>",
  };
  for (const std::string& text : hostile) {
    CAPTURE(text.substr(0, 120));
    GetBench bench;
    const Told told = bench.get({write(bench, text)});
    CHECK(told.code == 1);
    CHECK(told.err.find("bad_metalink") != std::string::npos);
    CHECK(!std::filesystem::exists(bench.folder()));
  }
  CHECK(server.log().empty());
}

TEST_CASE("metalink: options for one file, and other URLs beside it, are refused") {
  const FaultServer server;
  GetBench bench;
  const std::string file =
      write(bench, meta4({{.name = "a.bin", .content = content(), .urls = {url(server)}}}));
  CHECK(bench.get({"-o", "b.bin", file}).code == 2);
  CHECK(bench.get({file, server.url("/f/b")}).code == 2);
  CHECK(bench.get({"--mirror", server.url("/f/b"), file}).code == 2);
  CHECK(bench.get({"--metalink", bench.beside("none.meta4").string()}).code == 2);
  CHECK(server.log().empty());
}

TEST_CASE("metalink: an answer of its type is one, whatever its name") {
  TempFolder root;
  const FaultServer server{"127.0.0.1", root.path().string()};
  std::ofstream{root / "x"} << meta4(
      {{.name = "a.bin", .content = content(), .urls = {url(server)}}});
  const std::string link = server.url("/d/x?type=application/metalink4%2Bxml");

  GetBench alone;
  const Told told = alone.get({link});
  CHECK(told.code == 0);
  CHECK(alone.listing() == "a.bin");
  CHECK(alone.holds("a.bin", content()));
  CHECK(told.of_type("summary").size() == 1);
  CHECK(told.summary().at("failed") == "0");

  GetBench among;
  CHECK(among.get({server.url("/f/c"), link}).code == 0);
  CHECK(among.listing() == "a.bin, c");

  GetBench named;  // -o names a file, so it is downloaded as it is.
  CHECK(named.get({"-o", "x.xml", link}).code == 0);
  CHECK(named.listing() == "x.xml");
  GetBench other;
  CHECK(other.get({server.url("/d/x?type=application/xml")}).code == 0);
  CHECK(other.listing().starts_with("x"));
}

TEST_CASE("metalink: a broken or too large answer of its type says so, and leaves nothing") {
  TempFolder root;
  const FaultServer server{"127.0.0.1", root.path().string()};
  std::ofstream{root / "broken"} << "<metalink";
  std::ofstream{root / "large"} << std::string((std::size_t{16} << 20U) + 1, ' ');

  for (const std::string name : {"broken", "large"}) {
    CAPTURE(name);
    GetBench bench;
    const Told told = bench.get({server.url("/d/" + name + "?type=application/metalink4%2Bxml")});
    CHECK(told.code == 1);
    CHECK(told.err.find("/d/" + name) != std::string::npos);
    CHECK(bench.files().empty());
  }
}
