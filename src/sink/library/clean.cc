#include "sink/library/clean.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "io/file/entries.h"

namespace haul::library {
namespace {

using io::Mounts;

constexpr std::size_t kNamedMax = 5;  // Names of other files that a detail shows.
constexpr std::string_view kWorstFirst[] = {"kept_unsafe", "already_gone", "trashed", "deleted"};

// A source of one folder after the other, the deepest folder first: when it is a folder's turn, the
// folders in it are gone, unless they have other files.
struct Deeper {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto depth = [](const std::string& path) {
      return path.empty() ? 0 : 1 + std::ranges::count(path, '/');
    };
    return std::pair{-depth(a), std::string_view{a}} < std::pair{-depth(b), std::string_view{b}};
  }
};
using ByFolder = std::map<std::string, std::vector<SourceFile>, Deeper>;

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamedMax); ++i)
    text += (text.empty() ? "" : ", ") + printable(names[i]);
  return names.size() > kNamedMax ? text + " and more" : text;
}

// Removes the empty folders of a path, from the last to the first. Returns what is left in the last
// one. The root is never one of them, because its path is empty.
std::string remove_folders(const io::Descriptor& root, std::string path) {
  std::string left;
  for (bool is_first = true; !path.empty(); is_first = false) {
    const io::SplitPath split = io::split_path(path);
    const auto above = io::open_folder_beneath(root, split.folder, Mounts::stay);
    if (!above || !io::remove_empty_folder({*above, split.name})) {
      const auto folder = io::open_folder_beneath(root, path, Mounts::stay);
      if (folder && is_first) left = names_of(io::names_in(*folder, kNamedMax + 1));
      return left;
    }
    path = split.folder;
  }
  return left;
}

// The clean of the sources below one root.
class RootClean {
 public:
  RootClean(const io::Descriptor& root, SourceRemover remover, CleanEnd& end)
      : root_{root}, remover_{std::move(remover)}, end_{end} {}

  void run(std::span<const SourceFile> sources, const io::CopyWatch& watch,
           const TellCleaned& tell) {
    if (auto begun = remover_.begin(sources); !begun) return fail(begun.error());
    ByFolder folders;
    for (const SourceFile& source : sources)
      folders[io::split_path(source.path).folder].push_back(source);
    for (const auto& [path, files] : folders) {
      if (watch.stop.stop_requested())
        return fail({FaultKind::cancelled, "stopped", "the clean was stopped"});
      clean_folder(path, files, watch, tell);
    }
  }

 private:
  void fail(Fault fault) {
    if (!end_.fault) end_.fault = std::move(fault);
  }

  void clean_folder(const std::string& path, std::span<const SourceFile> files,
                    const io::CopyWatch& watch, const TellCleaned& tell) {
    const auto folder = io::open_folder_beneath(root_, path, Mounts::stay);
    std::vector<CleanedFile> done;
    for (const SourceFile& file : files) {
      auto cleaned = clean_file(folder, file, watch);
      if (cleaned)
        done.push_back(*std::move(cleaned));
      else
        fail(cleaned.error());
    }
    auto flushed = folder ? io::flush_names(*folder) : Result<void>{};
    if (flushed) flushed = remover_.flush();
    if (!flushed) return fail(flushed.error());
    const bool is_kept =
        std::ranges::find(done, "kept_unsafe", &CleanedFile::outcome) != done.end();
    if (!done.empty() && !is_kept && done.size() == files.size()) {
      const std::string left = remove_folders(root_, path);
      if (!left.empty()) done.back().detail = "its folder stays, because it has: " + left;
    }
    for (const CleanedFile& file : done) note(file);
    if (!done.empty()) tell(std::move(done));
  }

  Result<CleanedFile> clean_file(const Result<io::Descriptor>& folder, const SourceFile& source,
                                 const io::CopyWatch& watch) {
    if (!io::components_of(source.path))
      return SourceRemover::kept(source, "it is no path below a download root");
    if (folder) return remover_.remove(*folder, source, watch);
    if (folder.error().code == "not_found") return remover_.gone(source);
    if (folder.error().kind == FaultKind::rejected)
      return SourceRemover::kept(source, folder.error().detail);
    return std::unexpected{folder.error()};
  }

  void note(const CleanedFile& file) {
    end_.has_removed = end_.has_removed || file.outcome == "deleted" || file.outcome == "trashed";
    const auto* const now = std::ranges::find(kWorstFirst, end_.outcome);
    const auto* const seen = std::ranges::find(kWorstFirst, file.outcome);
    if (seen < now) end_.outcome = file.outcome;
  }

  const io::Descriptor& root_;
  SourceRemover remover_;
  CleanEnd& end_;
};

}  // namespace

CleanEnd clean_sources(const CleanEnv& env, const CleanTask& task, const io::CopyWatch& watch,
                       const TellCleaned& tell) {
  if (task.sources.empty()) return {.outcome = "kept_unsafe"};
  LibraryCopies copies{task.placed, task.evidence, env.hashes};
  const std::string unsafe =
      task.placed.empty() ? "haul knows of no file in the library" : copies.missing();
  CleanEnd end;
  std::map<std::string, std::vector<SourceFile>> roots;
  for (const SourceFile& source : task.sources) roots[source.root].push_back(source);
  for (const auto& [path, sources] : roots) {
    const auto root = io::open_root(path);
    if (!root) {
      if (!end.fault) end.fault = root.error();
      continue;
    }
    RootClean{*root, SourceRemover{env, task.job, *root, copies, unsafe}, end}.run(sources, watch,
                                                                                   tell);
  }
  return end;
}

}  // namespace haul::library
