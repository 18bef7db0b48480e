// F27, F28: a clean that was cut off at any point, and one that others race with.

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "io/file/entries.h"
#include "support/io/clean_bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

std::string aside_of(const SourceFile& source) {
  return ".haul-clean-a1b2c3d4e5f6-1-" + std::to_string(source.inode);
}

}  // namespace

TEST_CASE("F27: a source that a cut-off clean had set aside is removed by the next one") {
  CleanBench c;
  const SourceFile source = c.add("Film/film.mkv", "the film");
  const fs::path folder = c.b.downloads() / "Film";
  fs::rename(folder / "film.mkv", folder / aside_of(source));

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads().empty());
}

TEST_CASE("F27: a source that was set aside on its way to the trash gets there") {
  CleanBench c;
  c.by = library::CleanBy::trashing;
  const SourceFile source = c.add("Film/film.mkv", "the film");
  const fs::path folder = c.b.downloads() / "Film";
  fs::rename(folder / "film.mkv", folder / aside_of(source));

  CHECK(c.outcome() == "trashed");

  CHECK_FALSE(fs::exists(folder));
  const fs::path trash = c.b.downloads() / ".haul-trash/a1b2c3d4e5f6-1/files";
  CHECK(LibraryBench::tree(trash) == "Film/film.mkv=the film");
}

TEST_CASE("F27: a source that was set aside comes back if the library has lost its file") {
  CleanBench c;
  const SourceFile source = c.add("film.mkv", "the film");
  fs::rename(c.b.downloads() / "film.mkv", c.b.downloads() / aside_of(source));
  fs::remove(c.b.movies() / "film.mkv");

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.downloads() == "film.mkv=the film");
}

TEST_CASE("F28: another file that was set aside by mistake comes back") {
  CleanBench c;
  const SourceFile source = c.add("film.mkv", "the film");
  fs::remove(c.b.downloads() / "film.mkv");
  LibraryBench::write(c.b.downloads() / aside_of(source), "of a user");

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.downloads() == "film.mkv=of a user");
}

TEST_CASE(
    "F28: if its name is taken meanwhile, the source is removed from where it was set aside") {
  CleanBench c;
  const SourceFile source = c.add("film.mkv", "the film");
  fs::rename(c.b.downloads() / "film.mkv", c.b.downloads() / aside_of(source));
  LibraryBench::write(c.b.downloads() / "film.mkv", "of a user");

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads() == "film.mkv=of a user");
}

TEST_CASE("F27: a source that was set aside and stays says its name if its own is taken") {
  for (const bool is_taken : {true, false}) {
    CleanBench c;
    const SourceFile source = c.add("film.mkv", "the film");
    fs::rename(c.b.downloads() / "film.mkv", c.b.downloads() / aside_of(source));
    if (is_taken) LibraryBench::write(c.b.downloads() / "film.mkv", "of a user");
    c.why_kept = [](const SourceFile&) -> Result<std::string> { return "another job has it"; };

    CHECK(c.outcome() == "kept_unsafe");

    const std::string called = is_taken ? aside_of(source) : "film.mkv";
    CHECK(LibraryBench::text_of(c.b.downloads() / called) == "the film");
    const std::string end = "; the file is called " + called + " now";
    CHECK(c.told.at("film.mkv").detail == "another job has it" + (is_taken ? end : ""));
  }
}

TEST_CASE("F27: a source that must stay is not read, and has its own name again by then") {
  for (const bool is_aside : {true, false}) {
    CAPTURE(is_aside);
    CleanBench c;
    const SourceFile source = c.add("Film/film.mkv", "the film");
    const fs::path folder = c.b.downloads() / "Film";
    if (is_aside) fs::rename(folder / "film.mkv", folder / aside_of(source));
    std::string seen;
    c.why_kept = [&](const SourceFile&) -> Result<std::string> {
      seen += c.downloads();
      return "another job has it";
    };
    bool is_read = false;

    CHECK(c.outcome({.progress = [&](std::int64_t) { is_read = true; }}) == "kept_unsafe");

    CHECK_FALSE(is_read);
    CHECK(seen == "Film/film.mkv=the film");
    CHECK(c.downloads() == seen);
    CHECK(c.told.at("Film/film.mkv").detail == "another job has it");
  }
}

TEST_CASE("Z-4: after a cut-off clean an extra is still an extra") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.add_source("Film/Extras/more.mkv", "more");
  fs::remove(c.b.downloads() / "Film/film.mkv");
  c.sources.erase(c.sources.begin());  // The cut-off clean has told of it.

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads().empty());
}

TEST_CASE("Z-4: after a cut-off clean the next one ends what is left") {
  for (std::size_t removed = 0; removed <= 3; ++removed) {
    CAPTURE(removed);
    CleanBench c;
    for (const char* path : {"Show/S01/e1.mkv", "Show/S01/e2.mkv", "Show/S02/e1.mkv"})
      c.add(path, path);
    for (std::size_t i = 0; i < removed; ++i) fs::remove(c.b.downloads() / c.sources[i].path);

    CHECK_FALSE(c.clean().fault);

    CHECK(c.downloads().empty());
  }
}

TEST_CASE("Z-4: a move to the trash that was cut off before or after the rename is completed") {
  for (const bool is_moved : {false, true}) {
    CleanBench c;
    c.by = library::CleanBy::trashing;
    const SourceFile source = c.add("Film/film.mkv", "the film");
    {
      const io::Descriptor root = io::open_root(c.b.downloads()).value();
      const io::Descriptor folder = io::open_folder_beneath(root, "Film", io::Mounts::stay).value();
      library::TrashBin bin =
          library::TrashBin::open(root, {.store = kTestStore, .job = JobId{1}}).value();
      REQUIRE(bin.announce(c.sources, c.b.clock.now()));
      const std::string name = "film.mkv";
      if (is_moved) REQUIRE(bin.take({folder, name}, source));
    }

    CHECK(c.outcome() == "trashed");

    const fs::path trash = c.b.downloads() / ".haul-trash/a1b2c3d4e5f6-1";
    CHECK(LibraryBench::tree(trash / "files") == "Film/film.mkv=the film");
    CHECK_FALSE(fs::exists(c.b.downloads() / "Film"));
  }
}

// The reading of the library is the last step before the removal: what a test does there comes
// between the check of the source and its removal.
TEST_CASE("F28: what takes the source's name between the check and the removal stays") {
  for (const auto by : {library::CleanBy::deleting, library::CleanBy::trashing})
    for (const char* swap : {"file", "link", "folder"}) {
      CAPTURE(swap);
      CleanBench c;
      c.by = by;
      c.add("Film/film.mkv", "the film");
      const fs::path path = c.b.downloads() / "Film/film.mkv";
      const auto exchange = [&](std::int64_t) {
        if (fs::exists(c.b.downloads() / "moved")) return;
        fs::rename(path, c.b.downloads() / "moved");
        const std::string_view is{swap};
        if (is == "file") LibraryBench::write(path, "of a user");
        if (is == "link") fs::create_symlink("../moved", path);
        if (is == "folder") fs::create_directory(path);
      };

      CHECK(c.outcome({.progress = exchange}) == "kept_unsafe");

      CHECK(LibraryBench::text_of(c.b.downloads() / "moved") == "the film");
      if (std::string_view{swap} == "file") CHECK(LibraryBench::text_of(path) == "of a user");
      if (std::string_view{swap} == "link") CHECK(fs::is_symlink(path));
      if (std::string_view{swap} == "folder") CHECK(fs::is_directory(path));
    }
}

TEST_CASE("F28: a folder that is exchanged for a link between the check and the removal") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  LibraryBench::write(c.b.movies() / "away/film.mkv", "of a user");
  const fs::path folder = c.b.downloads() / "Film";
  const auto exchange = [&](std::int64_t) {
    if (fs::is_symlink(folder)) return;
    fs::rename(folder, c.b.downloads() / "moved");
    fs::create_directory_symlink(c.b.movies() / "away", folder);
  };

  CHECK(c.outcome({.progress = exchange}) == "deleted");

  CHECK(LibraryBench::text_of(c.b.movies() / "away/film.mkv") == "of a user");
  CHECK_FALSE(fs::exists(c.b.downloads() / "moved/film.mkv"));
  CHECK(fs::is_symlink(folder));
}

TEST_CASE("promise 9: a library file that is lost between the check and the removal") {
  CleanBench c;
  c.add("film.mkv", "the film");

  CHECK(c.outcome({.progress = [&](std::int64_t) { fs::remove(c.b.movies() / "film.mkv"); }}) ==
        "kept_unsafe");

  CHECK(c.downloads() == "film.mkv=the film");
}

// One thread exchanges the source and a user's file, by atomic renames, while another cleans.
TEST_CASE("F28: a race for the source's name never costs a user's file") {
  for (int round = 0; round < 50; ++round) {
    CleanBench c;
    c.add_link("film.mkv", "the film");
    LibraryBench::write(c.b.downloads() / "mine", "of a user");
    const io::Descriptor root = io::open_root(c.b.downloads()).value();
    const std::string film = "film.mkv";
    const std::string mine = "mine";
    const std::string spare = "spare";
    std::atomic<bool> is_over = false;
    std::thread racer{[&] {
      while (!is_over) {
        (void)io::move_entry({root, film}, {root, spare});
        (void)io::move_entry({root, mine}, {root, film});
        (void)io::move_entry({root, film}, {root, mine});
        (void)io::move_entry({root, spare}, {root, film});
      }
    }};

    c.clean();
    is_over = true;
    racer.join();

    int found = 0;
    for (const auto& entry : fs::directory_iterator{c.b.downloads()})
      found += LibraryBench::text_of(entry.path()) == "of a user" ? 1 : 0;
    CHECK(found == 1);
    CHECK(LibraryBench::text_of(c.b.movies() / "film.mkv") == "the film");
  }
}

}  // namespace haul::testing
