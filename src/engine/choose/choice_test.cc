// How an address is assigned to an engine, by name, content type and request.

#include "engine/choose/choice.h"

#include <doctest/doctest.h>

using namespace haul;

TEST_CASE("a name that ends as a file's does is a file") {
  for (const char* url : {"https://h/a.zip", "https://h/film.MP4?x=1", "https://h/a.b.iso#c",
                          "https://h/x.bin", "https://h/x.7z", "https://h/d/photo.jpeg"})
    CHECK_MESSAGE(choose::guess_by_name(url) == choose::Guess::file, url);
}

TEST_CASE("a name that fits a page, a list or anything else says nothing") {
  for (const char* url :
       {"https://h/", "https://h", "https://h/watch?v=a.mp4", "https://h/a.html", "https://h/a.PHP",
        "https://h/live.m3u8", "https://h/a.mpd", "https://h/.hidden", "https://h/a.",
        "https://h/How it was. Really", "https://h/v1.2-final"})
    CHECK_MESSAGE(choose::guess_by_name(url) == choose::Guess::unknown, url);
}

TEST_CASE("pages and lists of media may have some, other types are what they say") {
  for (const char* type : {"text/html; charset=utf-8", "application/xhtml+xml", "text/xml",
                           "application/vnd.apple.mpegurl", "audio/x-mpegURL",
                           "application/dash+xml", "application/rss+xml"})
    CHECK_MESSAGE(choose::may_have_media(type), type);
  for (const char* type : {"application/zip", "video/mp4", "image/svg+xml", "text/plain", ""})
    CHECK_MESSAGE(!choose::may_have_media(type), type);
}

TEST_CASE("a request keeps everything but its addresses") {
  CHECK(choose::with_urls(
            R"({"url":"http://a/","urls":["http://b/"],"folder":"/f","limits":{"delay":1}})",
            {"http://c/"}) == R"({"urls":["http://c/"],"folder":"/f","limits":{"delay":1}})");
}

TEST_CASE("an engine is one of four; without a word it is left to us") {
  CHECK(choose::engine_wanted(R"({"url":"http://a/"})") == "auto");
  CHECK(choose::engine_wanted(R"({"engine":null})") == "auto");
  CHECK(choose::engine_wanted(R"({"engine":"yt-dlp"})") == "yt-dlp");
  REQUIRE(!choose::engine_wanted(R"({"engine":"curl"})"));
  CHECK(choose::engine_wanted(R"({"engine":"curl"})").error().code == "bad_request");
}
