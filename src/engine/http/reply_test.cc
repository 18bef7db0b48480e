// What a reply means, by its head (S2-21, S2-22, S2-31, list H of the hostile inputs).

#include "engine/http/reply.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

constexpr Time kNow = from_unix_ms(1'800'000'000'000);
const Version kKnown{.etag = "\"a\"", .last_modified = {}, .size = 100};

using Headers = std::vector<std::pair<std::string, std::string>>;

std::string meaning(const Reply& reply) {
  constexpr const char* kNames[] = {"whole", "part", "complete", "changed", "moved", "coded"};
  if (reply.meaning == Meaning::fault)
    return reply.fault.code + (reply.fault.kind == FaultKind::retryable ? " again" : "");
  return kNames[static_cast<std::size_t>(reply.meaning)];
}

std::string to_range(int status, Headers headers, std::int64_t from = 40,
                     std::string_view url = "https://h/a") {
  return meaning(
      judge_reply({.from = from, .is_range = true, .known = kKnown, .url = url, .now = kNow},
                  {status, std::move(headers)}));
}

Reply to_all(int status, Headers headers, std::string_view url = "https://h/a") {
  return judge_reply({.url = url, .now = kNow}, {status, std::move(headers)});
}

std::int64_t wait_of(const std::string& retry_after) {
  return to_all(503, {{"retry-after", retry_after}}).wait_ms;
}

}  // namespace

TEST_CASE("S2-31: a part goes on only where it was asked for, in the same version") {
  CHECK(to_range(206, {{"content-range", "bytes 40-99/100"}, {"etag", "\"a\""}}) == "part");
  CHECK(to_range(206, {{"content-range", "bytes 40-99/*"}, {"etag", "\"a\""}}) == "part");
  CHECK(to_range(206, {{"content-range", "bytes 41-99/100"}}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 39-99/100"}}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 40-99/101"}, {"etag", "\"a\""}}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 40-100/100"}}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 5-3/10"}}) == "changed");
  CHECK(to_range(206, {}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 40-99/100"}, {"etag", "\"b\""}}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 40-99/100"},
                       {"content-type", "multipart/byteranges; boundary=x"},
                       {"etag", "\"a\""}}) == "changed");
  CHECK(to_range(200, {{"content-length", "100"}}) == "whole");
}

TEST_CASE("S2-31: a part goes on only if the size of the file is known") {
  const auto to = [](const Version& known, const char* range) {
    return meaning(
        judge_reply({.from = 40, .is_range = true, .known = known, .url = "", .now = kNow},
                    {206, {{"content-range", range}, {"etag", "\"a\""}}}));
  };
  const Version sizeless{.etag = "\"a\"", .last_modified = {}, .size = {}};
  CHECK(to(sizeless, "bytes 40-99/*") == "changed");
  CHECK(to(sizeless, "bytes 40-99/100") == "part");
  CHECK(to(kKnown, "bytes 40-99/*") == "part");
}

TEST_CASE("S2-31: a part of a coded body is neither the whole file nor joined to what is here") {
  CHECK(to_range(206, {{"content-range", "bytes 40-99/100"},
                       {"content-encoding", "gzip"},
                       {"etag", "\"a\""}}) == "changed");
  CHECK(to_range(206, {{"content-range", "bytes 40-99/100"},
                       {"content-encoding", "identity"},
                       {"etag", "\"a\""}}) == "part");
  for (const Coding coding : {Coding::plain, Coding::decoded})
    CHECK(meaning(judge_reply(
              {.url = "https://h/a.gz", .now = kNow},
              {206, {{"content-range", "bytes 0-9/100"}, {"content-encoding", "gzip"}}}, coding)) ==
          "bad_answer");
  CHECK(meaning(to_all(200, {{"content-encoding", "gzip"}})) == "coded");
}

TEST_CASE("H24: 416 means done if there is no more than what is here, else something else") {
  CHECK(to_range(416, {{"content-range", "bytes */100"}}, 100) == "complete");
  CHECK(to_range(416, {{"content-range", "bytes */101"}}, 100) == "changed");
  CHECK(to_range(416, {{"content-range", "bytes */99"}}, 100) == "changed");
  CHECK(to_range(416, {}, 100) == "changed");
  CHECK(meaning(to_all(416, {})) == "http_416");
}

TEST_CASE("a part that haul did not ask for is no answer") {
  CHECK(meaning(to_all(206, {{"content-range", "bytes 0-9/10"}})) == "bad_answer");
}

TEST_CASE("S2-21, S2-22: the document's five and 408 are tried again, the others are final") {
  for (const int status : {408, 429, 500, 502, 503, 504})
    CHECK(meaning(to_all(status, {})).ends_with(" again"));
  for (const int status : {400, 401, 403, 404, 410, 418, 425, 451, 501, 505, 304, 300})
    CHECK_FALSE(meaning(to_all(status, {})).ends_with(" again"));
  CHECK(meaning(to_all(204, {})) == "no_content");
  CHECK(meaning(to_all(205, {})) == "no_content");
}

TEST_CASE("H39, Z-11: Retry-After is obeyed in both forms, for ten minutes at most") {
  CHECK(wait_of("0") == 0);
  CHECK(wait_of("120") == 120'000);
  CHECK(wait_of("600") == 600'000);
  CHECK(wait_of("601") == 600'000);
  CHECK(wait_of("999999999999") == 600'000);
  CHECK(wait_of("99999999999999999999999") == 600'000);
  CHECK(wait_of("Fri, 15 Jan 2027 08:01:00 GMT") == 60'000);
  CHECK(wait_of("Fri, 15 Jan 2027 07:59:00 GMT") == 0);
  CHECK(wait_of("Wed, 01 Jan 2099 00:00:00 GMT") == 600'000);
  CHECK(wait_of("-5") == 0);
  CHECK(wait_of("soon") == 0);
  CHECK(wait_of("") == 0);
}

TEST_CASE("H4, H6: the same length twice is a length, two lengths and what is none are refused") {
  CHECK(to_all(200, {{"content-length", "5"}, {"content-length", "5"}}).version.size == 5);
  CHECK(meaning(to_all(200, {{"content-length", "5"}, {"content-length", "6"}})) == "bad_answer");
  CHECK(meaning(to_all(200, {{"content-length", "18446744073709551616"}})) == "bad_answer");
  CHECK(meaning(to_all(200, {{"content-length", "-1"}})) == "bad_answer");
}

TEST_CASE("H27, H29: a weak tag and a young date prove nothing, a date a minute old does") {
  const auto dated = [](const char* modified) {
    return to_all(200, {{"last-modified", modified}, {"date", "Fri, 15 Jan 2027 08:00:00 GMT"}})
        .version.is_strong();
  };
  CHECK_FALSE(to_all(200, {{"etag", "W/\"a\""}}).version.is_strong());
  CHECK(to_all(200, {{"etag", "\"a\""}}).version.is_strong());
  CHECK_FALSE(dated("Fri, 15 Jan 2027 07:59:01 GMT"));
  CHECK(dated("Fri, 15 Jan 2027 07:59:00 GMT"));
  CHECK_FALSE(dated("Thu, 01 Jan 1970 00:00:00 GMT"));
  CHECK_FALSE(dated("Fri, 15 Jan 2027 09:00:00 GMT"));
}

TEST_CASE("a page where a film was promised is a fault; where a page was, it is the file") {
  const Headers html{{"content-type", "text/html; charset=utf-8"}};
  CHECK(meaning(to_all(200, html, "https://h/film.mp4")) == "unexpected_content");
  CHECK(meaning(to_all(200, html, "https://h/index.html")) == "whole");
  CHECK(meaning(to_all(200, html, "https://h/")) == "whole");
}

TEST_CASE("F34: JSON where bytes were promised is a fault; where text was, it is the file") {
  const Headers json{{"content-type", "application/problem+json"}};
  CHECK(meaning(to_all(200, json, "https://h/film.mp4")) == "unexpected_content");
  CHECK(meaning(to_all(200, json, "https://h/a.pdf")) == "unexpected_content");
  CHECK(meaning(to_all(200, json, "https://h/a.json")) == "whole");
  CHECK(meaning(to_all(200, json, "https://h/a")) == "whole");
}

TEST_CASE("F34: a page or JSON in place of the rest of a file is no new version of it") {
  SentRequest sent{.from = 40, .is_range = true, .known = kKnown, .url = {}, .now = kNow};
  const auto rest = [&sent](std::string_view url, const char* type) {
    sent.url = url;
    return meaning(judge_reply(sent, {200, {{"content-type", type}, {"content-length", "9"}}}));
  };

  CHECK(rest("https://h/a.bin", "text/html; charset=utf-8") == "page_instead");
  CHECK(rest("https://h/a.bin", "application/json") == "page_instead");
  CHECK(rest("https://h/a.mp4", "text/html") == "page_instead");
  CHECK(rest("https://h/a.bin", "application/octet-stream") == "whole");
  CHECK(rest("https://h/a.html", "text/html") == "whole");
  CHECK(rest("https://h/a.geojson", "application/json") == "whole");
  CHECK(rest("https://h/A.JSON", "application/json") == "whole");
  CHECK(rest("https://h/a", "text/html") == "whole");

  sent.was_page = true;  // The server calls the file itself so.
  CHECK(rest("https://h/a.jsonl", "application/json") == "whole");
  CHECK(rest("https://h/a.bin", "text/html") == "whole");
  CHECK(rest("https://h/a.mp4", "text/html") == "unexpected_content");

  sent.was_page = false;
  sent.is_range = false;
  CHECK(rest("https://h/a.bin", "text/html") == "whole");
}

TEST_CASE("F34: the rest of a file is taken, also if its server calls it a page or JSON") {
  const auto rest = [](std::string_view url, const char* type) {
    return to_range(
        206, {{"content-type", type}, {"content-range", "bytes 40-99/100"}, {"etag", "\"a\""}}, 40,
        url);
  };

  CHECK(rest("https://h/a.jsonl", "application/json") == "part");
  CHECK(rest("https://h/wiki/Node.js", "text/html") == "part");
  CHECK(rest("https://h/a.bin", "text/html; charset=utf-8") == "part");
  CHECK(rest("https://h/a.gltf", "model/gltf+json") == "part");
  CHECK(rest("https://h/a.mp4", "text/html") == "unexpected_content");
}

TEST_CASE("a digest of the whole file is taken in both forms; one that is none is not") {
  const std::string base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  const std::string hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  CHECK(to_all(200, {{"repr-digest", "sha-256=:" + base64 + ":"}}).digest.hex == hex);
  CHECK(to_all(200, {{"digest", "MD5=x,SHA-256=" + base64}}).digest.hex == hex);
  CHECK(to_all(200, {{"repr-digest", "sha-256=:AAAA:"}}).digest.hex.empty());
}

}  // namespace haul::http
