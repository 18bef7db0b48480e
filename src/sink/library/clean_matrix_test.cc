// F28, F29: the matrix. Each case changes one thing between the listing and the clean. Nothing but
// the listed file and folders that it leaves empty ever goes, and the clean names what it kept.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/io/clean_scene.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoPath = "it is no path below a download root";
constexpr const char* kThroughLink = "leads through a symbolic link";
constexpr const char* kNoFile = "it is no regular file any more";
constexpr const char* kAnother = "another file has its name now";
constexpr const char* kChanged = "it changed after it was listed";
const std::set<std::string> kWhole = {"downloads/Film", "downloads/Film/film.mkv"};

void set_path(CleanScene& s, std::string path) { s.listed().path = std::move(path); }

// Something else takes the place of the source.
void make_node(CleanScene& s, mode_t kind) {
  s.move_it_away();
  if (::mknod(s.file().c_str(), kind | 0600U, 0) != 0) s.lacks = "only root can make a device";
}

void link_leaf(CleanScene& s, const fs::path& to) {
  s.move_it_away();
  fs::create_symlink(to, s.file());
}

// The folder of the source is a link to where the folder is now.
void link_folder(CleanScene& s, const fs::path& away) {
  fs::rename(s.folder(), away);
  fs::create_directory_symlink(away, s.folder());
}

void shift_time(const fs::path& path, std::chrono::nanoseconds by) {
  fs::last_write_time(path, fs::last_write_time(path) + by);
}

// Another file with the same bytes, size and time. The first one lives on, so that its inode is not
// used again.
void replace_it(CleanScene& s, const std::string& text) {
  const auto time = fs::last_write_time(s.file());
  s.move_it_away();
  LibraryBench::write(s.file(), text);
  fs::last_write_time(s.file(), time);
}

// clang-format off
const std::vector<CleanCase> kPaths = {
    {"an empty path",            [](CleanScene& s) { set_path(s, ""); }, "kept_unsafe", kNoPath},
    {"the root itself",          [](CleanScene& s) { set_path(s, "."); }, "kept_unsafe", kNoPath},
    {"the root's parent",        [](CleanScene& s) { set_path(s, ".."); }, "kept_unsafe", kNoPath},
    {"the file system's root",   [](CleanScene& s) { set_path(s, "/"); }, "kept_unsafe", kNoPath},
    {"an absolute path",
     [](CleanScene& s) { set_path(s, (s.outside() / "film.mkv").string()); },
     "kept_unsafe", kNoPath},
    {"the source's own absolute path", [](CleanScene& s) { set_path(s, s.file().string()); },
     "kept_unsafe", kNoPath},
    {"a file outside by ..",     [](CleanScene& s) { set_path(s, "../outside/film.mkv"); },
     "kept_unsafe", kNoPath},
    {".. on the way out",        [](CleanScene& s) { set_path(s, "Film/../../outside/film.mkv"); },
     "kept_unsafe", kNoPath},
    {".. on a way that stays inside", [](CleanScene& s) { set_path(s, "Film 2/../Film/film.mkv"); },
     "kept_unsafe", kNoPath},
    {"a leading dot component",  [](CleanScene& s) { set_path(s, "./Film/film.mkv"); },
     "kept_unsafe", kNoPath},
    {"a dot component inside",   [](CleanScene& s) { set_path(s, "Film/./film.mkv"); },
     "kept_unsafe", kNoPath},
    {"two slashes",              [](CleanScene& s) { set_path(s, "Film//film.mkv"); },
     "kept_unsafe", kNoPath},
    {"a folder with a slash",    [](CleanScene& s) { set_path(s, "Film/"); },
     "kept_unsafe", kNoPath},
    {"a folder",                 [](CleanScene& s) { set_path(s, "Film"); },
     "kept_unsafe", kNoFile},
    {"a NUL byte",
     [](CleanScene& s) { set_path(s, std::string{"Film/film.mkv\0x", 15}); },
     "kept_unsafe", kNoPath},
    {"a file as a folder",       [](CleanScene& s) { set_path(s, "Film/film.mkv/film.mkv"); },
     "kept_unsafe", "no folder"},
    {"haul's trash",             [](CleanScene& s) { set_path(s, ".haul-trash/film.mkv"); },
     "kept_unsafe", "it lies in the trash"},
    {"a path that is too long for the system",
     [](CleanScene& s) { set_path(s, std::string(5'000, 'a') + "/film.mkv"); },
     "fault file_error", ""},
    {"a name that is too long",
     [](CleanScene& s) { set_path(s, "Film/" + std::string(256, 'a')); },
     "already_gone", "its folder stays, because it has: film.mkv"},
};

const std::vector<CleanCase> kLinks = {
    {"a link to a file outside", [](CleanScene& s) { link_leaf(s, s.outside() / "film.mkv"); },
     "kept_unsafe", kNoFile},
    {"a link to the library",    [](CleanScene& s) { link_leaf(s, s.copy()); },
     "kept_unsafe", kNoFile},
    {"a link to the source",     [](CleanScene& s) { link_leaf(s, "../../away.mkv"); },
     "kept_unsafe", kNoFile},
    {"a link to nothing",        [](CleanScene& s) { link_leaf(s, "nothing"); },
     "kept_unsafe", kNoFile},
    {"a link to itself",         [](CleanScene& s) { link_leaf(s, "film.mkv"); },
     "kept_unsafe", kNoFile},
    {"a link to a folder",       [](CleanScene& s) { link_leaf(s, s.outside()); },
     "kept_unsafe", kNoFile},
    {"its folder, a link to outside",
     [](CleanScene& s) { link_folder(s, s.outside() / "Film"); }, "kept_unsafe", kThroughLink},
    {"its folder, a link in the root",
     [](CleanScene& s) { link_folder(s, s.root() / "moved"); }, "kept_unsafe", kThroughLink},
    {"its folder, a link to the library",
     [](CleanScene& s) {
       fs::rename(s.folder(), s.home() / "away");
       fs::create_directory_symlink(s.copy().parent_path(), s.folder());
     }, "kept_unsafe", kThroughLink},
    {"its folder, a link to itself",
     [](CleanScene& s) {
       fs::rename(s.folder(), s.home() / "away");
       fs::create_directory_symlink("Film", s.folder());
     }, "kept_unsafe", kThroughLink},
    {"its folder, a link through /proc",
     [](CleanScene& s) {
       fs::rename(s.folder(), s.home() / "away");
       fs::create_directory_symlink("/proc/self/root", s.folder());
     }, "kept_unsafe", kThroughLink},
    {"a folder further up, a link",
     [](CleanScene& s) {
       s.call_it("Show/Season 1/film.mkv");
       fs::rename(s.root() / "Show", s.outside() / "Show");
       fs::create_directory_symlink(s.outside() / "Show", s.root() / "Show");
     }, "kept_unsafe", kThroughLink},
    {"a root that is reached by a link",
     [](CleanScene& s) {
       fs::create_directory_symlink(s.root(), s.home() / "link");
       s.listed().root = (s.home() / "link").string();
     }, "deleted", "", kWhole},
    {"a root, exchanged for a link to outside",
     [](CleanScene& s) {
       LibraryBench::write(s.outside() / "Film/film.mkv", "the film");
       fs::rename(s.root(), s.home() / "was");
       fs::create_directory_symlink(s.outside(), s.root());
     }, "kept_unsafe", kAnother},
};

const std::vector<CleanCase> kRoots = {
    {"a root, exchanged for a folder like it",
     [](CleanScene& s) {
       fs::rename(s.root(), s.home() / "was");
       LibraryBench::write(s.file(), "the film");
     }, "kept_unsafe", kAnother},
    {"a root that is gone",
     [](CleanScene& s) { fs::rename(s.root(), s.home() / "was"); }, "fault folder_gone", ""},
    {"a root that is a file",
     [](CleanScene& s) {
       fs::rename(s.root(), s.home() / "was");
       LibraryBench::write(s.root(), "a file");
     }, "fault folder_gone", ""},
    {"a relative root",          [](CleanScene& s) { s.listed().root = "downloads"; },
     "fault folder_gone", ""},
    {"a root with a NUL byte",
     [](CleanScene& s) { s.listed().root += std::string{"\0x", 2}; }, "fault bad_path", ""},
    {"a root with dots and slashes", [](CleanScene& s) { s.listed().root += "//./"; },
     "deleted", "", kWhole},
    {"a root further up",
     [](CleanScene& s) { s.listed().root = s.home().string(); }, "already_gone", ""},
    {"a root that is the source's folder",
     [](CleanScene& s) { s.listed().root = s.folder().string(); }, "already_gone", ""},
};

const std::vector<CleanCase> kChanges = {
    {"another device in the list", [](CleanScene& s) { s.listed().device += 1; },
     "kept_unsafe", "it is on another disk than when it was listed"},
    {"another inode in the list", [](CleanScene& s) { s.listed().inode += 1; },
     "kept_unsafe", kAnother},
    {"another size in the list", [](CleanScene& s) { s.listed().size += 1; },
     "kept_unsafe", kChanged},
    {"another time in the list, by 1 ns", [](CleanScene& s) { s.listed().mtime_ns += 1; },
     "kept_unsafe", kChanged},
    {"other bytes, later",
     [](CleanScene& s) {
       LibraryBench::write(s.file(), "THE FILM");
       shift_time(s.file(), std::chrono::seconds{1});
     }, "kept_unsafe", kChanged},
    {"a byte more, at the same time",
     [](CleanScene& s) {
       const auto time = fs::last_write_time(s.file());
       fs::resize_file(s.file(), 9);
       fs::last_write_time(s.file(), time);
     }, "kept_unsafe", kChanged},
    {"a byte less, at the same time",
     [](CleanScene& s) {
       const auto time = fs::last_write_time(s.file());
       fs::resize_file(s.file(), 7);
       fs::last_write_time(s.file(), time);
     }, "kept_unsafe", kChanged},
    {"a later time",
     [](CleanScene& s) { shift_time(s.file(), std::chrono::nanoseconds{1'000}); },
     "kept_unsafe", kChanged},
    {"an earlier time",
     [](CleanScene& s) { shift_time(s.file(), std::chrono::nanoseconds{-1'000}); },
     "kept_unsafe", kChanged},
    {"another file like it", [](CleanScene& s) { replace_it(s, "the film"); },
     "kept_unsafe", kAnother},
    {"another file of another size", [](CleanScene& s) { replace_it(s, "of a user"); },
     "kept_unsafe", kAnother},
    {"another name of a file outside",
     [](CleanScene& s) {
       s.move_it_away();
       fs::create_hard_link(s.outside() / "film.mkv", s.file());
     }, "kept_unsafe", kAnother},
    {"another name of the library's file",
     [](CleanScene& s) {
       s.move_it_away();
       fs::create_hard_link(s.copy(), s.file());
     }, "kept_unsafe", kAnother},
    {"an empty folder",
     [](CleanScene& s) {
       s.move_it_away();
       fs::create_directory(s.file());
     }, "kept_unsafe", kNoFile},
    {"a folder with files",
     [](CleanScene& s) {
       s.move_it_away();
       LibraryBench::write(s.file() / "mine", "of a user");
     }, "kept_unsafe", kNoFile},
    {"a pipe",   [](CleanScene& s) { make_node(s, S_IFIFO); }, "kept_unsafe", kNoFile},
    {"a socket", [](CleanScene& s) { make_node(s, S_IFSOCK); }, "kept_unsafe", kNoFile},
    {"a device", [](CleanScene& s) { make_node(s, S_IFCHR); }, "kept_unsafe", kNoFile},
    {"nothing",  [](CleanScene& s) { s.move_it_away(); },
     "already_gone", "", {"downloads/Film"}},
    {"nothing, and no folder",
     [](CleanScene& s) { fs::rename(s.folder(), s.home() / "away"); }, "already_gone", ""},
    {"its name, taken for haul's own use",
     [](CleanScene& s) { LibraryBench::write(s.folder() / s.aside(), "of a user"); },
     "kept_unsafe", kAnother},
};
// clang-format on

}  // namespace

TEST_CASE("F28, S1-11: whatever path the manifest has, only the listed file below its root goes") {
  CHECK(run_cases(kPaths) == 19);
}

TEST_CASE("F28, F29: no link leads a clean anywhere, whichever part of the path it is") {
  CHECK(run_cases(kLinks) == 14);
}

TEST_CASE("F28: a root that is another folder by now keeps everything") {
  CHECK(run_cases(kRoots) == 8);
}

TEST_CASE("F28, Z-4: what is not exactly the listed file stays, whatever it is") {
  CHECK(run_cases(kChanges) == 21);
}

}  // namespace haul::testing
