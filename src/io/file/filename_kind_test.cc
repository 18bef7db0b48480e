// Content types, extensions, and the kinds of content they promise.

#include <doctest/doctest.h>

#include "io/file/filename.h"

namespace haul::io {

TEST_CASE("a type gives its extension in any case and with any parameters") {
  CHECK(extension_for("video/mp4") == ".mp4");
  CHECK(extension_for("Image/JPEG; charset=binary") == ".jpg");
  CHECK(extension_for(" text/html ;charset=utf-8") == ".html");
  CHECK(extension_for("application/pdf;") == ".pdf");
  CHECK(extension_for("application/x-tar") == ".tar");
}

TEST_CASE("a type that says nothing, or is none, gives no extension") {
  for (const char* type : {"", ";", "application/octet-stream", "binary/octet-stream", "video/",
                           "video", "mp4", "video/mp4x", "video/mp4,image/png", "*/*"})
    CHECK_MESSAGE(extension_for(type).empty(), type);
}

TEST_CASE("every kind is told by its extension, in any case, with or without a path") {
  CHECK(kind_of("a.JPG") == MediaKind::image);
  CHECK(kind_of("/x/y.z/a.mkv") == MediaKind::video);
  CHECK(kind_of("a.flac") == MediaKind::audio);
  CHECK(kind_of("a.tar.gz") == MediaKind::archive);
  CHECK(kind_of("C:\\a.epub") == MediaKind::document);
  CHECK(kind_of("index.html") == MediaKind::page);
}

TEST_CASE("X9: no extension, one that only begins like another, or an unknown one is other") {
  for (const char* name : {"", "a", "mp4", "a.", "a.mp4x", "a.mp", "a.mp4.part", "x.mp4/a", "a.exe",
                           "a.desktop", "a. mp4", "a.mp4 webm", "."})
    CHECK_MESSAGE(kind_of(name) == MediaKind::other, name);
}

TEST_CASE("what a type gives has the kind one expects of the type") {
  CHECK(kind_of("a" + std::string{extension_for("audio/webm")}) == MediaKind::audio);
  CHECK(kind_of("a" + std::string{extension_for("image/vnd.djvu")}) == MediaKind::document);
  CHECK(kind_of("a" + std::string{extension_for("application/vnd.rar")}) == MediaKind::archive);
  CHECK(kind_of("a" + std::string{extension_for("application/x-bittorrent")}) == MediaKind::other);
}

}  // namespace haul::io
