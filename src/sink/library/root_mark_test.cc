// A library whose disk is not mounted is told from one that is empty.

#include "sink/library/root_mark.h"

#include <doctest/doctest.h>

#include <array>
#include <barrier>
#include <thread>

#include "sink/library/library_folder.h"
#include "support/io/clean_bench.h"
#include "support/io/small_disk.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

struct Marking {
  std::string use(const fs::path& path) const {
    const io::Descriptor open = io::open_root(path).value();
    const auto used = library::use_root(records, open, path);
    return used ? "" : used.error().code;
  }

  TempFolder temp;
  fs::path records = temp / "data/roots";
  fs::path root = [this] {
    fs::create_directory(temp / "movies");
    return temp / "movies";
  }();
  fs::path mark = root / ".haul-root";
};

}  // namespace

TEST_CASE("F28: a root is marked at its first use, and refused without its mark from then on") {
  const Marking m;
  CHECK_FALSE(library::is_mark_gone(m.records, m.root));

  CHECK(m.use(m.root).empty());
  CHECK(fs::is_regular_file(m.mark));
  CHECK(m.use(m.root).empty());
  CHECK_FALSE(library::is_mark_gone(m.records, m.root));

  fs::remove(m.mark);
  CHECK(m.use(m.root) == "root_not_mounted");
  CHECK(m.use(m.root.string() + "/") == "root_not_mounted");
  CHECK(library::is_mark_gone(m.records, m.root));
  CHECK(fs::is_empty(m.root));

  LibraryBench::write(m.mark, "");  // As the fault says.
  CHECK(m.use(m.root).empty());
}

TEST_CASE("a root with files that is new to haul is marked, and one with a mark is recorded") {
  const Marking m;
  LibraryBench::write(m.root / "Film/film.mkv", "of a user");
  CHECK(m.use(m.root).empty());
  CHECK(fs::exists(m.mark));

  fs::remove_all(m.records);  // A crash between the mark and the record, or another haul.
  CHECK(m.use(m.root).empty());
  fs::remove(m.mark);
  CHECK(m.use(m.root) == "root_not_mounted");
}

TEST_CASE("S1-16: a clean waits for a library that is not mounted") {
  CleanBench c;
  const fs::path records = c.b.downloads().parent_path() / "roots";
  c.library_roots = {c.b.movies().string() + "/"};
  c.root_records = records;
  c.add("film.mkv", "the film");
  const io::Descriptor movies = io::open_root(c.b.movies()).value();
  REQUIRE(library::use_root(records, movies, c.b.movies()));
  fs::rename(c.b.movies(), c.b.movies().string() + " elsewhere");
  CHECK(c.outcome() == "root_not_mounted");
  fs::create_directory(c.b.movies());
  CHECK(c.outcome() == "root_not_mounted");
  CHECK(c.downloads() == "film.mkv=the film");
  CHECK(c.told.empty());

  LibraryBench::write(c.b.movies() / ".haul-root", "");
  CHECK(c.outcome() == "kept_unsafe");
  CHECK(c.downloads() == "film.mkv=the film");
}

TEST_CASE("F28: an import makes no folder in a library that is not mounted") {
  const Marking m;
  const io::PartOwner holder{.store = kTestStore, .job = JobId{1}, .item = 0, .fence = 1};
  CHECK(library::LibraryFolders(holder, m.records).open(m.root, "Film"));
  CHECK(LibraryBench::tree(m.root).starts_with(".haul-root="));

  fs::remove_all(m.root);
  fs::create_directory(m.root);
  library::LibraryFolders folders{holder, m.records};
  CHECK(folders.open(m.root, "Film 2").error().code == "root_not_mounted");
  CHECK(fs::is_empty(m.root));
}

TEST_CASE("F28: two first imports into one root both find it marked") {
  for (int round = 0; round < 200; ++round) {
    const Marking m;
    std::barrier together{2};
    std::array<std::string, 2> codes;
    const auto use = [&](std::size_t which) {
      together.arrive_and_wait();
      codes.at(which) = m.use(m.root);
    };
    {
      const std::jthread other{use, 1U};
      use(0);
    }
    CHECK((codes == std::array<std::string, 2>{}));
    CHECK(fs::is_regular_file(m.mark));
    CHECK(m.use(m.root).empty());
  }
}

TEST_CASE("F28: a root that cannot be marked is waited for, whatever is wrong with it") {
  const Marking m;
  const io::Descriptor open = io::open_root(m.root).value();
  fs::remove(m.root);  // Its descriptor lives on, and no file can be created in it.
  const auto used = library::use_root(m.records, open, m.root);
  REQUIRE_FALSE(used.has_value());
  CHECK((used.error().kind == FaultKind::environment));
}

TEST_CASE("a link or a folder of the mark's name is no mark") {
  const Marking m;
  CHECK(m.use(m.root).empty());
  fs::remove(m.mark);
  fs::create_symlink("/etc/hostname", m.mark);
  CHECK(m.use(m.root) == "root_not_mounted");
  fs::remove(m.mark);
  fs::create_directory(m.mark);
  CHECK(m.use(m.root) == "root_not_mounted");
}

TEST_CASE("without records every root counts as mounted, and none is marked") {
  const Marking m;
  const io::Descriptor open = io::open_root(m.root).value();
  CHECK(library::use_root({}, open, m.root));
  CHECK(fs::is_empty(m.root));
  CHECK_FALSE(library::is_mark_gone({}, m.root));
}

TEST_CASE("F28: the mark goes with its disk") {
  const Marking m;
  {
    const SmallDisk disk{m.root};
    if (!disk.is_there()) return;
    CHECK(m.use(m.root).empty());
  }
  CHECK(m.use(m.root) == "root_not_mounted");
  CHECK(fs::is_empty(m.root));
}

}  // namespace haul::testing
