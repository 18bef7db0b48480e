#pragma once
// One listed source among files of others, for tests that say what a clean may remove. Everything
// below the scene's folder is compared, by path, kind, inode and bytes, before and after the clean.

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/io/clean_bench.h"
#include "support/run/skip.h"

namespace haul::testing {

// What has which path: "file 12 bytes", "link target", "folder" or "other 12".
using SceneFacts = std::map<std::string, std::string>;

class CleanScene {
 public:
  CleanScene() {
    c.add("Film/film.mkv", "the film");
    LibraryBench::write(outside() / "film.mkv", "of a user");
    LibraryBench::write(c.b.downloads() / "Film 2/film.mkv", "of a user");
    LibraryBench::write(c.b.downloads() / "Film.mkv", "of another job");
  }

  ~CleanScene() {
    for (auto at = mounts_.rbegin(); at != mounts_.rend(); ++at) ::umount2(at->c_str(), MNT_DETACH);
  }
  CleanScene(const CleanScene&) = delete;
  CleanScene& operator=(const CleanScene&) = delete;

  std::filesystem::path root() const { return c.b.downloads(); }
  std::filesystem::path folder() const { return root() / "Film"; }
  std::filesystem::path file() const { return root() / "Film/film.mkv"; }
  std::filesystem::path copy() const { return c.b.movies() / "Film/film.mkv"; }
  // Beside both roots.
  std::filesystem::path home() const { return root().parent_path(); }
  std::filesystem::path outside() const { return home() / "outside"; }
  SourceFile& listed() { return c.sources.at(0); }

  // Gives the source another path, on the disk and in the manifest.
  void call_it(const std::string& path) {
    std::filesystem::create_directories((root() / path).parent_path());
    std::filesystem::rename(file(), root() / path);
    if (std::filesystem::is_empty(folder())) std::filesystem::remove(folder());
    listed().path = path;
    c.landed.at(0).source = path;
  }
  // Takes the source away from its path, which is free then.
  void move_it_away() { std::filesystem::rename(file(), home() / "away.mkv"); }
  std::string aside() const {
    return ".haul-clean-" + std::string{kTestStore} + "-1-" + std::to_string(c.sources.at(0).inode);
  }

  // Until the scene ends.
  bool mount(const std::filesystem::path& what, const std::filesystem::path& at, const char* type,
             unsigned long flags) {
    if (::mount(what.c_str(), at.c_str(), type, flags, nullptr) != 0) return false;
    mounts_.push_back(at);
    return true;
  }

  SceneFacts facts() const {
    SceneFacts facts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{home()})
      facts[entry.path().lexically_relative(home()).string()] = fact_of(entry.path());
    return facts;
  }

  // What a clean reports of the source: "deleted", or "fault CODE".
  struct Said {
    std::string outcome;
    std::string detail;
  };
  Said clean(library::CleanBy by, const io::CopyWatch& watch = {}) {
    c.by = by;
    const library::CleanEnd end = c.clean(watch);
    if (end.fault) return {"fault " + end.fault->code, end.fault->detail};
    const auto told = c.told.find(listed().path);
    if (told == c.told.end()) return {"nothing", ""};
    return {told->second.outcome, told->second.detail};
  }

  CleanBench c;
  std::optional<std::set<std::string>> gone;  // If only the scene knows what goes.
  std::string lacks;                          // Why this machine cannot set the scene.

 private:
  static std::string fact_of(const std::filesystem::path& path) {
    struct stat seen{};
    if (::lstat(path.c_str(), &seen) != 0) return "?";
    if (S_ISLNK(seen.st_mode)) return "link " + std::filesystem::read_symlink(path).string();
    if (S_ISDIR(seen.st_mode)) return "folder";
    const std::string inode = std::to_string(seen.st_ino);
    return S_ISREG(seen.st_mode) ? "file " + inode + " " + LibraryBench::text_of(path)
                                 : "other " + inode;
  }

  std::vector<std::filesystem::path> mounts_;
};

// What differs from what may differ, one line each: paths of `gone` vanish, no other path vanishes
// or changes, and new paths are in the trash.
inline std::string scene_problems(const SceneFacts& before, const SceneFacts& after,
                                  const std::set<std::string>& gone) {
  std::string text;
  for (const auto& [path, fact] : before) {
    const auto now = after.find(path);
    const bool is_there = now != after.end();
    if (is_there == gone.contains(path))
      text += path + (is_there ? " is still there\n" : " is gone\n");
    else if (is_there && now->second != fact)
      text += path + ": " + fact + " is now " + now->second + "\n";
  }
  for (const std::string& path : gone)
    if (!before.contains(path)) text += path + " was not there\n";
  for (const auto& [path, fact] : after)
    if (!before.contains(path) && path.find(".haul-trash") == std::string::npos)
      text += path + " is new\n";
  return text;
}

inline bool is_in_trash(const SceneFacts& facts, const SourceFile& source) {
  const std::string begin = "file " + std::to_string(source.inode) + " ";
  for (const auto& [path, fact] : facts)
    if (path.find(".haul-trash") != std::string::npos && fact.starts_with(begin)) return true;
  return false;
}

// A case of the matrix.
struct CleanCase {
  const char* name;
  void (*arrange)(CleanScene& scene);
  const char* outcome;                  // Of a clean that deletes; "deleted" means trashed, too.
  const char* detail;                   // Part of what the source's detail says.
  std::set<std::string> gone{};         // The paths that vanish.
  const char* outcome_if_trashed = "";  // If it differs.
};

// Runs one case and says what is wrong. Empty if nothing is.
inline std::string problems_of(const CleanCase& each, library::CleanBy by, std::string& lacks) {
  CleanScene scene;
  each.arrange(scene);
  lacks = scene.lacks;
  if (!lacks.empty()) return {};
  const SceneFacts before = scene.facts();
  const CleanScene::Said said = scene.clean(by);
  const SceneFacts after = scene.facts();
  std::string text = scene_problems(before, after, scene.gone.value_or(each.gone));
  if (said.outcome == "trashed" && !is_in_trash(after, scene.listed()))
    text += "not in the trash\n";
  std::string outcome = each.outcome;
  if (by == library::CleanBy::trashing) {
    if (*each.outcome_if_trashed != '\0') outcome = each.outcome_if_trashed;
    if (outcome == "deleted") outcome = "trashed";
  }
  if (said.outcome != outcome) text += "outcome: " + said.outcome + "\n";
  if (said.detail.find(each.detail) == std::string::npos) text += "detail: " + said.detail + "\n";
  return text;
}

// Runs every case, first without a trash and then with one. Returns how many cases there are.
inline std::size_t run_cases(const std::vector<CleanCase>& cases) {
  for (const CleanCase& each : cases)
    for (const auto by : {library::CleanBy::deleting, library::CleanBy::trashing}) {
      INFO(each.name << (by == library::CleanBy::deleting ? "" : ", with a trash"));
      std::string lacks;
      CHECK(problems_of(each, by, lacks) == "");
      if (!lacks.empty()) skip(std::string{each.name} + ": " + lacks);
    }
  return cases.size();
}

}  // namespace haul::testing
