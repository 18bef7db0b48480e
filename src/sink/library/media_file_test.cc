#include "sink/library/media_file.h"

#include <doctest/doctest.h>

namespace haul::library {

TEST_CASE("S1-21: a path has a folder, a name, a stem and an extension in lower case") {
  CHECK(folder_of("a/b/C.MKV") == "a/b");
  CHECK(name_of("a/b/C.MKV") == "C.MKV");
  CHECK(stem_of("a/b/C.D.MKV") == "C.D");
  CHECK(extension_of("a/b/C.D.MKV") == ".mkv");
  CHECK(folder_of("c.mkv").empty());
  CHECK(name_of("c.mkv") == "c.mkv");
}

TEST_CASE("S1-21: what only looks like an extension is part of the stem") {
  for (const char* name : {"a", ".mkv", "a.", "Mr. Robot", "a.seventeen-letters", "a.b/c", ""}) {
    CHECK_MESSAGE(extension_of(name).empty(), name);
    CHECK_MESSAGE(stem_of(name) == name_of(name), name);
  }
  CHECK(extension_of("a.sixteen-letters-") == ".sixteen-letters-");
}

TEST_CASE("S1-21: videos and subtitles are told by their extension, in any case") {
  for (const char* name :
       {"a.mkv", "a.MP4", "x/a.avi", "a.m2ts", "a.ts", "a.ogm", "a.rmvb", "a.wtv"})
    CHECK_MESSAGE(is_video(name), name);
  for (const char* name : {"a.srt", "a.en.ASS", "x/a.idx", "a.sub", "a.sup", "a.vtt"}) {
    CHECK_MESSAGE(is_subtitle(name), name);
    CHECK_MESSAGE(!is_video(name), name);
  }
  for (const char* name : {"a.nfo", "mkv", ".mkv", "a.mkv.part", "a.mkvx", "a.iso", "a.jpg",
                           "a.exe", "a.mkv/readme", ""}) {
    CHECK_MESSAGE(!is_video(name), name);
    CHECK_MESSAGE(!is_subtitle(name), name);
  }
}

TEST_CASE("promise 9: an archive is told by its extension, also one of its volumes") {
  for (const char* name : {"a.rar", "a.ZIP", "a.7z", "a.iso", "a.part01.rar", "a.r00", "a.R99",
                           "a.s00", "a.z01", "x/a.7z.001"})
    CHECK_MESSAGE(is_archive(name), name);
  for (const char* name :
       {"a.mkv", "a.nfo", "a.srt", "a.r0", "a.r000", "a.t00", "r00", ".r00", "a.rar/readme", ""})
    CHECK_MESSAGE(!is_archive(name), name);
}

TEST_CASE("S1-21: names of folders are compared without case and separators") {
  CHECK(folded("Behind The-Scenes") == "behindthescenes");
  CHECK(folded("VIDEO_TS") == "videots");
  CHECK(folded("._- ").empty());
}

}  // namespace haul::library
