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

TEST_CASE("F29: a library file that is gone when its source is set aside is missed at once") {
  for (const bool is_link : {true, false}) {
    CAPTURE(is_link);
    Looking l;
    const SourceFile film =
        is_link ? l.c.add_link("film.mkv", "the film") : l.c.add("film.mkv", "the film");
    const SourceFile note = l.c.add_source("note.nfo", "a note, longer");
    const io::Descriptor root = io::open_root(l.c.b.downloads()).value();
    library::LibraryCopies copies = l.copies();
    const auto look = [&](const SourceFile& source) {
      return copies.look_for({.listed = source,
                              .seen = io::seen_in(root, source.path).value(),
                              .folder = io::seen_of(root),
                              .name = source.path,
                              .open = [&source] { return library::open_source(source); }},
                             {});
    };
    CHECK((look(film) == Has::bytes));
    CHECK(copies.still_has());
    fs::rename(l.c.b.downloads() / "film.mkv", l.c.b.downloads() / "aside");
    CHECK(copies.still_has());

    fs::rename(l.c.b.movies() / "film.mkv", l.c.b.movies() / "aside");
    CHECK_FALSE(copies.still_has());
    LibraryBench::write(l.c.b.movies() / "film.mkv", "the film");
    CHECK_FALSE(copies.still_has());  // Another file.

    CHECK((look(note) == Has::nothing_alike));
    CHECK(copies.still_has());
  }
}

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

TEST_CASE("promise 11: a library file that cannot be looked at is not gone") {
  Looking l;
  l.c.add("one.mkv", "the film");
  CHECK_FALSE(l.copies().unseen());

  for (const char* gone : {"none/one.mkv", "one.mkv/one.mkv", "none.mkv"}) {
    CAPTURE(gone);
    l.c.placed[0].path = (l.c.b.movies() / gone).string();
    CHECK(l.copies().missing() == l.c.placed[0].path + " is gone");
    CHECK_FALSE(l.copies().unseen());
  }
  fs::create_symlink("loop", l.c.b.movies() / "loop");
  for (const std::string& unseen : {std::string{"loop/one.mkv"}, std::string(300, 'x')}) {
    CAPTURE(unseen);
    l.c.placed[0].path = (l.c.b.movies() / unseen).string();
    CHECK(l.copies().missing() == l.c.placed[0].path + " cannot be looked at");
    CHECK(l.copies().present().empty());
    CHECK((l.copies().unseen().value().kind == FaultKind::environment));
  }
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

TEST_CASE("S1-19: a file that is gone or shorter proves nothing, and is named") {
  Looking l;
  CHECK(std::holds_alternative<NotIndexed>(l.prove()));  // Nothing has landed.
  l.c.add("one.mkv", "the film");
  l.c.add("two.mkv", "film two");
  const auto is_missing = [&](const std::string& what) {
    const What proof = l.prove();
    const auto* failed = std::get_if<Failed>(&proof);
    REQUIRE(failed);
    CHECK(failed->fault.code == "copy_missing");
    CHECK((failed->fault.kind == FaultKind::environment));
    CHECK(failed->fault.detail.starts_with((l.c.b.movies() / what).string()));
  };

  LibraryBench::write(l.c.b.movies() / "two.mkv", "film");
  is_missing("two.mkv has 4 bytes, not 8: ");
  fs::remove(l.c.b.movies() / "one.mkv");
  is_missing("one.mkv is gone: ");
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
