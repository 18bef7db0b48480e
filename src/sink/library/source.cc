#include "sink/library/source.h"

#include <fmt/core.h>

#include "base/text.h"
#include "io/file/entries.h"

namespace haul::library {
namespace {

std::unexpected<Fault> changed(const SourceFile& listed, std::string_view how) {
  return std::unexpected{Fault{FaultKind::retryable, "source_changed",
                               fmt::format("{} {}", shown_source(listed), how)}};
}

}  // namespace

bool is_listed(const io::EntrySeen& seen, const SourceFile& listed) {
  return seen.is == io::EntrySeen::Is::file && seen.device == listed.device &&
         seen.inode == listed.inode && seen.size == listed.size && seen.mtime_ns == listed.mtime_ns;
}

std::string shown_source(const SourceFile& listed) {
  return printable(listed.root + "/" + listed.path);
}

Result<void> check_source_root(const io::Descriptor& root, const SourceFile& listed) {
  const bool is_elsewhere = io::seen_of(root).device != listed.device;
  if (!is_elsewhere || !io::names_in(root, 1).empty()) return {};
  return std::unexpected{
      Fault{FaultKind::environment, "root_not_mounted",
            fmt::format("{} is empty and on another disk than {} was: mount its disk again",
                        printable(listed.root), shown_source(listed))}};
}

Result<io::File> open_source(const SourceFile& listed) {
  const auto root = io::open_root(listed.root);
  if (!root) return std::unexpected{root.error()};
  auto file = io::open_file_beneath(*root, listed.path, io::Mounts::cross);
  if (!file && file.error().code == "not_found") {
    if (auto there = check_source_root(*root, listed); !there)
      return std::unexpected{there.error()};
    return std::unexpected{
        Fault{FaultKind::permanent, "source_missing", shown_source(listed) + " does not exist"}};
  }
  if (!file && file.error().kind == FaultKind::rejected) return changed(listed, "is no file now");
  if (!file) return file;
  if (!is_listed(io::seen_of(*file), listed)) return changed(listed, "changed after it was listed");
  return file;
}

}  // namespace haul::library
