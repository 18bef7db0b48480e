// Z-24: the same command again fetches only what is not here yet. What an earlier run landed is
// asked about without a body, and a file that haul did not land, or that has changed, stays.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "support/process/get_bench.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr std::size_t kSize = 100'000;
constexpr auto kChanged = FaultServer::Version::changed;

// "GET 200, HEAD 200"
std::string dialogue(const FaultServer& server, const std::string& path) {
  std::string text;
  for (const LoggedRequest& request : server.log())
    if (request.path == path)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", request.method, request.status);
  return text;
}

std::string url_of(const FaultServer& server, const std::string& name,
                   const std::string& switches = "") {
  return server.url(
      fmt::format("/f/{}?size={}{}{}", name, kSize, switches.empty() ? "" : "&", switches));
}

// A member of the receipt of an item, or "none".
std::string receipt(const GetBench& bench, int n, const std::string& member) {
  return bench.ask(fmt::format(
      "SELECT coalesce(json_extract(evidence, '$.{}'), 'none') FROM items WHERE job = 1 AND n = {}",
      member, n));
}

}  // namespace

TEST_CASE("Z-24: every file that landed has a receipt: where from, which version, size and time") {
  const FaultServer server;
  GetBench bench;
  const std::string moved = server.url("/f/b?size=5&redirect_chain=1&etag=none");
  bench.get({"--hash", "sha256", url_of(server, "a", "etag=%22v1%22"), moved});

  CHECK(receipt(bench, 1, "kind") == "etag");
  CHECK(receipt(bench, 1, "etag") == "\"v1\"");
  CHECK(receipt(bench, 1, "size") == std::to_string(kSize));
  CHECK(receipt(bench, 1, "last_modified") == "Mon, 01 Jan 2024 00:00:00 GMT");
  CHECK(receipt(bench, 1, "sha256") == FaultServer::content_sha256("a", kSize));
  CHECK(receipt(bench, 1, "mtime").starts_with("2024-01-01T00:00:00.000000000Z"));
  CHECK(receipt(bench, 1, "url") == "none");  // Only where redirects have led is recorded.
  CHECK(receipt(bench, 1, "ranges") == "none");
  CHECK(bench.ask("SELECT url FROM items WHERE n = 2") == moved);
  CHECK(receipt(bench, 2, "kind") == "size");
  CHECK(receipt(bench, 2, "size") == "5");
  CHECK(receipt(bench, 2, "url") == server.url("/f/b?redirect_chain=0&size=5&etag=none"));
  CHECK(receipt(bench, 2, "sha256") == FaultServer::content_sha256("b", 5));
  CHECK(bench.ask("SELECT count(*) FROM items WHERE updated_at > 0") == "2");
}

TEST_CASE("Z-24: the receipt of a file that came in several answers has the range of each") {
  const FaultServer server;
  GetBench bench;
  const std::string resumed = url_of(server, "a", "close_after=40000&close_times=1");
  REQUIRE(bench.get({resumed, url_of(server, "b")}).code == 0);
  CHECK(receipt(bench, 1, "ranges") == "[[0,40000],[40000,100000]]");
  CHECK(receipt(bench, 2, "ranges") == "none");
  CHECK(bench.get({resumed}).item("/f/a")["evidence"] == "already_here");
  CHECK(bench.ask("SELECT json_extract(evidence, '$.ranges') FROM items WHERE job = 2") ==
        "[[0,40000],[40000,100000]]");

  // A part that cannot be resumed starts again, and then one answer has all bytes.
  GetBench again;
  const std::string anew = url_of(server, "c", "close_after=40000&close_times=1&ranges=ignore");
  REQUIRE(again.get({anew}).code == 0);
  CHECK(receipt(again, 1, "ranges") == "none");
}

TEST_CASE("Z-24: the receipt of a file of four connections has the ranges that they fetched") {
  const FaultServer server;
  GetBench bench;
  constexpr int kLarge = 32 << 20;
  REQUIRE(bench.get({"--segments", "4", server.url(fmt::format("/f/a?size={}", kLarge))}).code ==
          0);

  CHECK(receipt(bench, 1, "ranges") ==
        "[[0,8388608],[8388608,16777216],[16777216,25165824],[25165824,33554432]]");
  CHECK(receipt(bench, 1, "segments") == "4");
}

TEST_CASE("Z-24: the same command again reports the file as here, and fetches no byte") {
  const FaultServer server;
  GetBench bench;
  struct Case {
    std::string name;
    std::string switches;
  };
  const std::vector<Case> cases = {{"strong", ""},
                                   {"weak", "etag=weak"},
                                   {"date", "etag=none"},
                                   {"nothing", "etag=none&last_modified=none"},
                                   {"chunks", "etag=none&last_modified=none&chunked=ok"},
                                   {"hops", "redirect_chain=2"},
                                   {"named", "disposition=attachment%3B%20filename%3Dother"}};
  Words urls;
  for (const Case& one : cases) urls.push_back(url_of(server, one.name, one.switches));
  REQUIRE(bench.get(urls).code == 0);
  const std::string before = bench.listing();
  const std::size_t asked = server.log().size();
  Told again = bench.get(urls);

  CHECK(again.code == 0);
  CHECK(bench.listing() == before);
  for (const Case& one : cases) {
    CAPTURE(one.name);
    CHECK(again.outcome("/f/" + one.name) == "completed");
    CHECK(again.item("/f/" + one.name)["evidence"] == "already_here");
  }
  const auto log = server.log();
  for (std::size_t i = asked; i < log.size(); ++i) CHECK(log[i].method == "HEAD");
  CHECK(again.summary()["downloaded"] == std::to_string(cases.size()));
  CHECK(again.summary()["bytes"] == "0");
  CHECK(bench.ask("SELECT count(*), group_concat(DISTINCT json_extract(evidence, '$.kind')) "
                  "FROM items WHERE job = 2 AND state = 'COMPLETED'") == "7|already_here");
  CHECK(bench.get(urls).item("/f/strong")["evidence"] == "already_here");  // And once more.
}

TEST_CASE("Z-24: a server that refuses HEAD has no validators; one that is busy is asked again") {
  const FaultServer server;
  GetBench bench;
  const std::string refused = url_of(server, "a", "head_status=405");
  const std::string failing = url_of(server, "b", "head_status=501");
  REQUIRE(bench.get({refused, failing}).code == 0);
  Told told = bench.get({refused, failing});

  CHECK(told.code == 0);
  CHECK(told.item("/f/a")["evidence"] == "already_here");
  CHECK(told.item("/f/b")["evidence"] == "already_here");
  CHECK(dialogue(server, "/f/a") == "GET 200, HEAD 405");
  CHECK(bench.listing() == "a, b");

  const std::string busy = url_of(server, "c", "head_status=503");
  REQUIRE(bench.get({busy}).code == 0);
  CHECK(bench.get({busy}).outcome("/f/c") == "failed http_503");
  CHECK(bench.listing() == "a, b, c");
}

TEST_CASE("Z-24: a new version on the server lands beside the old one, and the output says so") {
  const FaultServer server;
  GetBench bench;
  const std::string url = url_of(server, "a", "etag_change_after=1");
  REQUIRE(bench.get({url}).code == 0);
  Told told = bench.get({url});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a, a (2)");
  CHECK(bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(bench.holds("a (2)", FaultServer::content("a", kSize, kChanged)));
  CHECK(told.item("/f/a")["detail"].find("new version") != std::string::npos);
  CHECK(dialogue(server, "/f/a") == "GET 200, HEAD 200, GET 200");

  CHECK(bench.get({url}).item("/f/a")["evidence"] == "already_here");  // The newer one is.
  CHECK(bench.listing() == "a, a (2)");
}

TEST_CASE("Z-24: a file that was changed, replaced or never fetched by haul is not overwritten") {
  const FaultServer server;
  GetBench bench;
  const Words urls{url_of(server, "a"), url_of(server, "b"), url_of(server, "c")};
  bench.put("c", "foreign");
  REQUIRE(bench.get(urls).code == 0);
  CHECK(bench.listing() == "a, b, c, c (2)");
  bench.put("a", "mine");
  std::filesystem::remove(bench.folder() / "b");
  Told told = bench.get(urls);

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a, a (2), b, c, c (2)");
  CHECK(bench.content("a") == "mine");
  CHECK(bench.holds("a (2)", FaultServer::content("a", kSize)));
  CHECK(bench.holds("b", FaultServer::content("b", kSize)));
  CHECK(bench.content("c") == "foreign");
  CHECK(told.item("/f/c")["evidence"] == "already_here");
}

TEST_CASE("Z-24: after a partial failure the same command fetches only what failed") {
  const FaultServer server;
  GetBench bench;
  const Words urls{url_of(server, "a"), url_of(server, "b", "status=404&status_times=1")};
  CHECK(bench.get(urls).code == 1);
  const Told told = bench.get(urls);

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a, b");
  CHECK(dialogue(server, "/f/a") == "GET 200, HEAD 200");
  CHECK(dialogue(server, "/f/b") == "GET 404, GET 200");
}

TEST_CASE("Z-24: --update replaces the file of an earlier run, and no other") {
  const FaultServer server;
  GetBench bench;
  const Words urls{url_of(server, "a", "etag_change_after=1"),
                   url_of(server, "b", "etag_change_after=1"), url_of(server, "c")};
  REQUIRE(bench.get(urls).code == 0);
  bench.put("b", "mine");
  Told told = bench.get({"--update", urls[0], urls[1], urls[2]});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a, b, b (2), c");
  CHECK(bench.holds("a", FaultServer::content("a", kSize, kChanged)));
  CHECK(bench.content("b") == "mine");
  CHECK(bench.holds("b (2)", FaultServer::content("b", kSize, kChanged)));
  CHECK(told.item("/f/c")["evidence"] == "already_here");
}

TEST_CASE("Z-24: an --update that the server breaks off keeps the old file; the next resumes it") {
  constexpr std::size_t kLarge = 6'000'000;
  const FaultServer server;
  GetBench bench;
  // Each whole body breaks off, also that of the first version, whose rest is the second request.
  const std::string url =
      server.url("/f/a?size=6000000&reset_after=4000000&reset_times=4&etag_change_after=2");
  REQUIRE(bench.get({url}).code == 0);
  const Told broken = bench.get({"--update", "--retries", "0", url});

  CHECK(broken.code == 1);
  CHECK(broken.outcome("/f/a") == "failed connection_lost");
  CHECK(bench.holds("a", FaultServer::content("a", kLarge)));
  CHECK(bench.files().size() == 2);
  CHECK(bench.listing().starts_with("a, a.haul-"));

  CHECK(bench.get({"--update", url}).code == 0);
  CHECK(bench.listing() == "a");
  CHECK(bench.holds("a", FaultServer::content("a", kLarge, kChanged)));
  CHECK(dialogue(server, "/f/a") == "GET 200, GET 206, HEAD 200, GET 200, GET 206");
  CHECK(server.log().back().range == "bytes=4000000-");
}

TEST_CASE("Z-24: an --update that is killed keeps the old file; the next one resumes it") {
  constexpr std::size_t kLarge = 6'000'000;
  const FaultServer server;
  GetBench bench;
  // The first version arrives in two requests. The whole body of the second version stalls.
  const std::string url = server.url(
      "/f/a?size=6000000&close_after=4000000&close_times=1&stall_after=4500000&stall_times=4&"
      "etag_change_after=2");
  REQUIRE(bench.get({url}).code == 0);
  Child update{bench.command({"--update", url})};
  REQUIRE(comes_true([&] {
    return bench.ask("SELECT count(*) FROM items WHERE job = 2 AND checkpoint IS NOT NULL") == "1";
  }));
  CHECK(update.kill() == -SIGKILL);

  CHECK(bench.holds("a", FaultServer::content("a", kLarge)));
  CHECK(bench.files().size() == 2);
  CHECK(bench.listing().starts_with("a, a.haul-"));

  CHECK(bench.get({"--update", url}).code == 0);
  CHECK(bench.listing() == "a");
  CHECK(bench.holds("a", FaultServer::content("a", kLarge, kChanged)));
  CHECK(dialogue(server, "/f/a") == "GET 200, GET 206, HEAD 200, GET 200, GET 206");
}

TEST_CASE("Z-24: --overwrite replaces a plain file that has the name, for one URL") {
  const FaultServer server;
  GetBench bench;
  bench.put("a", "foreign");
  CHECK(bench.get({"--overwrite", url_of(server, "a")}).code == 0);
  CHECK(bench.listing() == "a");
  CHECK(bench.content("a").size() == kSize);

  const auto both = bench.get({"--overwrite", url_of(server, "a"), server.url("/f/x/a?size=9")});
  CHECK(both.code == 2);
  CHECK(bench.content("a").size() == kSize);
}

TEST_CASE("Z-24: --overwrite leaves a pipe, a link or a folder in its place") {
  const FaultServer server;
  GetBench bench;
  std::filesystem::create_directories(bench.folder() / "folder");
  REQUIRE(::mkfifo((bench.folder() / "pipe").c_str(), 0600) == 0);
  bench.put("aim", "foreign");
  std::filesystem::create_symlink("aim", bench.folder() / "link");
  std::filesystem::create_symlink("nowhere", bench.folder() / "broken");

  for (const char* name : {"pipe", "folder", "link", "broken"}) {
    CAPTURE(name);
    const Told told = bench.get({"--overwrite", url_of(server, name)});
    CHECK(told.code == 1);
    CHECK(told.outcome(std::string{"/f/"} + name) == "failed not_a_file");
  }
  CHECK(std::filesystem::is_fifo(bench.folder() / "pipe"));
  CHECK(std::filesystem::is_empty(bench.folder() / "folder"));
  CHECK(std::filesystem::read_symlink(bench.folder() / "link") == "aim");
  CHECK(std::filesystem::read_symlink(bench.folder() / "broken") == "nowhere");
  CHECK(bench.content("aim") == "foreign");
}

TEST_CASE("Z-24: --no-clobber skips what is here, and --keep-both fetches it again") {
  const FaultServer server;
  GetBench bench;
  bench.put("a", "foreign");
  const Told skipped = bench.get({"--no-clobber", url_of(server, "a"), url_of(server, "b")});

  CHECK(skipped.code == 0);
  CHECK(skipped.outcome("/f/a") == "skipped exists");
  CHECK(bench.listing() == "a, b");
  CHECK(dialogue(server, "/f/a").empty());

  CHECK(bench.get({"--keep-both", url_of(server, "b")}).code == 0);
  CHECK(bench.listing() == "a, b, b (2)");
  CHECK(bench.get({"--update", "--keep-both", url_of(server, "b")}).code == 2);
}

TEST_CASE("Z-24: another name or another checksum is another destination") {
  const FaultServer server;
  GetBench bench;
  REQUIRE(bench.get({url_of(server, "a")}).code == 0);
  CHECK(bench.get({"-o", "mine", url_of(server, "a")}).code == 0);
  CHECK(bench.listing() == "a, mine");
  CHECK(bench.get({"-o", "mine", url_of(server, "a")}).item("/f/a")["evidence"] == "already_here");
  CHECK(bench.get({url_of(server, "a")}).item("/f/a")["evidence"] == "already_here");
  CHECK(bench.listing() == "a, mine");
  CHECK(bench.get({"--checksum", "sha256:" + std::string(64, '0'), url_of(server, "a")}).code == 1);
}

TEST_CASE("Z-24: validators that change with each answer, or a HEAD of length 0, make no copies") {
  const FaultServer server;
  GetBench bench;
  const Words urls{url_of(server, "tag", "etag=each&last_modified=none"),
                   url_of(server, "date", "etag=none&last_modified=each"),
                   url_of(server, "both", "etag=each&last_modified=each"),
                   url_of(server, "zero", "etag=none&last_modified=none&head_length=0"),
                   url_of(server, "wrong", "etag=none&last_modified=none&head_length=77")};
  REQUIRE(bench.get(urls).code == 0);
  for (int run = 0; run < 3; ++run) {
    CAPTURE(run);
    Told told = bench.get(urls);
    CHECK(told.code == 0);
    CHECK(bench.listing() == "both, date, tag, wrong, zero");
    for (const char* name : {"tag", "date", "both", "zero", "wrong"})
      CHECK(told.item(std::string{"/f/"} + name)["evidence"] == "already_here");
    const std::string said = told.item("/f/tag")["detail"];
    CHECK((said.find("the bytes are those of the file that is here") != std::string::npos) ==
          (run == 0));
    CHECK(told.item("/f/zero")["detail"] == "null");
  }
  // A tag that proved useless does not count again. A length may be right another time.
  CHECK(dialogue(server, "/f/tag") == "GET 200, HEAD 200, GET 200, HEAD 200, HEAD 200");
  CHECK(dialogue(server, "/f/zero") == "GET 200, HEAD 200, HEAD 200, HEAD 200");
}

TEST_CASE("Z-24: without a tag, the date or an update shows a change of the file") {
  const FaultServer server;
  GetBench bench;
  const std::string url = url_of(server, "a", "etag=none&last_modified=past&etag_change_after=2");
  REQUIRE(bench.get({url}).code == 0);
  CHECK(bench.get({url}).item("/f/a")["evidence"] == "already_here");
  CHECK(bench.get({url}).code == 0);
  CHECK(bench.listing() == "a, a (2)");
  CHECK(bench.holds("a (2)", FaultServer::content("a", kSize, kChanged)));

  const std::string none = url_of(server, "b", "etag=none&last_modified=none&etag_change_after=1");
  REQUIRE(bench.get({none}).code == 0);
  CHECK(bench.get({none}).item("/f/b")["evidence"] == "already_here");  // Nothing tells.
  CHECK(bench.get({"--update", none}).code == 0);                       // An update asks.
  CHECK(bench.listing() == "a, a (2), b");
  CHECK(bench.holds("b", FaultServer::content("b", kSize, kChanged)));
}

TEST_CASE("Z-24: a server that drops a HEAD has no validators") {
  const FaultServer server;
  GetBench bench;
  const std::string url = url_of(server, "a", "head_close=1");
  REQUIRE(bench.get({url}).code == 0);
  Told told = bench.get({url});

  CHECK(told.code == 0);
  CHECK(told.item("/f/a")["evidence"] == "already_here");
  CHECK(bench.get({"--dry-run", url}).code == 0);
  CHECK(bench.get({"--update", url}).code == 0);
  CHECK(bench.listing() == "a");
}

TEST_CASE("Z-24: a file with a recorded hash that was only touched is here; a changed one is not") {
  const FaultServer server;
  GetBench bench;
  const std::string url = url_of(server, "a");
  REQUIRE(bench.get({"--hash", "sha256", url}).code == 0);
  const auto touch = [&] {
    std::filesystem::last_write_time(bench.folder() / "a",
                                     std::filesystem::file_time_type::clock::now());
  };
  touch();
  CHECK(bench.get({url}).item("/f/a")["evidence"] == "already_here");
  CHECK(bench.get({url}).item("/f/a")["evidence"] == "already_here");
  CHECK(bench.listing() == "a");

  std::string bytes = bench.content("a");
  bytes[7] = static_cast<char>(bytes[7] ^ 1);
  bench.put("a", bytes);
  CHECK(bench.get({url}).item("/f/a")["evidence"] == "etag");
  CHECK(bench.listing() == "a, a (2)");
  CHECK(bench.content("a") == bytes);
}

TEST_CASE("Z-24: --update replaces no file by a login page, whatever its name") {
  const FaultServer server;
  GetBench bench;
  const std::string url = url_of(server, "data", "login=1&login_after=1&etag=none");
  REQUIRE(bench.get({url}).code == 0);

  const Told told = bench.get({"--update", url});
  CHECK(told.code == 1);
  CHECK(told.outcome("/f/data") == "failed unexpected_content");
  CHECK(bench.holds("data", FaultServer::content("data", kSize)));
  CHECK(bench.get({url}).outcome("/f/data") == "failed unexpected_content");
  CHECK(bench.listing() == "data");
}
