// How yt-dlp is called, and what its lists, lines and errors mean.

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/child/program.h"

using namespace haul;

namespace {

const engine::GetRequest kPlain;

child::ProgramCall call(const engine::GetRequest& request = kPlain) {
  return {.request = request,
          .folder = "/w",
          .cookies = {},
          .options = "/w/options",
          .ca_file = {},
          .apart = {}};
}

child::PagesRead list(const std::string& out, const engine::Filters& filters = {}) {
  return child::yt_dlp().read_listing({.pages = {"https://h/p"}, .out = out, .said = {}}, filters);
}

template <class Wanted>
Wanted said(const std::string& line, io::Stream stream = io::Stream::out) {
  const child::ProgramSays says = child::yt_dlp().read_line(stream, line);
  REQUIRE(std::holds_alternative<Wanted>(says));
  return std::get<Wanted>(says);
}

bool says_nothing(const std::string& line) {
  return std::holds_alternative<std::monostate>(child::yt_dlp().read_line(io::Stream::out, line));
}

std::string why(const std::string& complaint, int code = 1) {
  const Fault fault = child::yt_dlp().why(
      code, complaint.empty() ? std::vector<std::string>{} : std::vector{complaint}, "");
  const bool again = fault.kind == FaultKind::retryable;
  return fault.code + (again ? ", again" : "");
}

}  // namespace

TEST_CASE("S2-25: files are called as the document says") {
  const auto words = child::yt_dlp().fetch_words(call(), {{0, "https://h/-p"}});

  const auto named = std::ranges::find(words, "-o");
  REQUIRE(named != words.end());
  CHECK(*std::next(named) ==
        "%(uploader|Unknown)s/%(upload_date>%Y-%m-%d|)s%(title).200B [%(id)s].%(ext)s");
  CHECK(std::ranges::count(words, "--ignore-config") == 1);
  CHECK(*std::next(std::ranges::find(words, "--retries")) == "0");
}

TEST_CASE("F52: headers and pages are in no argument, but in a file, quoted as a shell quotes") {
  engine::GetRequest request;
  request.headers = {"Authorization: Bearer canary", "X-Odd: it's \"so\" $HOME"};
  const child::ProgramCall asked = call(request);

  for (const auto& words : {child::yt_dlp().fetch_words(asked, {{0, "https://h/p?token=canary"}}),
                            child::yt_dlp().list_words(asked)}) {
    for (const std::string& word : words) CHECK(word.find("canary") == std::string::npos);
    CHECK(*std::next(std::ranges::find(words, "--config-locations")) == "/w/options");
  }
  CHECK(child::yt_dlp().private_options(request, {"https://h/it's?token=canary#1"}) ==
        "# coding: utf-8\n"
        "--add-header 'Authorization: Bearer canary'\n"
        "--add-header 'X-Odd: it'\"'\"'s \"so\" $HOME'\n"
        "'https://h/it'\"'\"'s?token=canary#1'\n");
}

TEST_CASE("S2-11: one video counts one, however many formats it has") {
  const child::PagesRead listed =
      list("noise\n@I {\"id\":\"x\",\"title\":\"t\",\"ext\":\"mp4\"}\n");

  REQUIRE(listed.items.size() == 1);
  CHECK(listed.items[0].key == "yt-dlp:0:https://h/p");
  CHECK(listed.items[0].url == "https://h/p");
}

TEST_CASE("a list has an item for each entry: by its own page, or by its number on this one") {
  const child::PagesRead listed = list(
      "@I {\"_type\":\"url\",\"url\":\"https://h/1\",\"playlist_index\":1}\n"
      "@I {\"id\":\"b\",\"ext\":\"mp4\",\"url\":\"https://c/b.mp4\",\"playlist_index\":2}\n"
      "@I {\"_type\":\"url\",\"url\":\"--exec=x\",\"playlist_index\":3}\n");

  REQUIRE(listed.items.size() == 3);
  CHECK(listed.items[0].key == "yt-dlp:0:https://h/1");
  CHECK(listed.items[1].key == "yt-dlp:2:https://h/p");
  CHECK(listed.items[2].key == "yt-dlp:3:https://h/p");
}

TEST_CASE("S2-8: filters look at what is known of an entry") {
  engine::Filters filters;
  filters.only = {io::MediaKind::audio};
  filters.date_from = "2024-01-01";

  const child::PagesRead listed = list(
      "@I {\"title\":\"a\",\"ext\":\"mp4\"}\n"
      "@I {\"title\":\"b\",\"ext\":\"m4a\",\"upload_date\":\"20231231\"}\n"
      "@I {\"title\":\"c\",\"ext\":\"m4a\",\"upload_date\":\"20240101\"}\n"
      "@I {\"_type\":\"url\",\"url\":\"https://h/d\"}\n",
      filters);

  REQUIRE(listed.items.size() == 4);
  CHECK(listed.items[0].skip == "excluded_type");
  CHECK(listed.items[1].skip == "too_old");
  CHECK(listed.items[2].skip.empty());
  CHECK(listed.items[3].skip.empty());
}

TEST_CASE("a list of nothing is a failure, with its reason") {
  const child::PagesRead listed =
      child::yt_dlp().read_listing({.pages = {"https://h/p"},
                                    .out = "",
                                    .said = {"ERROR: Unsupported URL: https://h/p"},
                                    .code = 1},
                                   {});
  CHECK(listed.faults.at("https://h/p").code == "unsupported_url");
}

TEST_CASE("a list that yt-dlp did not bring to its end keeps its entries, and says that it broke") {
  child::Listing listing{.pages = {"https://h/p"},
                         .out = "@I {\"playlist_index\":1}\n@I {\"playlist_index\":2}\n@I {\"playl",
                         .said = {"ERROR: [x] Unable to download page 2: HTTP Error 503: Busy"},
                         .code = 1};
  const child::PagesRead refused = child::yt_dlp().read_listing(listing, {});
  CHECK(refused.items.size() == 2);
  CHECK(refused.faults.empty());
  CHECK(refused.broken.at("https://h/p").code == "http_503");
  CHECK(refused.broken.at("https://h/p").kind == FaultKind::retryable);

  listing.said.clear();
  listing.code = 128 + 9;
  CHECK(child::yt_dlp().read_listing(listing, {}).broken.at("https://h/p").code ==
        "program_failed");

  listing.code = 0;
  CHECK(child::yt_dlp().read_listing(listing, {}).broken.empty());
}

TEST_CASE("progress has bytes, and a guess at the size") {
  const auto comes = said<child::Comes>(
      R"(@P {"downloaded_bytes":10,"total_bytes_estimate":20.5,"filename":"f"})");
  CHECK(comes.file == "f");
  CHECK(comes.have == 10);
  CHECK(comes.about == 20);
}

TEST_CASE("X2: nonsense is nothing, and 120 % is 100") {
  CHECK(
      said<child::Comes>(R"(@P {"downloaded_bytes":120,"total_bytes":100,"filename":"f"})").about ==
      120);
  for (const char* line :
       {R"(@P {"downloaded_bytes":"NA%","filename":"f"})",
        R"(@P {"downloaded_bytes":-1,"filename":"f"})", R"(@P {"downloaded_bytes":1})", "@P {",
        "@P", "", "[download] 5%", "@D x", "@W 1"})
    CHECK_MESSAGE(says_nothing(line), line);
}

TEST_CASE("merging is a status that ends") {
  CHECK(said<child::Works>(R"(@W {"status":"started","postprocessor":"Merger"})", io::Stream::err)
            .at == "Merging");
  CHECK(said<child::Works>(R"(@W {"status":"finished","postprocessor":"Merger"})").at.empty());
  CHECK(said<child::Works>(R"(@W {"status":"started","postprocessor":"MoveFiles"})").at.empty());
}

TEST_CASE("S2-21, S2-22: errors are sorted by what may help") {
  CHECK(why("ERROR: [x] y: HTTP Error 404: Not Found") == "http_404");
  CHECK(why("ERROR: [x] y: HTTP Error 429: Too Many") == "http_429, again");
  CHECK(why("ERROR: HTTP Error 503") == "http_503, again");
  CHECK(why("ERROR: <urlopen error timed out>") == "site_error, again");
  CHECK(why("ERROR: Private video") == "site_refuses");
  CHECK(why("ERROR: unable to write: [Errno 28] No space left on device") == "disk_full");
  CHECK(why("ERROR: something new") == "program_failed, again");
  CHECK(why("", 0) == "no_file, again");
}

TEST_CASE("X9: only media may be delivered") {
  for (const char* name : {"a.mp4", "a.webm", "a.m4a", "a.opus", "a.jpg", "a.unknown_video"})
    CHECK_MESSAGE(child::yt_dlp().may_deliver(name), name);
  for (const char* name :
       {"a.exe", "a.desktop", "a.url", "a.php", "a.sh", "a.html", "a", "mp4", ""})
    CHECK_MESSAGE(!child::yt_dlp().may_deliver(name), name);
}
