// The real yt-dlp and ffmpeg: pages, playlists, HLS, and DASH whose audio and video are merged.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "support/process/get_bench.h"
#include "support/process/media.h"
#include "support/server/tls_proxy.h"

using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

// All files below the destination, sorted: "Unknown/film.mp4, …".
std::string tree(const GetBench& bench) {
  Words files;
  for (const auto& entry : fs::recursive_directory_iterator{bench.folder()})
    if (entry.is_regular_file())
      files.push_back(fs::relative(entry.path(), bench.folder()).string());
  std::ranges::sort(files);
  std::string all;
  for (const std::string& file : files) all += (all.empty() ? "" : ", ") + file;
  return all;
}

std::string job(const GetBench& bench) {
  return bench.ask("SELECT status, total_items, completed_items FROM contract_batch_jobs");
}

}  // namespace

TEST_CASE("S2-25: a film of a page arrives under the document's name") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};

  const Told told = bench.get({server.file("page.html")});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(job(bench) == "COMPLETED|1|1");
  REQUIRE(tree(bench) == "Unknown/A film (1) [page-1].mp4");
  CHECK(streams_of(bench.folder() / tree(bench)) == "h264 aac 3");
}

TEST_CASE("S2-11: sound and picture apart are one item, merged into one file") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};

  const Told told = bench.get({server.file("dash.mpd")});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(job(bench) == "COMPLETED|1|1");
  CHECK(tree(bench) == "Unknown/dash [dash].mp4");
  CHECK(streams_of(bench.folder() / tree(bench)) == "h264 aac 3");
}

TEST_CASE("a film in pieces arrives whole") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};

  CHECK(bench.get({server.file("hls.m3u8")}).code == 0);

  CHECK(streams_of(bench.folder() / tree(bench)) == "h264 aac 3");
}

TEST_CASE("each film of a list is an item of its own, and a name is given once") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};

  const Told told = bench.get({server.file("two.html"), server.file("page.html")});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(job(bench) == "COMPLETED|3|3");
  CHECK(tree(bench) ==
        "Unknown/A film (1) [page-1].mp4, Unknown/Two films (1) [two-1].mp4, "
        "Unknown/Two films (2) [two-2].mp4");
}

TEST_CASE("-o names the file, --checksum proves it") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};
  CHECK(bench.get({"-o", "mine.mp4", server.file("page.html")}).code == 0);
  CHECK(bench.listing() == "mine.mp4");

  GetBench other{"yt-dlp"};
  const Told told =
      other.get({"--checksum", "md5:00000000000000000000000000000000", server.file("page.html")});
  CHECK(told.outcome("page.html") == "failed checksum_mismatch");
  CHECK(tree(other).empty());
}

TEST_CASE("a page that is not there, and one without a film, fail the job with their reason") {
  const MediaServer server;
  GetBench gone{"yt-dlp"};
  CHECK(gone.get({server.file("gone.html")}).code == 1);
  CHECK(gone.ask("SELECT state, reason FROM jobs") == "FAILED|http_404");

  GetBench none{"yt-dlp"};
  CHECK(none.get({server.file("none.html")}).code == 1);
  CHECK(none.ask("SELECT state, reason FROM jobs") == "FAILED|unsupported_url");
}

TEST_CASE("S2-21: what breaks off is tried again by the flow, not by yt-dlp") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};
  const std::string page =
      server.page("breaks.html", "<video src=\"/d/clip.mp4?status=503&status_times=2\"></video>");

  const Told told = bench.get({page});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(bench.ask("SELECT tries FROM items") == "2");
}

TEST_CASE("headers, cookies and a name for ourselves go along") {
  const MediaServer server;
  GetBench bench{"yt-dlp"};
  bench.put("cookies.txt",
            "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsecret\tyes\n");
  const std::string cookies = (bench.folder() / "cookies.txt").string();
  const std::string before = bench.content("cookies.txt");

  CHECK(bench
            .get({"--header", "X-Mine: 1", "--user-agent", "me/1", "--cookies", cookies,
                  server.file("page.html")})
            .code == 0);

  REQUIRE_FALSE(server.log().empty());
  const LoggedRequest last = server.log().back();
  CHECK(last.headers.at("x-mine") == "1");
  CHECK(last.headers.at("user-agent") == "me/1");
  CHECK(last.headers.at("cookie") == "secret=yes");
  CHECK(last.headers.count("proxy-authorization") == 0);
  CHECK(bench.content("cookies.txt") == before);
}

TEST_CASE("over https it goes through a tunnel, and trusts whom haul trusts") {
  const MediaServer server;
  const TlsProxy tls{server.port()};
  GetBench bench{"yt-dlp"};
  bench.set("SSL_CERT_FILE=" + tls.certificate());

  const Told told = bench.get({tls.url("/d/page.html")});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(job(bench) == "COMPLETED|1|1");

  GetBench other{"yt-dlp"};
  CHECK(other.get({tls.url("/d/page.html")}).code == 1);
}
