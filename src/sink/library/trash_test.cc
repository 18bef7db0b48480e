// Z-4: the trash keeps what a clean has removed, gives it back without replacing, and is emptied of
// what is old enough.

#include "sink/library/trash.h"

#include <doctest/doctest.h>

#include "support/io/library_bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using library::TrashBin;
using library::TrashedFile;
using library::TrashOwner;

const TrashOwner kOwner{kTestStore, JobId{7}};
constexpr Time kNow = from_unix_ms(1'700'000'000'000);

struct Trashing {
  Trashing() : root{io::open_root(b.downloads()).value()} {}

  // Moves a file to the trash, as a clean does.
  Result<void> trash(const SourceFile& source, const TrashOwner& owner = kOwner, Time at = kNow) {
    TrashBin bin = TrashBin::open(root, owner).value();
    if (auto announced = bin.announce({&source, 1}, at); !announced) return announced;
    const io::SplitPath split = io::split_path(source.path);
    const auto folder = io::open_folder_beneath(root, split.folder, io::Mounts::stay);
    if (!folder) return std::unexpected{folder.error()};
    if (auto taken = bin.take({*folder, split.name}, source); !taken) return taken;
    return bin.flush();
  }
  std::string trash(const std::string& path, const std::string& text) {
    const auto done = trash(b.download(path, text));
    return done ? "" : done.error().code;
  }
  // "7:a/film 7:b/film"
  std::string list() const {
    std::string text;
    for (const library::TrashEntry& entry : library::list_trash(b.downloads()).value().files)
      text +=
          (text.empty() ? "" : " ") + std::to_string(entry.owner.job.value) + ":" + entry.file.path;
    return text;
  }
  fs::path folder() const { return b.downloads() / ".haul-trash"; }

  LibraryBench b;
  io::Descriptor root;
};

}  // namespace

TEST_CASE("Z-4: a trashed file keeps its path, below a folder of its job, and is listed") {
  Trashing t;
  CHECK(t.list().empty());

  CHECK(t.trash("Film/film.mkv", "bytes").empty());

  CHECK(t.list() == "7:Film/film.mkv");
  CHECK(LibraryBench::text_of(t.folder() / "a1b2c3d4e5f6-7/files/Film/film.mkv") == "bytes");
  CHECK_FALSE(fs::exists(t.b.downloads() / "Film/film.mkv"));
  const auto entry = library::list_trash(t.b.downloads()).value().files.at(0);
  CHECK((entry.owner == kOwner));
  CHECK(entry.file.size == 5);
  CHECK((entry.file.at == kNow));
}

TEST_CASE("Z-4: what a crash left in the trash is recognised") {
  Trashing t;
  const SourceFile source = t.b.download("film.mkv", "bytes");
  TrashBin bin = TrashBin::open(t.root, kOwner).value();
  CHECK_FALSE(bin.has(source));
  REQUIRE(bin.announce({&source, 1}, kNow));
  CHECK_FALSE(bin.has(source));
  const std::string name = "film.mkv";
  REQUIRE(bin.take({t.root, name}, source));

  CHECK(TrashBin::open(t.root, kOwner).value().has(source));

  SourceFile other = source;
  other.mtime_ns += 1;
  CHECK_FALSE(TrashBin::open(t.root, kOwner).value().has(other));
}

TEST_CASE("Z-4: two files of one path are both kept, and each is restored to it in turn") {
  Trashing t;
  CHECK(t.trash("film.mkv", "first").empty());
  CHECK(t.trash("film.mkv", "second").empty());
  CHECK(t.list() == "7:film.mkv 7:film.mkv");

  const auto done = library::restore_trash(t.b.downloads(), kOwner, "film.mkv");

  REQUIRE(done);
  CHECK(done->restored == std::vector<std::string>{"film.mkv"});
  REQUIRE(done->kept.size() == 1);
  CHECK(done->kept[0] == "film.mkv: another file has its place");
  CHECK(t.list() == "7:film.mkv");
}

TEST_CASE("Z-4: a file that is not the source goes back to its name") {
  Trashing t;
  SourceFile source = t.b.download("film.mkv", "bytes");
  fs::remove(t.b.downloads() / "film.mkv");
  LibraryBench::write(t.b.downloads() / "film.mkv", "of a user");

  const auto done = t.trash(source);

  CHECK(done.error().code == "source_changed");
  CHECK(LibraryBench::text_of(t.b.downloads() / "film.mkv") == "of a user");
  CHECK(t.list().empty());
}

TEST_CASE("Z-4: a file comes back to its path, with folders that are gone, and leaves no trace") {
  Trashing t;
  CHECK(t.trash("Film/sub/film.mkv", "bytes").empty());
  fs::remove_all(t.b.downloads() / "Film");

  const auto done = library::restore_trash(t.b.downloads(), kOwner);

  REQUIRE(done);
  CHECK(done->restored == std::vector<std::string>{"Film/sub/film.mkv"});
  CHECK(LibraryBench::tree(t.b.downloads()) == ".haul-trash/ Film/sub/film.mkv=bytes");
  CHECK(library::restore_trash(t.b.downloads(), kOwner).error().code == "not_found");
}

TEST_CASE("Z-4: a restore replaces nothing and goes through no link") {
  Trashing t;
  CHECK(t.trash("Film/film.mkv", "bytes").empty());
  LibraryBench::write(t.b.downloads() / "Film/film.mkv", "of a user");
  CHECK(library::restore_trash(t.b.downloads(), kOwner)->restored.empty());
  CHECK(LibraryBench::text_of(t.b.downloads() / "Film/film.mkv") == "of a user");

  fs::remove_all(t.b.downloads() / "Film");
  fs::create_directory_symlink(t.b.movies(), t.b.downloads() / "Film");
  CHECK(library::restore_trash(t.b.downloads(), kOwner)->restored.empty());
  CHECK(LibraryBench::tree(t.b.movies()).empty());
  CHECK(t.list() == "7:Film/film.mkv");
}

TEST_CASE("Z-4: a restore names one file, or has nothing to do") {
  Trashing t;
  CHECK(t.trash("a.mkv", "a").empty());
  CHECK(t.trash("b.mkv", "b").empty());
  CHECK(library::restore_trash(t.b.downloads(), kOwner, "b.mkv")->restored.size() == 1);
  CHECK(t.list() == "7:a.mkv");
  CHECK(library::restore_trash(t.b.downloads(), kOwner, "c.mkv").error().code == "not_found");
  CHECK(library::restore_trash(t.b.downloads(), {kTestStore, JobId{8}}).error().code ==
        "not_found");
}

TEST_CASE("Z-4: emptying deletes what is as old as the limit, and nothing newer") {
  Trashing t;
  const auto day = std::chrono::hours{24};
  REQUIRE(t.trash(t.b.download("Old/old.mkv", "bytes"), kOwner, kNow));
  REQUIRE(t.trash(t.b.download("new.mkv", "new"), kOwner, kNow + Millis{1}));
  REQUIRE(t.trash(t.b.download("other.mkv", "other"), {kTestStore, JobId{8}}, kNow - day));

  const auto nothing = library::empty_trash(t.b.downloads(), kNow - day - Millis{1});
  REQUIRE(nothing);
  CHECK(nothing->files == 0);
  const auto emptied = library::empty_trash(t.b.downloads(), kNow);

  REQUIRE(emptied);
  CHECK(emptied->files == 2);
  CHECK(emptied->bytes == 10);
  CHECK(emptied->kept.empty());
  CHECK(t.list() == "7:new.mkv");
  CHECK_FALSE(fs::exists(t.folder() / "a1b2c3d4e5f6-8"));
  CHECK_FALSE(fs::exists(t.folder() / "a1b2c3d4e5f6-7/files/Old"));
}

TEST_CASE("promise 10: emptying deletes only files that the index has, unchanged") {
  Trashing t;
  CHECK(t.trash("a.mkv", "a").empty());
  CHECK(t.trash("b.mkv", "b").empty());
  const fs::path files = t.folder() / "a1b2c3d4e5f6-7/files";
  LibraryBench::write(files / "of a user.txt", "mine");
  LibraryBench::write(files / "b.mkv", "changed");
  LibraryBench::write(t.folder() / "note.txt", "mine");
  LibraryBench::write(t.folder() / "folder-of-a-user/x", "mine");

  const auto emptied = library::empty_trash(t.b.downloads(), kNow);

  REQUIRE(emptied);
  CHECK(emptied->files == 1);
  CHECK(LibraryBench::tree(t.folder()) ==
        "a1b2c3d4e5f6-7/files/b.mkv=changed a1b2c3d4e5f6-7/files/of a user.txt=mine "
        "folder-of-a-user/x=mine note.txt=mine");
}

TEST_CASE("F28: a trash that is a link is not used") {
  Trashing t;
  fs::create_directory_symlink(t.b.movies(), t.folder());
  CHECK(TrashBin::open(t.root, kOwner).error().code == "link_on_the_way");
  CHECK(library::list_trash(t.b.downloads())->files.empty());
  CHECK(library::empty_trash(t.b.downloads(), kNow)->files == 0);
  CHECK(LibraryBench::tree(t.b.movies()).empty());
}

TEST_CASE("an index that cannot be read keeps its files, and the others are listed") {
  Trashing t;
  CHECK(t.trash("a.mkv", "a").empty());
  REQUIRE(t.trash(t.b.download("b.mkv", "b"), {kTestStore, JobId{8}}));
  for (const char* index :
       {"", "{", R"([{"path":"../a","kept":"a","at_ms":1}])",
        R"([{"path":"a","kept":"/a","at_ms":1}])", R"([{"path":"a","kept":"a"}])"}) {
    LibraryBench::write(t.folder() / "a1b2c3d4e5f6-7/index.json", index);

    const auto list = library::list_trash(t.b.downloads());

    REQUIRE(list);
    CHECK(list->left_out == 1);
    CHECK(list->files.size() == 1);
    CHECK(library::empty_trash(t.b.downloads(), kNow - Millis{1})->kept.size() == 1);
  }
  CHECK(LibraryBench::text_of(t.folder() / "a1b2c3d4e5f6-7/files/a.mkv") == "a");
}

TEST_CASE("the index has paths of any bytes") {
  const std::vector<TrashedFile> files = {{.path = "a%41/\xff\xfe.mkv",
                                           .kept = "ä/\"q\" 100%.mkv",
                                           .inode = 1,
                                           .size = 2,
                                           .mtime_ns = 3,
                                           .at = kNow}};
  const auto read = library::read_trash_json(library::trash_json(files));
  REQUIRE(read);
  CHECK((*read == files));
}

TEST_CASE("a clean and an emptying change the index of one job, and neither is lost") {
  Trashing t;
  CHECK(t.trash("old.mkv", "old").empty());
  const SourceFile source = t.b.download("new.mkv", "new");
  TrashBin bin = TrashBin::open(t.root, kOwner).value();
  REQUIRE(bin.announce({&source, 1}, kNow + Millis{1}));

  REQUIRE(library::empty_trash(t.b.downloads(), kNow));
  const std::string name = "new.mkv";
  REQUIRE(bin.take({t.root, name}, source));

  CHECK(t.list() == "7:new.mkv");
}

}  // namespace haul::testing
