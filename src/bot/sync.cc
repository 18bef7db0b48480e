#include "bot/sync.h"

#include <utility>

#include "base/ensure.h"
#include "bot/label.h"

namespace haul::bot {

void CatalogueSync::begin() {
  round_ = catalogue_.begin({.path = root_, .name = root_, .folded = {}, .is_folder = true});
  folders_.clear();
  folders_.push_back({catalogue_.root(), root_});
  entries_ = 0;
  has_changed_ = false;
}

std::optional<ListAsk> CatalogueSync::next() const {
  if (folders_.empty()) return std::nullopt;
  return ListAsk{folders_.front().path, folders_.front().offset};
}

std::optional<SyncEnd> CatalogueSync::see(const Result<ListedPage>& page, Time now) {
  ensure(is_running(), "a page answers a running round");
  if (!page) return stop(page.error().code);
  Folder& folder = folders_.front();
  if (folder.total && *folder.total != page->total) has_changed_ = true;
  folder.total = page->total;
  folder.offset += page->entries.size();
  entries_ += page->entries.size();
  if (entries_ > entries_max_) return stop("too_many_entries");
  if (page->entries.empty() && folder.offset < page->total) return stop("short_listing");
  take(folder, *page);
  // take() may have added folders, but removed none.
  if (folders_.front().offset >= page->total) folders_.pop_front();
  if (is_running()) return std::nullopt;
  if (has_changed_) return stop("changed_meanwhile");
  return SyncEnd{.is_whole = true, .entries = entries_, .gone = catalogue_.finish(round_, now)};
}

void CatalogueSync::take(Folder& folder, const ListedPage& page) {
  std::vector<ListedEntry> listed;
  for (const ListedPage::Entry& entry : page.entries)
    listed.push_back({entry.path, entry.name, folded(entry.name), entry.is_folder, entry.size});
  const std::vector<EntryId> ids = catalogue_.see(round_, folder.id, listed);
  for (std::size_t i = 0; i < listed.size(); ++i)
    if (listed[i].is_folder) folders_.push_back({ids.at(i), listed[i].path});
}

std::optional<SyncEnd> CatalogueSync::stop(std::string why) {
  folders_.clear();
  return SyncEnd{.entries = entries_, .why = std::move(why)};
}

}  // namespace haul::bot
