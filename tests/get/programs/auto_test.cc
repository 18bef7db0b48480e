// --engine auto: which engine a URL gets, why, and that the job reports both.

#include <doctest/doctest.h>

#include <filesystem>

#include "base/clock.h"
#include "support/process/get_bench.h"
#include "support/process/media.h"
#include "support/run/proof.h"

using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct Chosen {
  Told told;
  std::string engine;
  std::string why;
  std::string files;
};

Chosen choose(GetBench& bench, const Words& words) {
  Chosen chosen{.told = bench.get(words), .engine = {}, .why = {}, .files = {}};
  chosen.engine = bench.ask("SELECT engine FROM contract_batch_jobs");
  chosen.why = bench.ask(
      "SELECT json_extract(payload_json, '$.message') FROM contract_batch_events "
      "WHERE type = 'LOG'");
  chosen.files = bench.listing();
  return chosen;
}

}  // namespace

TEST_CASE("a plain file by its name is http's, and no engine is asked anything else") {
  const MediaServer server;
  GetBench bench{"auto"};

  const Chosen chosen = choose(bench, {server.url("/f/a.zip")});

  CHECK(chosen.told.code == 0);
  CHECK(chosen.engine == "http");
  CHECK(chosen.why == "engine http: all names look like files");
  CHECK(chosen.files == "a.zip");
  CHECK(server.log().size() == 1);
}

TEST_CASE("a file without a name is http's by what the server calls it") {
  const MediaServer server;
  GetBench bench{"auto"};

  const Chosen chosen = choose(bench, {server.url("/f/data")});

  CHECK(chosen.engine == "http");
  CHECK(chosen.why == "engine http: the server calls it application/octet-stream");
  CHECK(chosen.files == "data");
}

TEST_CASE("a page with media is yt-dlp's, also behind a redirect") {
  const MediaServer server;
  GetBench bench{"auto"};

  const Chosen chosen =
      choose(bench, {server.url("/f/to?redirect=" + std::string{"/d/page.html"})});

  INFO(chosen.told.out);
  CHECK(chosen.told.code == 0);
  CHECK(chosen.engine == "yt-dlp");
  CHECK(chosen.why == "engine yt-dlp: the server calls it text/html; charset=utf-8");
}

TEST_CASE("a page without media is a file like any other") {
  const MediaServer server;
  GetBench bench{"auto"};

  const Chosen chosen = choose(bench, {server.file("none.html")});

  CHECK(chosen.told.code == 0);
  CHECK(chosen.engine == "http");
  CHECK(chosen.why == "engine http: no engine finds media on the page");
  CHECK(chosen.files == "none.html");
}

TEST_CASE("a page that one of gallery-dl's extractors is for is gallery-dl's") {
  const MediaServer server;
  GetBench bench{"auto"};
  const TempFolder folder;
  std::filesystem::create_symlink(HAUL_FAKE_PROGRAM, folder / "gallery");
  bench.set("HAUL__ENGINE__GALLERY_DL__PROGRAM=" + (folder / "gallery").string());

  const Chosen chosen = choose(bench, {server.url("/f/album")});

  INFO(chosen.told.out);
  CHECK(chosen.told.code == 0);
  CHECK(chosen.engine == "gallery-dl");
  CHECK(chosen.why == "engine gallery-dl: it has an extractor for the page");
  CHECK(chosen.files == "1.jpg");
  CHECK(server.log().empty());
}

TEST_CASE("of many addresses each gets its own, in one job") {
  const MediaServer server;
  GetBench bench{"auto"};

  const Chosen chosen = choose(bench, {server.url("/f/a.zip"), server.file("page.html"),
                                       server.file("none.html"), server.url("/f/x?status=404")});

  INFO(chosen.told.out);
  CHECK(chosen.told.code == 1);
  CHECK(chosen.engine == "auto");
  CHECK(chosen.files == "Unknown, a.zip, none.html");
  CHECK(chosen.told.outcome("/f/x") == "failed http_404");
}

TEST_CASE("a long list is downloaded over HTTP at once, without a check of each URL") {
  const MediaServer server;
  GetBench bench{"auto"};
  Words urls;
  for (int i = 0; i < 51; ++i) urls.push_back(server.url("/f/" + std::to_string(i)));

  const Chosen chosen = choose(bench, urls);

  CHECK(chosen.told.code == 0);
  CHECK(chosen.why == "engine http: the list is too long to check each URL");
  CHECK(server.log().size() == 51);
}

TEST_CASE("without yt-dlp and gallery-dl everything is downloaded over HTTP, at once") {
  const MediaServer server;
  GetBench bench{"auto"};
  bench.set("PATH=/nowhere");

  const Chosen chosen = choose(bench, {server.file("page.html")});

  CHECK(chosen.told.code == 0);
  CHECK(chosen.engine == "http");
  CHECK(chosen.why == "engine http: neither yt-dlp nor gallery-dl is installed");
  CHECK(chosen.files == "page.html");
}

// The server may log a request late, so two may seem closer together than they were sent. Only
// `./dev proof` measures each gap. The length of the whole run cannot be too short.
TEST_CASE("S2-23: haul and its programs together are polite (proof: a second apart)" *
          doctest::test_suite("proof alone")) {
  constexpr auto kLate = 50ms;
  const MediaServer server;
  GetBench bench{"auto"};
  const haul::Clock& clock = haul::system_clock();
  const haul::Steady before = clock.steady();

  const Told told = bench.get_politely({server.file("page.html"), server.url("/f/a.bin"),
                                        server.url("/f/b.bin"), server.file("hls.m3u8")});

  const auto took = clock.steady() - before;
  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(server.log().size() >= 8);
  CHECK(server.most_at_once() <= 2);
  CHECK(took >= static_cast<int>(server.start_gaps().size()) * 1s - kLate);
  for (const auto gap : server.start_gaps()) CHECK(is_apart(gap, 1s - kLate));
}
