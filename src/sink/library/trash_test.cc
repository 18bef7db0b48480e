// Z-4: the trash keeps what a clean has removed, gives it back without replacing, and is emptied of
// what is old enough.

#include "sink/library/trash.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "sink/library/set_aside.h"
#include "sink/library/trash_bin.h"
#include "support/io/library_bench.h"
#include "support/io/small_disk.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using library::TrashBin;
using library::TrashedFile;
using library::TrashOwner;

const TrashOwner kOwner{kTestStore, JobId{7}};
constexpr Time kNow = from_unix_ms(1'700'000'000'000);

struct Trashing {
  Trashing()
      : root{io::open_root(b.downloads()).value()},
        trash{library::make_trash({.root = b.downloads(), .store = kTestStore})} {}

  // Moves a file to the trash, as a clean does.
  Result<void> put(const SourceFile& source, const TrashOwner& owner = kOwner, Time at = kNow) {
    auto bin = TrashBin::open(root, owner);
    if (!bin) return std::unexpected{bin.error()};
    if (auto announced = bin->announce({&source, 1}, at); !announced) return announced;
    const io::SplitPath split = io::split_path(source.path);
    const auto folder = io::open_folder_beneath(root, split.folder, io::Mounts::stay);
    if (!folder) return std::unexpected{folder.error()};
    if (auto taken = bin->take({*folder, split.name}, source); !taken) return taken;
    return bin->flush();
  }
  std::string put(const std::string& path, const std::string& text) {
    const auto done = put(b.download(path, text));
    return done ? "" : done.error().code;
  }
  // "7:a/film 7:b/film"
  std::string list() const {
    std::string text;
    const std::vector<JobId> jobs = trash->jobs({}, 100).value();
    for (const JobId job : jobs) {
      const std::vector<TrashFile> files = trash->files(job).value();
      for (const TrashFile& file : files)
        text += (text.empty() ? "" : " ") + std::to_string(job.value) + ":" + file.path;
    }
    return text;
  }
  // "a.mkv, b.mkv; c.mkv: another file has its place", or the code of the fault.
  std::string restore(const std::string& path = {}, JobId job = kOwner.job) {
    const auto done = trash->restore({.job = job, .path = path});
    if (!done) return done.error().code;
    std::string text;
    for (const std::string& each : done->restored) text += (text.empty() ? "" : ", ") + each;
    for (const std::string& each : done->kept) text += "; " + each;
    return text;
  }
  TrashEmptied empty(Time until = kNow, JobId job = kOwner.job) {
    return trash->empty({.job = job, .until = until}).value();
  }
  fs::path folder() const { return b.downloads() / ".haul-trash"; }
  fs::path files() const { return folder() / "a1b2c3d4e5f6-7/files"; }

  LibraryBench b;
  io::Descriptor root;
  std::unique_ptr<Trash> trash;
};

}  // namespace

TEST_CASE("Z-4: a trashed file keeps its path, below a folder of its job, and is listed") {
  Trashing t;
  CHECK(t.list().empty());

  CHECK(t.put("Film/film.mkv", "bytes").empty());

  CHECK(t.list() == "7:Film/film.mkv");
  CHECK(LibraryBench::text_of(t.files() / "Film/film.mkv") == "bytes");
  CHECK_FALSE(fs::exists(t.b.downloads() / "Film/film.mkv"));
  const TrashFile file = t.trash->files(kOwner.job).value().at(0);
  CHECK((file == TrashFile{.path = "Film/film.mkv", .size = 5, .trashed_at = kNow}));
}

TEST_CASE("Z-4: the trash lists the jobs of its own store, the newest first, page by page") {
  Trashing t;
  for (const int job : {2, 11, 7})
    REQUIRE(t.put(t.b.download(std::to_string(job), "x"), {kTestStore, JobId{job}}));
  REQUIRE(t.put(t.b.download("of another store", "x"), {"0123456789ab", JobId{8}}));
  LibraryBench::write(t.folder() / "a1b2c3d4e5f6-x/y", "");
  LibraryBench::write(t.folder() / "a1b2c3d4e5f6-0/y", "");

  CHECK((t.trash->jobs({}, 9).value() == std::vector{JobId{11}, JobId{7}, JobId{2}}));
  CHECK((t.trash->jobs({}, 2).value() == std::vector{JobId{11}, JobId{7}}));
  CHECK((t.trash->jobs(JobId{7}, 2).value() == std::vector{JobId{2}}));
  CHECK(t.trash->jobs(JobId{2}, 2).value().empty());
}

TEST_CASE("Z-4: what a crash left in the trash is recognised") {
  Trashing t;
  const SourceFile source = t.b.download("film.mkv", "bytes");
  SourceFile other = source;
  other.mtime_ns += 1;
  {
    TrashBin bin = TrashBin::open(t.root, kOwner).value();
    CHECK_FALSE(bin.has(source));
    REQUIRE(bin.announce({&source, 1}, kNow));
    CHECK_FALSE(bin.has(source));
    const std::string name = "film.mkv";
    REQUIRE(bin.take({t.root, name}, source));
  }
  const TrashBin again = TrashBin::open(t.root, kOwner).value();
  CHECK(again.has(source));
  CHECK_FALSE(again.has(other));
}

TEST_CASE("Z-4: two files of one path are both kept, and each is restored to it in turn") {
  Trashing t;
  CHECK(t.put("film.mkv", "first").empty());
  CHECK(t.put("film.mkv", "second").empty());
  CHECK(t.list() == "7:film.mkv 7:film.mkv");

  CHECK(t.restore("film.mkv") == "film.mkv; film.mkv: another file has its place");
  CHECK(t.list() == "7:film.mkv");
  fs::remove(t.b.downloads() / "film.mkv");
  CHECK(t.restore("film.mkv") == "film.mkv");
  CHECK(t.list().empty());
}

TEST_CASE("F28: a trashed file replaces no file that someone put into the trash") {
  Trashing t;
  LibraryBench::write(t.files() / "film.mkv", "of a user");

  CHECK(t.put("film.mkv", "bytes").empty());

  CHECK(LibraryBench::text_of(t.files() / "film.mkv") == "of a user");
  CHECK(LibraryBench::text_of(t.files() / "film (2).mkv") == "bytes");
  CHECK(t.restore() == "film.mkv");
  CHECK(LibraryBench::text_of(t.b.downloads() / "film.mkv") == "bytes");
}

TEST_CASE("promise 10: a link in place of a trashed file keeps the file's row") {
  Trashing t;
  CHECK(t.put("film.mkv", "bytes").empty());
  const fs::path kept = t.files() / "film.mkv";
  fs::rename(kept, t.b.downloads() / "mine");
  fs::create_symlink(t.b.downloads() / "mine", kept);

  CHECK(t.restore().find("is no regular file") != std::string::npos);
  CHECK(t.empty().files == 0);

  fs::remove(kept);
  fs::rename(t.b.downloads() / "mine", kept);
  CHECK(t.restore() == "film.mkv");
}

TEST_CASE("Z-4: a file comes back to its path, with folders that are gone, and leaves no trace") {
  Trashing t;
  CHECK(t.put("Film/sub/film.mkv", "bytes").empty());
  fs::remove_all(t.b.downloads() / "Film");

  CHECK(t.restore() == "Film/sub/film.mkv");

  CHECK(LibraryBench::tree(t.b.downloads()) == ".haul-trash/ Film/sub/film.mkv=bytes");
  CHECK(t.restore() == "not_found");
}

TEST_CASE("Z-4: a restore replaces nothing and goes through no link") {
  Trashing t;
  CHECK(t.put("Film/film.mkv", "bytes").empty());
  LibraryBench::write(t.b.downloads() / "Film/film.mkv", "of a user");
  CHECK(t.restore() == "; Film/film.mkv: another file has its place");
  CHECK(LibraryBench::text_of(t.b.downloads() / "Film/film.mkv") == "of a user");

  fs::remove_all(t.b.downloads() / "Film");
  fs::create_directory_symlink(t.b.movies(), t.b.downloads() / "Film");
  CHECK(t.restore().find("symbolic link") != std::string::npos);
  CHECK(LibraryBench::tree(t.b.movies()).empty());
  CHECK(t.list() == "7:Film/film.mkv");

  fs::remove(t.b.downloads() / "Film");
  fs::create_symlink("nowhere", t.b.downloads() / "Film");
  CHECK_FALSE(t.restore().starts_with("Film"));
  CHECK(t.list() == "7:Film/film.mkv");
}

TEST_CASE("Z-4: a restore names one file, or has nothing to do") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  CHECK(t.put("b.mkv", "b").empty());
  CHECK(t.restore("b.mkv") == "b.mkv");
  CHECK(t.list() == "7:a.mkv");
  CHECK(t.restore("c.mkv") == "not_found");
  CHECK(t.restore({}, JobId{8}) == "not_found");
}

TEST_CASE("Z-4: a path that is no text is restored by what JSON shows of it") {
  Trashing t;
  CHECK(t.put("\xff\xfe.mkv", "a").empty());
  CHECK(t.restore("\xef\xbf\xbd\xef\xbf\xbd.mkv") == "\xff\xfe.mkv");
}

TEST_CASE("Z-4: a restore that was cut off after a move goes on, and after all of them is over") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  CHECK(t.put("b.mkv", "b").empty());
  fs::rename(t.files() / "a.mkv", t.b.downloads() / "a.mkv");
  CHECK(t.list() == "7:b.mkv");
  CHECK(t.restore() == "b.mkv");
  CHECK(LibraryBench::tree(t.b.downloads()) == ".haul-trash/ a.mkv=a b.mkv=b");

  CHECK(t.put("c.mkv", "c").empty());
  fs::rename(t.files() / "c.mkv", t.b.downloads() / "c.mkv");
  CHECK(t.restore() == "not_found");
  CHECK(fs::is_empty(t.folder()));
}

// A file system without the move gets a new name first: the crash leaves both.
TEST_CASE("Z-4: a restore that was cut off with both names there ends with the file in its place") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  fs::create_hard_link(t.files() / "a.mkv", t.b.downloads() / "a.mkv");

  CHECK(t.restore() == "a.mkv");

  CHECK(LibraryBench::tree(t.b.downloads()) == ".haul-trash/ a.mkv=a");
}

TEST_CASE("F28: an index that names the trash itself is not followed") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  LibraryBench::write(t.folder() / "a1b2c3d4e5f6-7/index.json",
                      R"([{"path":".haul-trash/a1b2c3d4e5f6-7/files/a.mkv","kept":"a.mkv",)"
                      R"("inode":1,"size":1,"mtime_ns":1,"at_ms":1}])");
  CHECK(t.restore() == "bad_trash_index");
  CHECK(LibraryBench::text_of(t.files() / "a.mkv") == "a");
}

TEST_CASE("Z-4: emptying deletes what is as old as the limit, and nothing newer") {
  Trashing t;
  REQUIRE(t.put(t.b.download("Old/old.mkv", "bytes"), kOwner, kNow));
  REQUIRE(t.put(t.b.download("new.mkv", "new"), kOwner, kNow + Millis{1}));
  REQUIRE(t.put(t.b.download("other.mkv", "other"), {kTestStore, JobId{8}}));

  CHECK(t.empty(kNow - Millis{1}).files == 0);
  const TrashEmptied emptied = t.empty(kNow);

  CHECK(emptied.files == 1);
  CHECK(emptied.bytes == 5);
  CHECK(emptied.kept.empty());
  CHECK_FALSE(emptied.has_more);
  CHECK(t.list() == "8:other.mkv 7:new.mkv");
  CHECK_FALSE(fs::exists(t.files() / "Old"));
  CHECK(t.empty(kNow, JobId{8}).files == 1);
  CHECK_FALSE(fs::exists(t.folder() / "a1b2c3d4e5f6-8"));
  CHECK(t.empty(kNow, JobId{9}).files == 0);
}

TEST_CASE("F49: files that were trashed before a given time are neither restored nor deleted") {
  Trashing t;
  REQUIRE(t.put(t.b.download("old.mkv", "a"), kOwner, kNow - Millis{1}));
  REQUIRE(t.put(t.b.download("a.mkv", "a")));
  REQUIRE(t.put(t.b.download("b.mkv", "b")));

  const auto one = t.trash->restore({.job = kOwner.job, .path = "a.mkv", .since = kNow});
  CHECK(one.value().restored == std::vector<std::string>{"a.mkv"});
  CHECK(t.trash->empty({.job = kOwner.job, .since = kNow, .until = kNow}).value().files == 1);
  CHECK(t.trash->restore({.job = kOwner.job, .since = kNow}).error().code == "not_found");
  CHECK(t.list() == "7:old.mkv");
  CHECK(t.restore() == "old.mkv");
}

TEST_CASE("promise 10: a file of the trash that cannot be looked at is not forgotten") {
  Trashing t;
  CHECK(t.put("Film/film.mkv", "bytes").empty());
  fs::rename(t.files() / "Film", t.files() / "away");
  fs::create_directory_symlink("away", t.files() / "Film");

  CHECK(t.list() == "7:Film/film.mkv");
  CHECK(t.restore().starts_with("; Film/film.mkv: "));
  const TrashEmptied emptied = t.empty();
  CHECK(emptied.files == 0);
  CHECK(emptied.kept.size() == 1);
  CHECK(t.list() == "7:Film/film.mkv");

  fs::remove(t.files() / "Film");
  CHECK(t.list().empty());  // Its folder is certainly not there.
  fs::rename(t.files() / "away", t.files() / "Film");
  CHECK(t.restore() == "Film/film.mkv");
}

TEST_CASE("Z-4: emptying deletes so many files at a time, and stops when it may not go on") {
  Trashing t;
  for (const char* path : {"a", "b", "c"}) CHECK(t.put(path, "x").empty());
  const auto at_most = [&](std::size_t files) {
    return t.trash->empty({.job = kOwner.job, .until = kNow, .files_max = files}).value();
  };

  const auto refused =
      t.trash->empty({.job = kOwner.job, .until = kNow, .may_go_on = [] { return false; }});
  CHECK(refused->files == 0);
  CHECK(refused->has_more);
  CHECK(at_most(2).has_more);
  CHECK(t.list() == "7:c");
  const TrashEmptied last = at_most(1);
  CHECK(last.files == 1);
  CHECK_FALSE(last.has_more);
}

TEST_CASE("promise 10: emptying deletes only files that the index has, unchanged") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  CHECK(t.put("b.mkv", "b").empty());
  LibraryBench::write(t.files() / "of a user.txt", "mine");
  LibraryBench::write(t.files() / "b.mkv", "changed");
  LibraryBench::write(t.folder() / "note.txt", "mine");

  const TrashEmptied emptied = t.empty();

  CHECK(emptied.files == 1);
  REQUIRE(emptied.kept.size() == 1);
  CHECK(emptied.kept[0] == "b.mkv: it changed in the trash, so haul does not delete it");
  CHECK(LibraryBench::text_of(t.files() / "b.mkv") == "changed");
  CHECK(LibraryBench::text_of(t.files() / "of a user.txt") == "mine");
  CHECK(LibraryBench::text_of(t.folder() / "note.txt") == "mine");
  CHECK(t.list() == "7:b.mkv");
  CHECK(t.restore() == "b.mkv");
  CHECK(LibraryBench::text_of(t.b.downloads() / "b.mkv") == "changed");
}

TEST_CASE("F27: a file that a cut-off emptying had set aside is listed, restored and emptied") {
  for (const bool is_restored : {true, false}) {
    Trashing t;
    const SourceFile source = t.b.download("a.mkv", "a");
    REQUIRE(t.put(source));
    fs::rename(t.files() / "a.mkv", t.files() / library::aside_name(kOwner, source.inode));
    CHECK(t.list() == "7:a.mkv");

    if (is_restored) CHECK(t.restore() == "a.mkv");
    if (!is_restored) CHECK(t.empty().files == 1);

    CHECK(LibraryBench::tree(t.b.downloads()) ==
          (is_restored ? ".haul-trash/ a.mkv=a" : ".haul-trash/"));
  }
}

// One thread exchanges the trashed file and a user's file, by atomic renames, while another
// empties the trash.
TEST_CASE("F28: a race for a name in the trash never costs a user's file") {
  for (int round = 0; round < 50; ++round) {
    Trashing t;
    CHECK(t.put("film.mkv", "the film").empty());
    LibraryBench::write(t.files() / "mine", "of a user");
    const io::Descriptor files = io::open_root(t.files()).value();
    const std::string film = "film.mkv";
    const std::string mine = "mine";
    const std::string spare = "spare";
    std::atomic<bool> is_over = false;
    std::thread racer{[&] {
      while (!is_over) {
        (void)io::move_entry({files, film}, {files, spare});
        (void)io::move_entry({files, mine}, {files, film});
        (void)io::move_entry({files, film}, {files, mine});
        (void)io::move_entry({files, spare}, {files, film});
      }
    }};

    (void)t.empty();
    is_over = true;
    racer.join();

    int found = 0;
    for (const auto& entry : fs::directory_iterator{t.files()})
      found += LibraryBench::text_of(entry.path()) == "of a user" ? 1 : 0;
    CHECK(found == 1);
  }
}

TEST_CASE("F28: a trash that is a link, or on another disk, is not used") {
  Trashing t;
  fs::create_directory_symlink(t.b.movies(), t.folder());
  CHECK(TrashBin::open(t.root, kOwner).error().code == "no_trash");
  CHECK(t.trash->jobs({}, 9).error().code == "link_on_the_way");
  CHECK_FALSE(t.trash->empty({.job = kOwner.job, .until = kNow}));
  CHECK(LibraryBench::tree(t.b.movies()).empty());

  fs::remove(t.folder());
  const SmallDisk disk{t.folder()};
  if (!disk.is_there()) return;
  CHECK(t.put("film.mkv", "bytes") == "no_trash");
  CHECK(LibraryBench::tree(t.folder()).empty());
}

TEST_CASE("an index that cannot be read keeps its files, and the others are listed") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  REQUIRE(t.put(t.b.download("b.mkv", "b"), {kTestStore, JobId{8}}));
  for (const char* index :
       {"", "{", R"([{"path":"../a","kept":"a","at_ms":1}])",
        R"([{"path":"a","kept":"/a","at_ms":1}])", R"([{"path":"a","kept":"a"}])"}) {
    LibraryBench::write(t.folder() / "a1b2c3d4e5f6-7/index.json", index);

    CHECK(t.trash->files(kOwner.job).error().code == "bad_trash_index");
    CHECK(t.trash->files(JobId{8})->size() == 1);
    CHECK_FALSE(t.trash->empty({.job = kOwner.job, .until = kNow}));
    CHECK(t.put("c.mkv", "c") == "no_trash");
  }
  CHECK(LibraryBench::text_of(t.files() / "a.mkv") == "a");
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

TEST_CASE("F28: a clean, a restore and an emptying of one job do not meet") {
  Trashing t;
  CHECK(t.put("old.mkv", "old").empty());
  const SourceFile source = t.b.download("new.mkv", "new");
  {
    TrashBin bin = TrashBin::open(t.root, kOwner).value();
    REQUIRE(bin.announce({&source, 1}, kNow));

    CHECK(t.trash->empty({.job = kOwner.job, .until = kNow}).error().code == "trash_busy");
    CHECK(t.restore() == "trash_busy");
    CHECK(TrashBin::open(t.root, kOwner).error().code == "trash_busy");
    const std::string name = "new.mkv";
    REQUIRE(bin.take({t.root, name}, source));
  }
  CHECK(t.list() == "7:new.mkv 7:old.mkv");
  CHECK(t.empty().files == 2);
}

TEST_CASE("Z-4: a file that is trashed long after it was announced stays its whole time") {
  Trashing t;
  const SourceFile source = t.b.download("film.mkv", "bytes");
  REQUIRE(TrashBin::open(t.root, kOwner)->announce({&source, 1}, kNow));

  REQUIRE(t.put(source, kOwner, kNow + Millis{1}));

  CHECK(t.empty(kNow).files == 0);
  CHECK(t.empty(kNow + Millis{1}).files == 1);
}

TEST_CASE("what a crash left of an index that was written goes with the last file") {
  Trashing t;
  CHECK(t.put("a.mkv", "a").empty());
  LibraryBench::write(t.folder() / "a1b2c3d4e5f6-7/index.json.part", "half");
  CHECK(t.empty().files == 1);
  CHECK(fs::is_empty(t.folder()));
}

}  // namespace haul::testing
