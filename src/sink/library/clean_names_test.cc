// F28, F29: the matrix goes on. Names that resemble the source's, what lies beside it, what the
// library has in its place, and a trash that is not haul's.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/io/clean_scene.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using Paths = std::set<std::string>;

constexpr const char* kThroughLink = "leads through a symbolic link";
constexpr const char* kOwnFile = "it is the library's own file";
constexpr const char* kStays = "its folder stays, because it has: ";
const Paths kWhole = {"downloads/Film", "downloads/Film/film.mkv"};

// A file of a user beside the source.
void add_other(const CleanScene& s, const std::string& name) {
  LibraryBench::write(s.root() / "Film" / name, "of a user");
}

// The source is called so, and the user's file resembles it. Only the source goes.
void call_beside(CleanScene& s, const std::string& name, const std::string& other) {
  s.call_it("Film/" + name);
  add_other(s, other);
  s.gone = Paths{"downloads/Film/" + name};
}

// The source is called so, and is alone in its folder.
void call_alone(CleanScene& s, const std::string& name) {
  s.call_it("Film/" + name);
  s.gone = Paths{"downloads/Film", "downloads/Film/" + name};
}

void put_in_library(CleanScene& s, const std::string& text) { LibraryBench::write(s.copy(), text); }

fs::path trash_of(const CleanScene& s) {
  return s.root() / ".haul-trash" / (std::string{kTestStore} + "-1");
}

// clang-format off
const std::vector<CleanCase> kNames = {
    {"capitals in the name",     [](CleanScene& s) { call_beside(s, "film.mkv", "FILM.mkv"); },
     "deleted", kStays},
    {"the same name in capitals only",
     [](CleanScene& s) { fs::rename(s.file(), s.folder() / "FILM.mkv"); }, "already_gone", kStays},
    {"its folder in capitals only",
     [](CleanScene& s) { fs::rename(s.folder(), s.root() / "FILM"); }, "already_gone", ""},
    {"composed, beside the decomposed twin",
     [](CleanScene& s) { call_beside(s, "\u00e9.mkv", "e\u0301.mkv"); }, "deleted", kStays},
    {"decomposed, beside the composed twin",
     [](CleanScene& s) { call_beside(s, "e\u0301.mkv", "\u00e9.mkv"); }, "deleted", kStays},
    {"composed in the list, decomposed on the disk",
     [](CleanScene& s) {
       s.call_it("Film/\u00e9.mkv");
       fs::rename(s.root() / s.listed().path, s.folder() / "e\u0301.mkv");
     }, "already_gone", kStays},
    {"a line break",             [](CleanScene& s) { call_beside(s, "fi\nlm.mkv", "fi"); },
     "deleted", kStays},
    {"an escape sequence",       [](CleanScene& s) { call_alone(s, "\x1b[2Jfilm.mkv"); },
     "deleted", ""},
    {"bytes that are no UTF-8",  [](CleanScene& s) { call_alone(s, "\xff\xfe.mkv"); },
     "deleted", ""},
    {"a name of 255 bytes",      [](CleanScene& s) { call_alone(s, std::string(255, 'n')); },
     "deleted", ""},
    {"a blank at the end",       [](CleanScene& s) { call_beside(s, "film.mkv ", "film.mkv"); },
     "deleted", kStays},
    {"a dot at the end",         [](CleanScene& s) { call_beside(s, "film.mkv.", "film.mkv"); },
     "deleted", kStays},
    {"three dots",               [](CleanScene& s) { call_alone(s, "..."); }, "deleted", ""},
    {"a star",                   [](CleanScene& s) { call_beside(s, "*", "film"); },
     "deleted", kStays},
    {"an option",                [](CleanScene& s) { call_beside(s, "-rf", "film"); },
     "deleted", kStays},
    {"backslashes",              [](CleanScene& s) { call_alone(s, "..\\..\\film.mkv"); },
     "deleted", ""},
    {"a command",                [](CleanScene& s) { call_alone(s, "$(reboot).mkv"); },
     "deleted", ""},
    {"a name that begins like its own", [](CleanScene& s) { call_beside(s, "film", "film.mkv"); },
     "deleted", kStays},
    {"a folder that begins like its own",
     [](CleanScene& s) {
       s.call_it("Fil/film.mkv");
       s.gone = Paths{"downloads/Fil", "downloads/Fil/film.mkv"};
     }, "deleted", ""},
    {"forty folders",
     [](CleanScene& s) {
       std::string path = "Deep";
       s.gone.emplace();
       for (int i = 0; i < 40; ++i) {
         s.gone->insert("downloads/" + path);
         path += fmt::format("/{}", i);
       }
       s.gone->insert("downloads/" + path);
       s.call_it(path + "/film.mkv");
       s.gone->insert("downloads/" + path + "/film.mkv");
     }, "deleted", ""},
};

const std::vector<CleanCase> kBeside = {
    {"the root, with nothing else of the job",
     [](CleanScene& s) {
       s.call_it("film.mkv");
       s.gone = Paths{"downloads/film.mkv"};
     }, "deleted", ""},
    {"a file that a user added", [](CleanScene& s) { call_beside(s, "film.mkv", "records.txt"); },
     "deleted", "its folder stays, because it has: records.txt"},
    {"a hidden file",            [](CleanScene& s) { call_beside(s, "film.mkv", ".keep"); },
     "deleted", "its folder stays, because it has: .keep"},
    {"an empty folder",
     [](CleanScene& s) {
       fs::create_directory(s.folder() / "empty");
       s.gone = Paths{"downloads/Film/film.mkv"};
     }, "deleted", "its folder stays, because it has: empty"},
    {"a link to a folder outside",
     [](CleanScene& s) {
       fs::create_directory_symlink(s.outside(), s.folder() / "link");
       s.gone = Paths{"downloads/Film/film.mkv"};
     }, "deleted", "its folder stays, because it has: link"},
    {"what another job has set aside",
     [](CleanScene& s) {
       call_beside(s, "film.mkv", fmt::format(".haul-clean-{}-2-{}", kTestStore, s.listed().inode));
     }, "deleted", kStays},
    {"what another haul has set aside",
     [](CleanScene& s) {
       call_beside(s, "film.mkv", fmt::format(".haul-clean-ffffffffffff-1-{}", s.listed().inode));
     }, "deleted", kStays},
    {"a part of another download",
     [](CleanScene& s) { call_beside(s, "film.mkv", "film.mkv.part"); }, "deleted", kStays},
    {"the source, listed twice",
     [](CleanScene& s) {
       s.c.sources.push_back(s.listed());
       s.gone = kWhole;
     }, "already_gone", "", {}, "trashed"},
    {"two listed names of one file",
     [](CleanScene& s) {
       fs::create_hard_link(s.file(), s.folder() / "again.mkv");
       s.c.sources.push_back(s.c.b.listed("Film/again.mkv"));
       s.gone = kWhole;
       s.gone->insert("downloads/Film/again.mkv");
     }, "deleted", ""},
};

const std::vector<CleanCase> kLibrary = {
    {"the same file, under one more name",
     [](CleanScene& s) {
       fs::remove(s.copy());
       fs::create_hard_link(s.file(), s.copy());
     }, "deleted", "", kWhole},
    {"a third name of the file, of a user",
     [](CleanScene& s) { fs::create_hard_link(s.file(), s.outside() / "mine.mkv"); },
     "deleted", "", kWhole},
    {"a second name of the file in the root, not listed",
     [](CleanScene& s) { fs::create_hard_link(s.file(), s.root() / "mine.mkv"); },
     "deleted", "", kWhole},
    {"the source's own path",
     [](CleanScene& s) { s.c.placed.at(0).path = s.file().string(); }, "kept_unsafe", kOwnFile},
    {"the source, by a link to its folder",
     [](CleanScene& s) {
       fs::remove_all(s.copy().parent_path());
       fs::create_directory_symlink(s.folder(), s.copy().parent_path());
     }, "kept_unsafe", kOwnFile},
    {"the source, by a link to its root",
     [](CleanScene& s) {
       fs::create_directory_symlink(s.root(), s.home() / "link");
       s.c.placed.at(0).path = (s.home() / "link/Film/film.mkv").string();
     }, "kept_unsafe", kOwnFile},
    {"a link to the source",
     [](CleanScene& s) {
       fs::remove(s.copy());
       fs::create_symlink(s.file(), s.copy());
     }, "kept_unsafe", "is no regular file"},
    {"a folder",
     [](CleanScene& s) {
       fs::remove(s.copy());
       fs::create_directory(s.copy());
     }, "kept_unsafe", "is no regular file"},
    {"nothing",             [](CleanScene& s) { fs::remove(s.copy()); }, "kept_unsafe", "is gone"},
    {"nothing, and no folder", [](CleanScene& s) { fs::remove_all(s.copy().parent_path()); },
     "kept_unsafe", "is gone"},
    {"a shorter file",      [](CleanScene& s) { put_in_library(s, "the"); },
     "kept_unsafe", "has 3 bytes, not 8"},
    {"a longer file",       [](CleanScene& s) { put_in_library(s, "the films"); },
     "kept_unsafe", "has 9 bytes, not 8"},
    {"other bytes",         [](CleanScene& s) { put_in_library(s, "the FILM"); },
     "kept_unsafe", "the library's file of this size has other bytes"},
    {"a relative path",     [](CleanScene& s) { s.c.placed.at(0).path = "movies/Film/film.mkv"; },
     "kept_unsafe", "is gone"},
    {"no file of the job",  [](CleanScene& s) { s.c.placed.clear(); },
     "kept_unsafe", "haul knows of no file in the library"},
};

// Only with a trash.
const std::vector<CleanCase> kTrash = {
    {"a trash that is a link",
     [](CleanScene& s) { fs::create_directory_symlink(s.outside(), s.root() / ".haul-trash"); },
     "fault no_trash", ""},
    {"a trash that is a file",
     [](CleanScene& s) { LibraryBench::write(s.root() / ".haul-trash", "of a user"); },
     "fault no_trash", ""},
    {"a trash of the job that is a link",
     [](CleanScene& s) {
       fs::create_directory(s.root() / ".haul-trash");
       fs::create_directory_symlink(s.outside(), trash_of(s));
     }, "fault no_trash", ""},
    {"a folder of trashed files that is a link",
     [](CleanScene& s) {
       fs::create_directories(trash_of(s));
       fs::create_directory_symlink(s.outside(), trash_of(s) / "files");
     }, "kept_unsafe", kThroughLink},
    {"an index that haul has not written",
     [](CleanScene& s) {
       fs::create_directories(trash_of(s));
       LibraryBench::write(trash_of(s) / "index.json",
                           R"([{"path":"../../outside/film.mkv","kept":"a","at_ms":1}])");
     }, "fault no_trash", ""},
};
// clang-format on

}  // namespace

TEST_CASE("F28: a name that resembles the source's is another name") {
  CHECK(run_cases(kNames) == 20);
}

TEST_CASE("F28, Z-4: what lies beside the source stays, and keeps its folder") {
  CHECK(run_cases(kBeside) == 10);
}

TEST_CASE("F29, S1-10: what the library has in the source's place decides") {
  CHECK(run_cases(kLibrary) == 15);
}

TEST_CASE("F28: a trash that is not haul's gets no file, and loses none") {
  for (const CleanCase& each : kTrash) {
    INFO(each.name);
    std::string lacks;
    CHECK(problems_of(each, library::CleanBy::trashing, lacks) == "");
  }
  CHECK(kTrash.size() == 5);
}

}  // namespace haul::testing
