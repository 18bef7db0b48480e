#include "sink/library/clean.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/path_map.h"
#include "base/text.h"
#include "io/file/entries.h"
#include "sink/library/evidence.h"
#include "sink/library/root_mark.h"
#include "sink/library/skip_reason.h"
#include "sink/library/source.h"

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

// Why a path of the manifest is not one that haul removes. Empty if it is.
const char* wrong_with_path(const SourceFile& source) {
  const auto names = io::components_of(source.path);
  if (!names) return "it is no path below a download root";
  return names->front() == kTrashFolder ? "it lies in the trash" : "";
}

// The worst outcome counts.
void count_in(CleanEnd& end, const CleanedFile& file) {
  end.has_removed = end.has_removed || file.outcome == "deleted" || file.outcome == "trashed";
  const auto* const now = std::ranges::find(kWorstFirst, end.outcome);
  const auto* const seen = std::ranges::find(kWorstFirst, file.outcome);
  if (seen < now) end.outcome = file.outcome;
}

// The clean of the sources below one root.
class RootClean {
 public:
  RootClean(const io::Descriptor& root, SourceRemover remover, CleanEnd& end)
      : root_{root}, remover_{std::move(remover)}, end_{end} {}

  void run(std::span<const SourceFile> sources, const io::CopyWatch& watch,
           const TellCleaned& tell) {
    if (auto there = check_source_root(root_, sources.front()); !there) return fail(there.error());
    std::vector<SourceFile> safe;
    std::ranges::copy_if(sources, std::back_inserter(safe),
                         [](const SourceFile& source) { return *wrong_with_path(source) == '\0'; });
    if (auto begun = remover_.begin(safe); !begun) return fail(begun.error());
    ByFolder folders;
    for (const SourceFile& source : sources)
      folders[io::split_path(source.path).folder].push_back(source);
    for (const auto& [path, files] : folders) {
      if (is_stopped(watch)) return;
      clean_folder(path, files, watch, tell);
    }
  }

 private:
  void fail(Fault fault) {
    if (!end_.fault) end_.fault = std::move(fault);
  }

  bool is_stopped(const io::CopyWatch& watch) {
    const bool is = watch.stop.stop_requested();
    if (is) fail({FaultKind::cancelled, "stopped", "the clean was stopped"});
    return is;
  }

  void clean_folder(const std::string& path, std::span<const SourceFile> files,
                    const io::CopyWatch& watch, const TellCleaned& tell) {
    const auto folder = io::open_folder_beneath(root_, path, Mounts::stay);
    std::vector<CleanedFile> done;
    for (const SourceFile& file : files) {
      if (is_stopped(watch)) break;
      auto cleaned = clean_file(folder, file, watch);
      if (cleaned)
        done.push_back(*std::move(cleaned));
      else
        fail(cleaned.error());
    }
    // New names in the trash before the old ones: a power cut in between leaves both.
    auto flushed = remover_.flush();
    if (flushed && folder) flushed = io::flush_names(*folder);
    if (!flushed) return fail(flushed.error());
    const bool is_kept =
        std::ranges::find(done, "kept_unsafe", &CleanedFile::outcome) != done.end();
    if (!done.empty() && !is_kept && done.size() == files.size()) {
      const std::string left = remove_folders(root_, path);
      if (!left.empty()) done.back().detail = "its folder stays, because it has: " + left;
    }
    for (const CleanedFile& file : done) count_in(end_, file);
    if (!done.empty()) tell(std::move(done));
  }

  Result<CleanedFile> clean_file(const Result<io::Descriptor>& folder, const SourceFile& source,
                                 const io::CopyWatch& watch) {
    if (const char* why = wrong_with_path(source); *why != '\0')
      return SourceRemover::kept(source, why);
    if (folder) return remover_.remove(*folder, source, watch);
    if (folder.error().code == "not_found") return remover_.gone(source);
    if (folder.error().kind == FaultKind::rejected)
      return SourceRemover::kept(source, folder.error().detail);
    return std::unexpected{folder.error()};
  }

  const io::Descriptor& root_;
  SourceRemover remover_;
  CleanEnd& end_;
};

// A root of the job's library files that is not mounted. Empty if there is none.
std::string root_away(const CleanEnv& env, std::span<const PlacedFile> placed) {
  for (const std::filesystem::path& given : env.library_roots) {
    const auto root = clean_path(given.string());
    const auto is_in_root = [&](const PlacedFile& file) { return is_inside(file.path, *root); };
    if (root && std::ranges::any_of(placed, is_in_root) && is_mark_gone(env.root_records, *root))
      return root->string();
  }
  return {};
}

// The root of the manifest may be one of an earlier configuration.
bool is_download_root(const CleanEnv& env, const std::string& path) {
  return std::ranges::find(env.download_roots, std::filesystem::path{path}) !=
         env.download_roots.end();
}

// The size of the folder that all files of the job share. An earlier clean may have removed some:
// they are no sources any more, so the sources of the imported files count, too.
std::size_t shared_folder_of(const CleanTask& task) {
  std::vector<ImportFile> files;
  for (const SourceFile& source : task.sources) files.push_back({source.path, source.size});
  for (const LandedFile& landed : read_evidence(task.evidence))
    if (!landed.source.empty()) files.push_back({landed.source, landed.size});
  return shared_folder(files);
}

void keep_all(std::span<const SourceFile> sources, CleanEnd& end, const TellCleaned& tell) {
  std::vector<CleanedFile> kept;
  for (const SourceFile& source : sources) {
    kept.push_back(
        SourceRemover::kept(source, "it lies beneath no download_root of the configuration"));
    count_in(end, kept.back());
  }
  tell(std::move(kept));
}

}  // namespace

CleanEnd clean_sources(const CleanEnv& env, const CleanTask& task, const io::CopyWatch& watch,
                       const TellCleaned& tell) {
  if (task.sources.empty()) return {.outcome = "kept_unsafe"};
  LibraryCopies copies{task.placed, task.evidence, env.hashes};
  const std::string unsafe =
      task.placed.empty() ? "haul knows of no file in the library" : copies.missing();
  CleanEnd end;
  if (const std::string away = unsafe.empty() ? "" : root_away(env, task.placed); !away.empty()) {
    end.fault = Fault{FaultKind::environment, "root_not_mounted",
                      fmt::format("{}: mount the disk of {}", unsafe, printable(away))};
    return end;
  }
  if (auto fault = copies.unseen()) {
    end.fault = *std::move(fault);
    return end;
  }
  const std::size_t shared = shared_folder_of(task);
  std::map<std::string, std::vector<SourceFile>> roots;
  for (const SourceFile& source : task.sources) roots[source.root].push_back(source);
  for (const auto& [path, sources] : roots) {
    if (!is_download_root(env, path)) {
      keep_all(sources, end, tell);
      continue;
    }
    const auto root = io::open_root(path);
    if (!root) {
      if (!end.fault) end.fault = root.error();
      continue;
    }
    SourceRemover remover{env,
                          task.job,
                          *root,
                          copies,
                          {.unsafe = unsafe, .why_kept = task.why_kept, .shared_folder = shared}};
    RootClean{*root, std::move(remover), end}.run(sources, watch, tell);
  }
  // S1-16: a source that cannot be removed is tried again, and never fails its job.
  if (end.fault && end.fault->kind != FaultKind::cancelled &&
      end.fault->kind != FaultKind::retryable)
    end.fault->kind = FaultKind::environment;
  return end;
}

}  // namespace haul::library
