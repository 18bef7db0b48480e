// F28, F29: the matrix goes on. Mounts over the root, the folder, the source and the library, and
// what another program exchanges between the check of a source and its removal.

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "support/io/clean_scene.h"
#include "support/io/own_mounts.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using library::CleanBy;

constexpr const char* kMounted = "lies on a file system that is mounted below its root";
constexpr const char* kAnother = "another file has its name now";
constexpr const char* kOwnFile = "it is the library's own file";
constexpr const char* kSwapped = "another file took its name while it was removed";
constexpr const char* kOtherBytes = "the library's file of this size has other bytes";

void mount_memory(CleanScene& s, const fs::path& at) {
  if (!s.mount("haul-test", at, "tmpfs", 0)) s.lacks = "no tmpfs here";
}

void bind(CleanScene& s, const fs::path& from, const fs::path& at) {
  if (!s.mount(from, at, nullptr, MS_BIND)) s.lacks = "no bind mount here";
}

// clang-format off
const std::vector<CleanCase> kMounts = {
    {"another disk over its folder",
     [](CleanScene& s) {
       mount_memory(s, s.folder());
       LibraryBench::write(s.file(), "the film");
     }, "kept_unsafe", kMounted},
    {"an empty disk over its folder", [](CleanScene& s) { mount_memory(s, s.folder()); },
     "kept_unsafe", kMounted},
    {"a folder from outside over its folder",
     [](CleanScene& s) { bind(s, s.outside(), s.folder()); }, "kept_unsafe", kMounted},
    {"its folder over itself",   [](CleanScene& s) { bind(s, s.folder(), s.folder()); },
     "kept_unsafe", kMounted},
    {"its folder, reached where it is mounted a second time",
     [](CleanScene& s) {
       fs::create_directory(s.root() / "twice");
       bind(s, s.folder(), s.root() / "twice");
       s.listed().path = "twice/film.mkv";
     }, "kept_unsafe", kMounted},
    {"a disk over a folder further up",
     [](CleanScene& s) {
       s.call_it("Show/Season 1/film.mkv");
       mount_memory(s, s.root() / "Show");
       LibraryBench::write(s.root() / s.listed().path, "the film");
     }, "kept_unsafe", kMounted},
    {"a file from outside over the source",
     [](CleanScene& s) { bind(s, s.outside() / "film.mkv", s.file()); }, "kept_unsafe", kAnother},
    {"the source over itself",   [](CleanScene& s) { bind(s, s.file(), s.file()); },
     "fault file_error", ""},
    {"an empty disk over the root", [](CleanScene& s) { mount_memory(s, s.root()); },
     "fault root_not_mounted", ""},
    {"a disk over the root with such a file",
     [](CleanScene& s) {
       mount_memory(s, s.root());
       LibraryBench::write(s.file(), "the film");
     }, "kept_unsafe", "it is on another disk than when it was listed"},
    {"a disk over the root with other files",
     [](CleanScene& s) {
       mount_memory(s, s.root());
       LibraryBench::write(s.root() / "mine", "of a user");
     }, "already_gone", ""},
    {"a folder from outside over the root",
     [](CleanScene& s) {
       LibraryBench::write(s.outside() / "Film/film.mkv", "the film");
       bind(s, s.outside(), s.root());
     }, "kept_unsafe", kAnother},
    {"the library's folder, mounted from the source's",
     [](CleanScene& s) { bind(s, s.folder(), s.copy().parent_path()); }, "kept_unsafe", kOwnFile},
    {"the library's root, mounted from the download root",
     [](CleanScene& s) { bind(s, s.root(), s.c.b.movies()); }, "kept_unsafe", kOwnFile},
    {"the library's file, mounted from the source",
     [](CleanScene& s) { bind(s, s.file(), s.copy()); }, "kept_unsafe", "is only mounted there"},
    {"the library on a disk of its own",
     [](CleanScene& s) {
       mount_memory(s, s.c.b.movies());
       LibraryBench::write(s.copy(), "the film");
     }, "deleted", "", {"downloads/Film", "downloads/Film/film.mkv"}},
    {"a disk beside the source, in its folder",
     [](CleanScene& s) {
       fs::create_directory(s.folder() / "disk");
       mount_memory(s, s.folder() / "disk");
       LibraryBench::write(s.folder() / "disk/mine", "of a user");
     }, "deleted", "its folder stays, because it has: disk", {"downloads/Film/film.mkv"}},
};
// clang-format on

// What another program does after the source was checked, and before it is removed: haul reads the
// library in between.
struct Exchange {
  const char* name;
  void (*act)(CleanScene& scene);
  const char* outcome;
  const char* detail;
  std::set<std::string> gone{};
};

// clang-format off
const std::vector<Exchange> kExchanges = {
    {"another file",
     [](CleanScene& s) {
       s.move_it_away();
       LibraryBench::write(s.file(), "the film");
     }, "kept_unsafe", kSwapped},
    {"a link to a user's file",
     [](CleanScene& s) {
       s.move_it_away();
       fs::create_symlink(s.outside() / "film.mkv", s.file());
     }, "kept_unsafe", kSwapped},
    {"a folder with a file",
     [](CleanScene& s) {
       s.move_it_away();
       LibraryBench::write(s.file() / "mine", "of a user");
     }, "kept_unsafe", kSwapped},
    {"a pipe",
     [](CleanScene& s) {
       s.move_it_away();
       ::mkfifo(s.file().c_str(), 0600);
     }, "kept_unsafe", kSwapped},
    {"another name of a user's file",
     [](CleanScene& s) {
       s.move_it_away();
       fs::create_hard_link(s.outside() / "film.mkv", s.file());
     }, "kept_unsafe", kSwapped},
    {"other bytes in the source",
     [](CleanScene& s) {
       LibraryBench::write(s.file(), "of a user");
     }, "kept_unsafe", kSwapped},
    {"nothing", [](CleanScene& s) { s.move_it_away(); }, "already_gone", "", {"downloads/Film"}},
    {"a link in place of its folder",
     [](CleanScene& s) {
       fs::rename(s.folder(), s.home() / "away");
       fs::create_directory_symlink(s.outside(), s.folder());
     }, "deleted", "", {"away/film.mkv"}},
    {"another folder in place of its folder",
     [](CleanScene& s) {
       fs::rename(s.folder(), s.home() / "away");
       LibraryBench::write(s.file(), "of a user");
     }, "deleted", "its folder stays, because it has: film.mkv", {"away/film.mkv"}},
    {"a link in place of the root",
     [](CleanScene& s) {
       LibraryBench::write(s.outside() / "Film/film.mkv", "of a user");
       fs::rename(s.root(), s.home() / "was");
       fs::create_directory_symlink(s.outside(), s.root());
     }, "deleted", "", {"was/Film", "was/Film/film.mkv"}},
    {"nothing in the library", [](CleanScene& s) { fs::remove(s.copy()); },
     "kept_unsafe", kOtherBytes},
    {"another file in the library",
     [](CleanScene& s) {
       fs::rename(s.copy(), s.home() / "copy.mkv");
       LibraryBench::write(s.copy(), "the film");
     }, "kept_unsafe", kOtherBytes},
    {"a library file that is a link now",
     [](CleanScene& s) {
       fs::rename(s.copy(), s.home() / "copy.mkv");
       fs::create_symlink(s.home() / "copy.mkv", s.copy());
     }, "kept_unsafe", kOtherBytes},
};

const std::vector<Exchange> kMountExchanges = {
    {"a disk over its folder",
     [](CleanScene& s) {
       mount_memory(s, s.folder());
       LibraryBench::write(s.file(), "of a user");
     }, "deleted", ""},
    {"a disk over the root",
     [](CleanScene& s) {
       mount_memory(s, s.root());
       LibraryBench::write(s.file(), "of a user");
     }, "deleted", ""},
    {"a folder from outside over its folder",
     [](CleanScene& s) { bind(s, s.outside(), s.folder()); }, "deleted", ""},
    {"a file from outside over the source",
     [](CleanScene& s) { bind(s, s.outside() / "film.mkv", s.file()); }, "fault file_error",
     "/Film/film.mkv: Device or resource busy"},  // Not haul's own name for it.
};
// clang-format on

// What is wrong after the exchange and the clean. Empty if nothing is.
std::string problems_of(const Exchange& each, CleanBy by) {
  CleanScene scene;
  std::optional<SceneFacts> before;
  const auto exchange = [&](std::int64_t) {
    if (before) return;
    each.act(scene);
    before = scene.facts();
  };
  const CleanScene::Said said = scene.clean(by, {.progress = exchange});
  if (!before) return "the library was not read";
  std::string text = scene_problems(*before, scene.facts(), each.gone);
  std::string outcome = each.outcome;
  if (outcome == "deleted" && by == CleanBy::trashing) outcome = "trashed";
  if (said.outcome != outcome) text += "outcome: " + said.outcome + "\n";
  if (said.detail.find(each.detail) == std::string::npos) text += "detail: " + said.detail + "\n";
  return scene.lacks.empty() ? text : "";
}

std::string shown(const char* name, CleanBy by) {
  return std::string{name} + (by == CleanBy::deleting ? "" : ", with a trash");
}

}  // namespace

TEST_CASE(
    "F28, F29: no mount leads a clean to another file, and none makes one file look like two") {
  for (const CleanCase& each : kMounts)
    for (const CleanBy by : {CleanBy::deleting, CleanBy::trashing}) {
      INFO(shown(each.name, by));
      std::string problems;
      std::string lacks;
      const std::string why = in_own_mounts([&] { problems = problems_of(each, by, lacks); });
      if (!why.empty()) return skip(why);
      if (!lacks.empty()) skip(shown(each.name, by) + ": " + lacks);
      CHECK(problems == "");
    }
  CHECK(kMounts.size() == 17);
}

TEST_CASE("F28: what is exchanged between the check of a source and its removal stays") {
  for (const Exchange& each : kExchanges)
    for (const CleanBy by : {CleanBy::deleting, CleanBy::trashing}) {
      INFO(shown(each.name, by));
      CHECK(problems_of(each, by) == "");
    }
  CHECK(kExchanges.size() == 13);
}

TEST_CASE("F28: a mount between the check of a source and its removal hides the source at most") {
  for (const Exchange& each : kMountExchanges)
    for (const CleanBy by : {CleanBy::deleting, CleanBy::trashing}) {
      INFO(shown(each.name, by));
      std::string problems;
      const std::string why = in_own_mounts([&] { problems = problems_of(each, by); });
      if (!why.empty()) return skip(why);
      CHECK(problems == "");
    }
  CHECK(kMountExchanges.size() == 4);
}

}  // namespace haul::testing
