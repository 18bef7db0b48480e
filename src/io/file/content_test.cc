// F34: which first bytes fit the name of a file, and which do not.

#include "io/file/content.h"

#include <doctest/doctest.h>

#include "support/io/packed.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

const std::string kLogin =
    "<!DOCTYPE html>\n<html><head><title> Log in </title></head><body>…</body></html>";
const std::string kPng{"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16};

}  // namespace

TEST_CASE("F34: a page, XML or JSON is not what the name of a picture or an archive promises") {
  for (const char* name : {"a.png", "a.JPG", "film.mp4", "a.mp3", "a.zip", "a.pdf", "a.epub"}) {
    INFO(name);
    CHECK(io::unexpected_in(name, kLogin) == "a web page titled \"Log in\"");
    CHECK(io::unexpected_in(name, "\xef\xbb\xbf \n<!-- x --><div>wait</div>") == "a web page");
    CHECK(io::unexpected_in(name, "<script>location='/'</script>") == "a web page");
    CHECK(io::unexpected_in(name, "<?xml version=\"1.0\"?><Error/>") == "an XML document");
    CHECK(io::unexpected_in(name, "{\"error\":\"not found\"}") == "JSON");
    CHECK(io::unexpected_in(name, "{ }      ") == "JSON");
    CHECK(io::unexpected_in(name, "[ {\"code\": 401}]") == "JSON");
    CHECK(io::unexpected_in(name, packed(kLogin)) ==
          "a web page titled \"Log in\", packed by gzip,");
  }
  const std::string wide{"\xff\xfe<\0h\0t\0m\0l\0>\0", 14};
  CHECK(io::unexpected_in("a.png", wide) == "a web page");
}

TEST_CASE("F34: a page is known by its beginning, whatever bytes follow") {
  using namespace std::string_literals;
  for (const std::string& page :
       {"<html><head><title>x\x07</title>"s, "<HTML\n\0\1\2"s, "<!DOCTYPE html>\0\0\0"s,
        " <!doctype HTML\0\0\0\0"s, "<head>\x01 bytes"s, "<body class=a>\0"s, "<script>\x02 bytes"s,
        "<html/>\0"s}) {
    INFO(page);
    CHECK(io::unexpected_in("a.pdf", page).starts_with("a web page"));
    CHECK(io::unexpected_in("a.jpg", page).starts_with("a web page"));
    CHECK(io::unexpected_in("a.tgz", packed(page)).starts_with("a web page"));
  }
  CHECK(io::unexpected_in("a.jpg", "<?xml version=\"1.0\"?>\0\0"s) == "an XML document");
  CHECK(io::unexpected_in("a.jpg", "{\"error\": \"\0\""s) == "JSON");
  CHECK(io::unexpected_in("a.jpg", "{ \"err\x01or\" :1,\0"s) == "JSON");
}

TEST_CASE("F34: bytes that begin almost as a page does are bytes") {
  using namespace std::string_literals;
  for (const std::string& bytes :
       {"<htmlx\0 bytes"s, "<ht\0ml> bytes"s, "<!doctype pdf\0\0"s, "<!doctype\0 html"s,
        "<bodies\1\2\3\4"s, "<scripts\0\0"s, "<?xmlish\0\0"s, "<\0h\0t\0m\0l"s, "<div>\0\0\0\0"s,
        "{\"name\"\0 bytes"s, "{\"\0\1\2\3\4 bytes"s, "{\\rtf1 \0 bytes"s,
        "{\"" + std::string(300, 'x') + "\":\0"s}) {
    INFO(bytes);
    CHECK(io::unexpected_in("a.mp4", bytes).empty());
    CHECK(io::unexpected_in("a.tar", bytes).empty());
  }
}

TEST_CASE("F34: no picture, film or sound has one byte, or none") {
  CHECK(io::unexpected_in("a.png", "x") == "1 bytes");
  CHECK(io::unexpected_in("a.mp4", "") == "0 bytes");
  CHECK(io::unexpected_in("a.mp3", "1234567") == "7 bytes");
  CHECK(io::unexpected_in("a.mp3", "12345678").empty());
}

TEST_CASE("F34: bytes are taken for what their name says, and text where text was promised") {
  CHECK(io::unexpected_in("a.png", kPng).empty());
  CHECK(
      io::unexpected_in("a.jpg", kPng).empty());  // A picture of another format is still a picture.
  CHECK(io::unexpected_in("a.mp4", std::string{"[\"\0\1\2", 5} + "345678").empty());
  CHECK(io::unexpected_in("a.mp4", "{ is how it begins").empty());
  CHECK(io::unexpected_in("a.mp4", "<\x01\x02 bytes").empty());
  CHECK(io::unexpected_in("a.tar.gz", packed("ustar, more or less")).empty());
  CHECK(io::unexpected_in("page.html.gz", packed(kLogin)).empty());
  CHECK(io::unexpected_in("a.tar.gz", packed(kLogin)) ==
        "a web page titled \"Log in\", packed by gzip,");
  CHECK(io::unexpected_in("a.tgz", packed("{\"error\":1}")) == "JSON, packed by gzip,");
  for (const char* name : {"a.html", "a.svg", "a.json", "a.txt", "a.xml", "a", "a.bin", "a.php"})
    CHECK_MESSAGE(io::unexpected_in(name, kLogin).empty(), name);
}

TEST_CASE("F34: a file says what is wrong with it, in words without control characters") {
  const TempFolder temp;
  const io::Folder folder = *io::Folder::open(temp.path(), io::Folder::Missing::fault);
  io::File file = *folder.create("part");
  const std::string page =
      "\n<html>\n  <title>a\x1b]0;b</title>Daily limit" + std::string(10'000, ' ') + "end";
  REQUIRE(file.write_at(std::as_bytes(std::span{page}), 0));

  const auto checked = io::check_content(file, "a.png");
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code == "unexpected_content");
  CHECK(checked.error().detail.find('\x1b') == std::string::npos);
  CHECK(checked.error().detail.ends_with(
      "; it begins: <html> <title>a\\u{1b}]0;b</title>Daily limit "));
  CHECK(io::check_content(file, "a.html"));
}

}  // namespace haul::testing
