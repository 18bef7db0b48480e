// The check of `haul doctor` on the files of books.

#include <fmt/core.h>

#include "app/doctor.h"
#include "flow/book/book_check.h"
#include "io/file/file_presence.h"
#include "store/inspect.h"
#include "store/open.h"

namespace haul::app {
namespace {

constexpr std::size_t kNamed = 3;

std::string named(const std::vector<const ShelvedFile*>& files) {
  std::string out;
  for (std::size_t i = 0; i < std::min(files.size(), kNamed); ++i)
    out += fmt::format("{}{} ({}): {}", out.empty() ? "" : "; ", files[i]->title,
                       files[i]->media_type, files[i]->path);
  if (files.size() > kNamed) out += fmt::format("; and {} more", files.size() - kNamed);
  return out;
}

}  // namespace

std::vector<cli::Finding> examine_books(const std::filesystem::path& data) {
  const ShelfLook look = inspect_shelves(store_url(data));
  if (look.files.empty() && look.missing == 0) return {};
  std::vector<const ShelvedFile*> gone;
  std::vector<const ShelvedFile*> unsure;
  std::string bare;
  for (const ShelvedFile& file : look.files) {
    const FilePresence seen = io::presence_of(file.path);
    if (seen.is == FilePresence::Is::there) continue;
    (flow::is_deleted(seen, std::nullopt) ? gone : unsure).push_back(&file);
    if (seen.is_bare && bare.empty()) bare = seen.folder;
  }
  std::vector<cli::Finding> findings;
  if (!gone.empty())
    findings.push_back({cli::Health::wrong, "library",
                        fmt::format("{} of {} files of books are gone: {}", gone.size(),
                                    look.files.size(), named(gone)),
                        "put them back, or fetch the books again; haul serve sends a book "
                        "without files back to the archive"});
  if (!unsure.empty())
    findings.push_back(
        {cli::Health::wrong, "library",
         fmt::format("{} files of books cannot be seen: {}", unsure.size(), named(unsure)),
         bare.empty() ? "let haul's user read there"
                      : fmt::format("{} is empty: mount its disk", bare)});
  if (findings.empty() && !look.files.empty())
    findings.push_back({cli::Health::ok, "library",
                        fmt::format("{} files of books, all there", look.files.size())});
  if (look.missing > 0)
    findings.push_back({cli::Health::note, "library",
                        fmt::format("{} files of books were found missing before", look.missing),
                        "fetch them again: haul book ls --shelf archive"});
  return findings;
}

}  // namespace haul::app
