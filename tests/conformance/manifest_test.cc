// The manifest: the only files that haul may ever remove for a job (Z-4, promise 10).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// A media job in `imported`, held by the bench's worker.
struct Listing {
  Bench b;
  JobId id = b.reach(kMedia, "imported");

  Manifest& manifest() { return b.store().manifest(); }
  std::string list(const std::vector<ManifestEntry>& entries) {
    const auto answer = manifest().list(b.hold(id), entries);
    return answer ? "ok" : answer.error().code;
  }
  // The files not removed yet, in order: "root:path root:path".
  std::string listed(std::size_t limit = 100) {
    std::string text;
    for (const ManifestEntry& e : manifest().of(id, limit))
      text += (text.empty() ? "" : " ") + e.root + ":" + e.path;
    return text;
  }
  FileId file(std::size_t index = 0) { return manifest().of(id, 100).at(index).id; }
};

ManifestEntry at(const std::string& path, const std::string& root = "/in") {
  return {.root = root, .path = path};
}

}  // namespace

TEST_CASE("Z-4: a file is listed as it looked: device, inode, size, time, and who made it") {
  Listing t;
  ManifestEntry wanted{.made_by = MadeBy::haul,
                       .root = "/in",
                       .path = "film/film.mkv",
                       .device = 2,
                       .inode = 3,
                       .size = 4,
                       .mtime_ns = 1'770'000'000'123'456'789};

  CHECK(t.list({wanted}) == "ok");

  wanted.id = t.file();
  CHECK((t.manifest().of(t.id, 10) == std::vector{wanted}));
}

TEST_CASE("S1-11, F28: a path that is empty, absolute, or leaves its root is refused") {
  Listing t;

  for (const char* bad : {"", "/", "/x", "..", "../x", "a/..", "a/../b", "a/b/../../..", ".", "./a",
                          "a/.", "a/./b", "a/"}) {
    CAPTURE(bad);
    CHECK(t.list({at(bad)}) == "bad_path");
  }

  CHECK(t.listed().empty());
}

TEST_CASE("F41: names that only look like a way out are names") {
  Listing t;

  for (const char* fine : {"a", "a/b/c", "..a", "a..", "...", "a/..b/c", ".hidden", "a b", "\\.."})
    CHECK(t.list({at(fine)}) == "ok");

  CHECK(t.manifest().of(t.id, 100).size() == 9);
}

TEST_CASE("promise 10: one bad path refuses the whole list") {
  Listing t;

  CHECK(t.list({at("good"), at("../bad")}) == "bad_path");

  CHECK(t.listed().empty());
}

TEST_CASE("files are given by root and path; another root is another file") {
  Listing t;
  CHECK(t.list({at("b"), at("a/z"), at("a", "/in2"), at("a")}) == "ok");

  CHECK(t.listed() == "/in:a /in:a/z /in:b /in2:a");
  CHECK(t.listed(2) == "/in:a /in:a/z");
}

TEST_CASE("a path listed again is replaced, not doubled") {
  Listing t;
  CHECK(t.list({at("a")}) == "ok");
  const FileId first = t.file();
  ManifestEntry changed = at("a");
  changed.inode = 7;
  changed.made_by = MadeBy::haul;

  CHECK(t.list({changed, changed}) == "ok");

  const std::vector<ManifestEntry> entries = t.manifest().of(t.id, 10);
  REQUIRE(entries.size() == 1);
  changed.id = first;
  CHECK((entries[0] == changed));
}

TEST_CASE("an empty list is fine and lists nothing") {
  Listing t;

  CHECK(t.list({}) == "ok");
  CHECK(t.listed().empty());
}

TEST_CASE("Z-4: a file is settled once, with each outcome, and is not offered again") {
  for (const Removal outcome :
       {Removal::deleted, Removal::trashed, Removal::kept_unsafe, Removal::already_gone}) {
    Listing t;
    CHECK(t.list({at("a"), at("b")}) == "ok");
    const FileId file = t.file();

    CHECK(t.manifest().settle(t.b.hold(t.id), file, outcome, t.b.now()));
    CHECK_FALSE(t.manifest().settle(t.b.hold(t.id), file, outcome, t.b.now()));

    CHECK(t.listed() == "/in:b");
  }
}

TEST_CASE("promise 10: a job cannot settle another job's file, nor one that is not listed") {
  Listing t;
  CHECK(t.list({at("a")}) == "ok");
  const JobId other = t.b.reach(kMedia, "imported");

  CHECK_FALSE(t.manifest().settle(t.b.hold(other), t.file(), Removal::deleted, t.b.now()));
  CHECK_FALSE(t.manifest().settle(t.b.hold(t.id), FileId{99}, Removal::deleted, t.b.now()));

  CHECK(t.listed() == "/in:a");
  CHECK(t.manifest().of(other, 10).empty());
}

TEST_CASE("two jobs may list one path, each its own") {
  Listing t;
  const JobId other = t.b.reach(kMedia, "imported");
  const ManifestEntry entry = at("a");

  CHECK(t.list({entry}) == "ok");
  CHECK(t.manifest().list(t.b.hold(other), {&entry, 1}).has_value());
  CHECK(t.manifest().settle(t.b.hold(t.id), t.file(), Removal::deleted, t.b.now()));

  CHECK(t.listed().empty());
  CHECK(t.manifest().of(other, 10).size() == 1);
}

TEST_CASE("Z-4: all files of a job are given with what became of them, by id, from any one on") {
  Listing t;
  CHECK(t.list({at("a"), at("b"), at("c")}) == "ok");
  const FileId first = t.file();
  CHECK(t.manifest().settle(t.b.hold(t.id), first, Removal::trashed, t.b.now()));
  const auto paths = [&](FileId after, std::size_t limit) {
    std::string text;
    for (const ManifestFile& file : t.manifest().all(t.id, after, limit))
      text += (text.empty() ? "" : " ") + file.entry.path;
    return text;
  };

  CHECK(paths({}, 10) == "a b c");
  CHECK(paths({}, 2) == "a b");
  CHECK(paths(first, 10) == "b c");
  const std::vector<ManifestFile> all = t.manifest().all(t.id, {}, 10);
  CHECK((all[0].outcome == Removal::trashed));
  CHECK_FALSE(all[1].outcome.has_value());
  CHECK(t.manifest().all(t.b.reach(kMedia, "imported"), {}, 10).empty());
}

TEST_CASE("Z-4: a file that another open job lists, under any path, is wanted elsewhere") {
  Listing t;
  ManifestEntry mine = at("a");
  mine.device = 1;
  mine.inode = 2;
  ManifestEntry link = at("b", "/in2");
  link.device = 1;
  link.inode = 2;
  ManifestEntry other = at("a");
  other.device = 2;
  other.inode = 2;
  CHECK(t.list({mine}) == "ok");
  const auto is_wanted = [&] { return t.manifest().all(t.id, {}, 1).front().is_wanted_elsewhere; };
  CHECK_FALSE(is_wanted());

  const JobId second = t.b.reach(kMedia, "imported");
  CHECK(t.manifest().list(t.b.hold(second), {&other, 1}).has_value());
  CHECK_FALSE(is_wanted());
  CHECK(t.manifest().list(t.b.hold(second), {&link, 1}).has_value());
  CHECK(is_wanted());
  for (const ManifestEntry& entry : t.manifest().of(second, 10))
    CHECK(t.manifest().settle(t.b.hold(second), entry.id, Removal::deleted, t.b.now()));
  CHECK_FALSE(is_wanted());

  const JobId ended = t.b.reach(kMedia, "imported");
  CHECK(t.manifest().list(t.b.hold(ended), {&link, 1}).has_value());
  CHECK(is_wanted());
  REQUIRE(t.b.ask(ended, On::fail).has_value());
  CHECK_FALSE(is_wanted());
}

TEST_CASE("Z-4: what was listed survives a release, a loss and the next worker") {
  Listing t;
  CHECK(t.list({at("a")}) == "ok");
  const std::vector<ManifestEntry> before = t.manifest().of(t.id, 10);
  t.b.jobs().rescue({.worker = t.b.worker(), .beat = 0, .lifecycle = &kMedia}, {}, t.b.now());
  t.b.claim(kMedia);

  CHECK((t.manifest().of(t.id, 10) == before));
  CHECK(t.manifest().settle(t.b.hold(t.id), t.file(), Removal::trashed, t.b.now()));
}
