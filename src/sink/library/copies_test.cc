// Promise 11: a library file is the copy of a source if it is the same file or has the same bytes.

#include "sink/library/copies.h"

#include <doctest/doctest.h>

#include "sink/library/proof.h"
#include "sink/library/source.h"
#include "support/io/clean_bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using Has = library::LibraryCopies::Has;

struct Looking {
  library::LibraryCopies copies() {
    return {c.placed, library::evidence_json(c.landed), c.b.hashes};
  }
  Result<Has> look(const SourceFile& source) {
    const io::Descriptor root = io::open_root(source.root).value();
    library::LibraryCopies seen = copies();
    return seen.look_for({.listed = source,
                          .seen = io::seen_in(root, source.path).value(),
                          .folder = io::seen_of(root),
                          .name = source.path,
                          .open = [&source] { return library::open_source(source); }},
                         {});
  }
  What prove() {
    const Parcel parcel{.job = JobId{1},
                        .fence = 1,
                        .request = "{}",
                        .path = {},
                        .placed = c.placed,
                        .evidence = library::evidence_json(c.landed)};
    return library::prove_by_reading(parcel, c.b.hashes, {}, [](const auto&) {});
  }

  CleanBench c;
};

}  // namespace

TEST_CASE("promise 11: a source is found by its bytes, under whatever name") {
  Looking l;
  const SourceFile one = l.c.add("one.mkv", "the film");
  const SourceFile two = l.c.add("two.mkv", "FILM TWO");
  const SourceFile note = l.c.add_source("note.nfo", "a note, longer");
  const SourceFile like = l.c.add_source("like.mkv", "the same");

  for (const bool has_evidence : {true, false}) {
    if (!has_evidence) l.c.landed.clear();
    CHECK((l.look(one) == Has::bytes));
    CHECK((l.look(two) == Has::bytes));
    CHECK((l.look(note) == Has::nothing_alike));
    CHECK((l.look(like) == Has::other_bytes));
  }
}

TEST_CASE("F29: the same file is recognised without reading it") {
  Looking l;
  const SourceFile source = l.c.add_link("film.mkv", "the film");
  fs::permissions(l.c.b.movies() / "film.mkv", fs::perms::none);
  CHECK((l.look(source) == Has::bytes));
}

TEST_CASE("what is missing is named, and the rest is present") {
  Looking l;
  l.c.add("one.mkv", "the film");
  l.c.add("two.mkv", "film two");
  CHECK(l.copies().missing().empty());
  CHECK(l.copies().present() == l.c.placed);

  fs::resize_file(l.c.b.movies() / "one.mkv", 2);
  CHECK(l.copies().missing() == (l.c.b.movies() / "one.mkv").string() + " has 2 bytes, not 8");
  CHECK(l.copies().present() == std::vector{l.c.placed[1]});
  l.c.placed[0].path = "relative.mkv";
  CHECK(l.copies().missing() == "relative.mkv is gone");
}

TEST_CASE("S1-19: without a media server files are proven by reading them") {
  Looking l;
  l.c.add("one.mkv", "the film");
  l.c.add_link("two.mkv", "film two");

  const What proof = l.prove();

  const auto* indexed = std::get_if<Indexed>(&proof);
  REQUIRE(indexed);
  CHECK(indexed->files == l.c.placed);
}

TEST_CASE("S1-19: a file that is gone is not listed, and none at all is NotIndexed") {
  Looking l;
  l.c.add("one.mkv", "the film");
  l.c.add("two.mkv", "film two");
  fs::remove(l.c.b.movies() / "one.mkv");
  const What some = l.prove();
  REQUIRE(std::get_if<Indexed>(&some));
  CHECK(std::get<Indexed>(some).files == std::vector{l.c.placed[1]});

  fs::remove(l.c.b.movies() / "two.mkv");
  CHECK(std::holds_alternative<NotIndexed>(l.prove()));
}

TEST_CASE("promise 11: a file with other bytes than were imported is damaged, not proven") {
  Looking l;
  l.c.add("one.mkv", "the film");
  LibraryBench::write(l.c.b.movies() / "one.mkv", "THE FILM");

  const What proof = l.prove();

  const auto* failed = std::get_if<Failed>(&proof);
  REQUIRE(failed);
  CHECK(failed->fault.code == "copy_damaged");
  CHECK((failed->fault.kind == FaultKind::environment));
}

TEST_CASE("a file is read once, and again when it has changed") {
  CleanBench c;
  c.add_source("film.mkv", "the film");
  int reads = 0;
  const auto hash = [&] {
    const auto file = library::open_source(c.b.listed("film.mkv"));
    return c.b.hashes.of(file.value(), {.progress = [&](std::int64_t) { ++reads; }}).value();
  };

  CHECK(hash() == sha256_hex("the film"));
  CHECK(hash() == sha256_hex("the film"));
  CHECK(reads == 1);
  LibraryBench::write(c.b.downloads() / "film.mkv", "THE FILM, AGAIN");
  CHECK(hash() == sha256_hex("THE FILM, AGAIN"));
  CHECK(reads == 2);
}

}  // namespace haul::testing
