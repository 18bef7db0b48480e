#include "sink/library/roots.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;

// Folders of the system, and those in which nothing but the system belongs.
constexpr std::string_view kSystem[] = {"/bin",  "/boot",  "/dev",     "/etc",     "/home",
                                        "/lib",  "/lib32", "/lib64",   "/opt",     "/proc",
                                        "/root", "/run",   "/sbin",    "/sys",     "/tmp",
                                        "/usr",  "/var",   "/var/lib", "/var/log", "/var/tmp"};
constexpr std::string_view kWhollySystem[] = {"/bin",   "/boot", "/dev",  "/etc", "/lib", "/lib32",
                                              "/lib64", "/proc", "/sbin", "/sys", "/usr"};

bool is_in(const fs::path& path, const fs::path& folder) {
  const auto [end, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

enum class Relation : std::uint8_t { apart, same, inside, around };

Relation relation_of(const fs::path& a, const fs::path& b) {
  if (a == b) return Relation::same;
  if (is_in(a, b)) return Relation::inside;
  return is_in(b, a) ? Relation::around : Relation::apart;
}

// How the first lies to the second: by their paths, and by where they are on their disks.
Relation relation_of(const RootFacts& a, const RootFacts& b) {
  if (a.real.empty() || b.real.empty()) return Relation::apart;  // It has a problem of its own.
  if (a.id && a.id == b.id) return Relation::same;
  const Relation by_path = relation_of(a.real, b.real);
  if (by_path != Relation::apart) return by_path;
  if (a.on_disk.disk.empty() || a.on_disk.disk != b.on_disk.disk) return Relation::apart;
  return relation_of(a.on_disk.path, b.on_disk.path);
}

std::string shown(const RootFacts& root) {
  const std::string real = root.real.string();
  const std::string given = "\"" + printable(root.given) + "\"";
  return real == root.given ? given : fmt::format("{} ({})", given, printable(real));
}

// What is wrong with a root on its own. Empty if nothing is.
std::string wrong_alone(const RootFacts& root) {
  if (root.given.empty()) return "is empty: set it to the absolute path of a folder";
  if (!root.given.starts_with('/'))
    return fmt::format(
        "{} is not absolute, and haul expands neither ~ nor variables: write the whole path",
        shown(root));
  if (root.is == RootFacts::Is::other)
    return fmt::format("{} is not a folder: choose a folder", shown(root));
  if (root.real == root.real.root_path())
    return fmt::format("{} is the root of the file system: choose a folder for this alone",
                       shown(root));
  const auto is_it = [&](std::string_view folder) { return root.real == folder; };
  const auto has_it = [&](std::string_view folder) { return is_in(root.real, folder); };
  if (std::ranges::any_of(kSystem, is_it) || std::ranges::any_of(kWhollySystem, has_it))
    return fmt::format("{} is a folder of the system: choose a folder for this alone", shown(root));
  return {};
}

std::string wrong_with_home(const RootFacts& root, const RootRules& rules) {
  if (!rules.home) return {};
  const Relation to_home = relation_of(root, *rules.home);
  if (to_home == Relation::same)
    return fmt::format("{} is the home folder: choose a folder in it", shown(root));
  if (to_home == Relation::around)
    return fmt::format("the home folder {} lies in {}: choose a folder for this alone",
                       printable(rules.home->real.string()), shown(root));
  return {};
}

std::string wrong_with_data(const RootFacts& root, const RootRules& rules) {
  const std::string data = printable(rules.data.real.string());
  switch (relation_of(root, rules.data)) {
    case Relation::apart:
      return {};
    case Relation::same:
      return fmt::format("{} is haul's data folder: choose another folder", shown(root));
    case Relation::around:
      return fmt::format("haul's data folder {} lies in {}: choose another folder", data,
                         shown(root));
    case Relation::inside:
      if (!rules.data_downloads.empty() && is_in(root.real, rules.data_downloads)) return {};
      return fmt::format("{} lies in haul's data folder {}: choose another folder", shown(root),
                         data);
  }
  return {};  // Not reached: the switch is complete.
}

std::string wrong_with_pair(const RootFacts& root, const RootFacts& other) {
  switch (relation_of(root, other)) {
    case Relation::apart:
      return {};
    case Relation::same:
      return fmt::format("{} is the same folder as {} of {}: choose two folders", shown(root),
                         shown(other), other.key);
    case Relation::inside:
      return fmt::format("{} lies in {} of {}: choose two folders side by side", shown(root),
                         shown(other), other.key);
    case Relation::around:
      return fmt::format("{} of {} lies in {}: choose two folders side by side", shown(other),
                         other.key, shown(root));
  }
  return {};  // Not reached: the switch is complete.
}

// mountinfo writes blanks and backslashes as \040.
std::string unescaped(std::string_view text) {
  std::string plain;
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 3 < text.size() &&
                           std::ranges::all_of(text.substr(i + 1, 3), is_octal);
    if (!is_escape) {
      plain += text[i];
      continue;
    }
    plain +=
        static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

fs::path without_end(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

}  // namespace

std::vector<RootProblem> check_roots(std::span<const RootFacts> roots, const RootRules& rules) {
  std::vector<RootProblem> problems;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    std::string wrong = wrong_alone(roots[i]);
    if (wrong.empty()) wrong = wrong_with_home(roots[i], rules);
    if (wrong.empty()) wrong = wrong_with_data(roots[i], rules);
    for (std::size_t before = 0; before < i && wrong.empty(); ++before)
      wrong = wrong_with_pair(roots[i], roots[before]);
    if (!wrong.empty())
      problems.push_back(
          {.key = roots[i].key, .detail = fmt::format("{}: {}", roots[i].key, wrong)});
  }
  return problems;
}

// Of the mounts that lie on the way, the last line of the longest one counts: it hides the others.
DiskPath disk_path_of(const fs::path& real, std::string_view mounts) {
  DiskPath found;
  std::size_t longest = 0;
  std::istringstream lines{std::string{mounts}};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields{line};
    std::string id, parent, disk, top, point;
    if (!(fields >> id >> parent >> disk >> top >> point)) continue;
    const fs::path at = unescaped(point);
    const std::size_t length = at.native().size();
    if (length < longest || !is_in(real, at)) continue;
    longest = length;
    found = {.disk = disk, .path = without_end(unescaped(top) / real.lexically_relative(at))};
  }
  return found;
}

std::string read_mounts() {
  const std::ifstream file{"/proc/self/mountinfo"};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

RootFacts look_at_root(std::string key, const std::string& given, std::string_view mounts) {
  RootFacts facts{.key = std::move(key), .given = given};
  std::error_code error;
  if (!given.starts_with('/')) return facts;
  facts.real = fs::weakly_canonical(given, error);
  facts.real = without_end(error ? fs::path{given} : facts.real);
  facts.on_disk = disk_path_of(facts.real, mounts);
  const fs::file_status status = fs::status(facts.real, error);
  if (fs::exists(status))
    facts.is = fs::is_directory(status) ? RootFacts::Is::folder : RootFacts::Is::other;
  facts.id = io::folder_id(facts.real);
  return facts;
}

}  // namespace haul::library
