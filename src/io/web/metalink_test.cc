// Metalink documents, honest and hostile.

#include "io/web/metalink.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::io {
namespace {

const std::string kHash(64, 'a');

std::string document(const std::string& files) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>)"
         R"(<metalink xmlns="urn:ietf:params:xml:ns:metalink">)" +
         files + "</metalink>";
}

std::string file(const std::string& inside, const std::string& name = "a.iso") {
  return fmt::format(R"(<file name="{}"><url>http://a/a.iso</url>{}</file>)", name, inside);
}

// The reason of a refusal without its line. Empty if the document was read.
std::string why(const std::string& xml) {
  const auto read = read_metalink(xml);
  if (read) return "";
  CHECK(read.error().code == "bad_metalink");
  return read.error().detail;
}
bool says(const std::string& xml, const std::string& words) {
  const std::string reason = why(xml);
  CAPTURE(reason);
  return reason.find(words) != std::string::npos;
}

std::string pieces(std::size_t count, int length = 1'024, const char* type = "sha-256") {
  std::string hashes;
  for (std::size_t i = 0; i < count; ++i) hashes += "<hash>" + kHash + "</hash>";
  return fmt::format(R"(<pieces length="{}" type="{}">{}</pieces>)", length, type, hashes);
}

}  // namespace

TEST_CASE("metalink: a file has its name, size, hashes and addresses by priority") {
  const auto read = read_metalink(document(
      R"(<generator>x</generator><published>2026-01-31T00:00:00Z</published>
         <file name="dir/a &amp; b.iso">
           <identity>A</identity><size> 1500 </size>
           <hash type="md5">aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</hash>
           <hash type="sha-256">)" +
      std::string(64, 'B') + R"(</hash><hash type="whirlpool">zz</hash>)" + pieces(2) +
      R"(<url location="de">http://last/f</url>
         <url location="us" priority="2">https://second/f?a=1&amp;b=2</url>
         <url priority="1">http://first/f</url>
         <url priority="1">ftp://no/f</url>
         <metaurl mediatype="torrent">http://t/f.torrent</metaurl>
         <x:url xmlns:x="urn:other">http://foreign/</x:url>
         </file>)"));

  REQUIRE(read);
  REQUIRE(read->size() == 1);
  const MetalinkFile& one = read->front();
  CHECK(one.name == "dir/a & b.iso");
  CHECK(one.size == 1'500);
  CHECK(one.checksum == Checksum{"sha256", std::string(64, 'b')});
  const PieceHashes two{.algorithm = "sha256", .length = 1'024, .hashes = {kHash, kHash}};
  CHECK((one.pieces == two));
  CHECK(one.urls ==
        std::vector<std::string>{"http://first/f", "https://second/f?a=1&b=2", "http://last/f"});
}

TEST_CASE("metalink: a file keeps its best sixteen addresses") {
  std::string urls;
  for (int i = 0; i < 40; ++i)
    urls += fmt::format(R"(<url priority="{}">http://h{}/f</url>)", 100 - i, i);
  const auto read = read_metalink(document(R"(<file name="a">)" + urls + "</file>"));
  REQUIRE(read);
  CHECK(read->front().urls.size() == 16);
  CHECK(read->front().urls.front() == "http://h39/f");
}

TEST_CASE("metalink: names that lead out of the folder are refused") {
  for (const char* name :
       {"../a", "a/../../b", "/etc/passwd", "", "a//b", ".", "a/", "..\\a", "a&#10;b", "C:\\x"})
    CHECK_MESSAGE(says(document(file("", name)), "file name"), name);
  CHECK(says(document(file("", std::string(1'001, 'a'))), "file name"));
  CHECK(why(document(file("", std::string(1'000, 'a')))).empty());
  CHECK(why(document(file("", "..a/b..c"))).empty());
  CHECK(says(document(file("") + file("")), "two files"));
}

TEST_CASE("metalink: sizes and pieces that no file can have are refused") {
  for (const char* size : {"-1", "1e9", "99999999999999999999", "2305843009213693952", "x", ""})
    CHECK_MESSAGE(says(document(file(fmt::format("<size>{}</size>", size))), "size"), size);
  CHECK(says(document(file(pieces(1))), "no size"));
  CHECK(why(document(file("<size>2048</size>" + pieces(2)))).empty());
  CHECK(says(document(file("<size>2048</size>" + pieces(3))), "do not cover"));
  CHECK(says(document(file("<size>2049</size>" + pieces(2))), "do not cover"));
  CHECK(says(document(file("<size>2048</size>" + pieces(2) + pieces(2))), "second list"));
  CHECK(says(document(file("<size>10</size>" + pieces(10, 1))), "length"));
  CHECK(says(document(file("<size>10</size>" + pieces(10, -5))), "length"));
  CHECK(says(document(file("<size>2048</size>" + pieces(2, 1'024, "md5"))), "is no md5"));
  CHECK(says(document(file(R"(<hash type="sha-256">abc</hash>)")), "is no sha-256"));
  CHECK(says(document(file(R"(<url priority="0">http://b/f</url>)")), "priority"));
}

TEST_CASE("metalink: entities, a DOCTYPE and other documents are refused") {
  const std::string body = document(file("")).substr(document(file("")).find("<metalink"));
  CHECK(says(R"(<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>)" + body,
             "DOCTYPE"));
  CHECK(says(R"(<!DOCTYPE m SYSTEM "file:///etc/passwd">)" + body, "DOCTYPE"));
  CHECK(says(document(R"(<file name="a"><url>http://a/&x;</url></file>)"), "well-formed"));
  CHECK(says("<html><body>login</body></html>", "not a Metalink 4"));
  CHECK(says(R"(<metalink version="3.0" xmlns="http://www.metalinker.org/"></metalink>)",
             "Metalink 3"));
  CHECK(says(document(""), "no file"));
  CHECK(says(document(R"(<file name="a"><url>ftp://a/f</url></file>)"), "no http"));
  CHECK(says(document(file("")).substr(0, 140), "well-formed"));
  CHECK(says("", "well-formed"));
  CHECK(says("\xff\xfe<", "UTF-8"));
}

TEST_CASE("metalink: what grows without limit is refused early") {
  std::string many;
  for (std::size_t i = 0; i < kMetalinkFilesMax; ++i) many += file("", std::to_string(i));
  CHECK(why(document(many)).empty());
  CHECK(says(document(many + file("", "more")), "more than 10000 files"));

  CHECK(says(std::string(kMetalinkBytesMax + 1, ' '), "larger than"));
  CHECK(
      says(document(R"(<file name="a"><url>http://a/)" + std::string(9'000, 'x') + "</url></file>"),
           "in one element"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<x>";
  CHECK(says(document(deep), "well-formed"));
  const std::string big = fmt::format("<size>{}</size>", (kPiecesMax + 1) * 1'024);
  CHECK(says(document(file(big + pieces(kPiecesMax + 1))), "more than 65536 pieces"));
}

TEST_CASE("metalink: each entity of an attribute is decoded once") {
  const auto read = read_metalink(
      document(file("", "&amp;a &#38; b&amp;&amp;c &amp;amp; &amp;#38; &quot;&#x41;&quot;&amp;")));

  REQUIRE(read);
  CHECK(read->front().name == "&a & b&&c &amp; &#38; \"A\"&");
}

TEST_CASE("metalink: a long attribute is refused if haul reads it") {
  const auto entities = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "&amp;";
    return text;
  };
  const auto hash = [](const std::string& type) {
    return document(file(fmt::format(R"(<hash type="{}">x</hash>)", type)));
  };
  const std::string too_long = "more than 8192 bytes in one attribute";

  CHECK(why(hash(std::string(8'192, 'x'))).empty());
  CHECK(says(hash(std::string(8'193, 'x')), too_long));
  CHECK(why(hash(entities(1'638))).empty());
  CHECK(says(hash(entities(200'000)), too_long));
  CHECK(says(document(file("", entities(1'000) + "x")), "the file name"));
  CHECK(why(document(file("", entities(1'000)))).empty());
  CHECK(says(document(file("", entities(200'000))), too_long));

  const std::string digits(9'000, '1');
  CHECK(says(document(file(R"(<url priority=")" + digits + R"(">http://b/f</url>)")), too_long));
  CHECK(says(document(file(R"(<pieces type="sha-256" length=")" + digits + R"("></pieces>)")),
             too_long));
  CHECK(says(document(file(R"(<pieces type=")" + digits + R"(" length="1024"></pieces>)")),
             too_long));
  CHECK(why(document(file(R"(<url location=")" + entities(200'000) + R"(">http://b/f</url>)")))
            .empty());
}

}  // namespace haul::io
