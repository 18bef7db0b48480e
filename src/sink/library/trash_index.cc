#include "sink/library/trash_index.h"

#include <fmt/core.h>

#include <charconv>

#include "base/ascii.h"
#include "base/json.h"
#include "base/utf8.h"
#include "io/file/entries.h"

namespace haul::library {
namespace {

constexpr std::size_t kFilesMax = 100'000;
constexpr std::size_t kBytesMax = std::size_t{16} << 20U;
const std::string kIndex = "index.json";
constexpr std::string_view kNames[] = {"path", "kept", "inode", "size", "mtime_ns", "at_ms"};

std::unexpected<Fault> bad_index(std::string detail) {
  return std::unexpected{Fault{FaultKind::environment, "bad_trash_index", std::move(detail)}};
}

// A path may have bytes that are no UTF-8, which JSON cannot hold.
std::string encoded(std::string_view path) {
  const bool is_text = is_utf8(path);
  std::string text;
  for (const char c : path)
    if (c == '%' || (!is_text && !is_ascii(c)))
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      text += c;
  return json_quoted(text);
}

}  // namespace

std::optional<TrashOwner> trash_owner_of(const std::string& folder) {
  const std::size_t dash = folder.rfind('-');
  if (dash == std::string::npos || dash == 0) return std::nullopt;
  TrashOwner owner{.store = folder.substr(0, dash), .job = {}};
  const char* const end = folder.data() + folder.size();
  const auto read = std::from_chars(folder.data() + dash + 1, end, owner.job.value);
  if (read.ec != std::errc{} || read.ptr != end || owner.folder() != folder || !owner.job)
    return std::nullopt;
  return owner;
}

bool may_be_trashed(std::string_view path) {
  const auto names = io::components_of(path);
  return names && names->front() != kTrashFolder;
}

bool TrashedFile::is(const io::EntrySeen& seen) const {
  return seen.is == io::EntrySeen::Is::file && seen.inode == inode && seen.size == size &&
         seen.mtime_ns == mtime_ns;
}

bool TrashedFile::is(const SourceFile& source) const {
  return source.path == path && source.inode == inode && source.size == size &&
         source.mtime_ns == mtime_ns;
}

std::string trash_json(const std::vector<TrashedFile>& files) {
  std::string rows;
  for (const TrashedFile& file : files)
    rows +=
        fmt::format(R"({}{{"path":{},"kept":{},"inode":{},"size":{},"mtime_ns":{},"at_ms":{}}})",
                    rows.empty() ? "" : ",\n", encoded(file.path), encoded(file.kept), file.inode,
                    file.size, file.mtime_ns, to_unix_ms(file.at));
  return fmt::format("[{}]\n", rows);
}

// A row that leads out of the folder, or back into the trash, was not written by haul.
Result<std::vector<TrashedFile>> read_trash_json(std::string_view json) {
  const auto rows = read_rows(json, kNames, kFilesMax);
  if (!rows) return bad_index("the trash's index.json cannot be read: " + rows.error().detail);
  std::vector<TrashedFile> files;
  files.reserve(rows->size());
  for (const JsonRow& row : *rows) {
    TrashedFile file{.path = percent_decoded(row[0].text),
                     .kept = percent_decoded(row[1].text),
                     .inode = row[2].whole().value_or(0),
                     .size = row[3].whole().value_or(-1),
                     .mtime_ns = row[4].whole().value_or(0),
                     .at = from_unix_ms(row[5].whole().value_or(0))};
    if (!may_be_trashed(file.path) || !io::components_of(file.kept) || !row[5].whole())
      return bad_index("the trash's index.json has a row that haul has not written");
    files.push_back(std::move(file));
  }
  return files;
}

Result<std::vector<TrashedFile>> read_trash_index(const io::Descriptor& folder) {
  const auto json = io::read_own_file({folder, kIndex}, kBytesMax);
  if (!json && json.error().code == "not_found") return {};
  if (!json) return std::unexpected{json.error()};
  return read_trash_json(*json);
}

Result<void> write_trash_index(const io::Descriptor& folder,
                               const std::vector<TrashedFile>& files) {
  return files.empty() ? io::remove_own_file({folder, kIndex})
                       : io::write_own_file({folder, kIndex}, trash_json(files));
}

}  // namespace haul::library
