#include "sink/library/root_mark.h"

#include <fmt/core.h>

#include <string>

#include "base/hash.h"
#include "base/text.h"
#include "io/file/entries.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;

const std::string kMark{kRootMark};
constexpr std::string_view kAbout =
    "haul put this file here. If it is gone, haul takes the disk for not mounted, and imports "
    "nothing into this folder until the file is back.\n";

// A root has one note, however its path is written.
std::string note_of(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return sha256_hex((normal.has_filename() ? normal : normal.parent_path()).string());
}

bool has_file(const io::Descriptor& folder, const std::string& name) {
  const auto seen = io::seen_in(folder, name);
  return seen && seen->is == io::EntrySeen::Is::file;
}

// Imports that write the same file at once take its part from each other. One of them has put it
// into place.
Result<void> put_file(const io::EntryName& entry, std::string_view text) {
  auto written = io::write_own_file(entry, text);
  if (!written && has_file(entry.folder, entry.name)) return {};
  return written;
}

// The mark is there before the note: a crash in between leaves no root that haul refuses.
Result<void> mark_root(const fs::path& notes, const io::Descriptor& root, const fs::path& path) {
  if (notes.empty()) return {};
  if (auto made = io::Folder::open(notes, io::Folder::Missing::create); !made)
    return std::unexpected{made.error()};
  const auto noted = io::open_root(notes);
  if (!noted) return std::unexpected{noted.error()};
  const std::string note = note_of(path);
  // In this order: another import may mark and note the root in between.
  const bool is_noted = has_file(*noted, note);
  const bool is_marked = has_file(root, kMark);
  if (is_noted && !is_marked)
    return std::unexpected{
        Fault{FaultKind::environment, "root_not_mounted",
              fmt::format("{} lacks the file {}, which haul put there: mount its disk. If this is "
                          "another disk on purpose, create an empty file of that name in it",
                          printable(path.string()), kRootMark)}};
  if (!is_marked)
    if (auto written = put_file({root, kMark}, kAbout); !written) return written;
  if (is_noted) return {};
  return put_file({*noted, note}, path.string() + "\n");
}

}  // namespace

// No job is at fault for a folder of haul's own, so none fails for good.
Result<void> use_root(const fs::path& notes, const io::Descriptor& root, const fs::path& path) {
  auto marked = mark_root(notes, root, path);
  if (!marked) marked.error().kind = FaultKind::environment;
  return marked;
}

bool is_mark_gone(const fs::path& notes, const fs::path& path) {
  const auto noted = notes.empty() ? std::unexpected{Fault{}} : io::open_root(notes);
  const auto root = io::open_root(path);
  return noted && has_file(*noted, note_of(path)) && !(root && has_file(*root, kMark));
}

}  // namespace haul::library
