#include "bot/sync.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ensure.h"
#include "bot/label.h"

namespace haul::bot {
namespace {

constexpr std::size_t kSeenAtOnce = 1'000;
constexpr std::size_t kLackingMax = 100;  // More folders that cannot be listed end the round.

}  // namespace

void CatalogueSync::begin(Time now) {
  round_ = catalogue_.begin({.path = root_, .name = root_, .folded = {}, .is_folder = true}, now);
  folders_.clear();
  folders_.push_back({catalogue_.root(), root_});
  entries_ = 0;
  has_changed_ = false;
  lacking_.reset();
  lacking_count_ = 0;
  may_pass_ = false;
}

std::optional<ListRequest> CatalogueSync::next() const {
  if (folders_.empty()) return std::nullopt;
  return ListRequest{folders_.front().path, folders_.front().offset};
}

std::optional<SyncEnd> CatalogueSync::see(const Result<ListedPage>& page, Time now) {
  ensure(is_running(), "a page answers a running round");
  if (!page) {
    remember(page.error());
    const bool is_out = page.error().kind == FaultKind::environment;
    if (is_out || lacking_count_ >= kLackingMax) return stop(page.error().code);
    folders_.pop_front();
    return finish(now);
  }
  Folder& folder = folders_.front();
  if (entries_ + page->entries.size() > entries_max_) return stop("too_many_entries");
  if (page->entries.empty() && folder.offset < page->total) return stop("short_listing");
  // Before the state changes: if the store fails, the same page is listed again.
  take(folder, *page);
  if (const auto& lacks = page->lacks) remember(*lacks);
  if (folder.total && *folder.total != page->total) has_changed_ = true;
  folder.total = page->total;
  folder.offset += page->entries.size();
  entries_ += page->entries.size();
  if (folder.offset >= page->total) folders_.pop_front();
  return finish(now);
}

std::optional<SyncEnd> CatalogueSync::finish(Time now) {
  if (is_running()) return std::nullopt;
  if (has_changed_) return stop("changed_meanwhile");
  if (lacking_)
    return SyncEnd{.entries = entries_,
                   .why = lacking_->code,
                   .folder = lacking_->path,
                   .may_pass = may_pass_};
  return SyncEnd{.is_whole = true, .entries = entries_, .gone = catalogue_.finish(round_, now)};
}

void CatalogueSync::remember(const Fault& why) {
  if (!lacking_) lacking_ = LackingFolder{folders_.front().path, why.code};
  ++lacking_count_;
  may_pass_ = may_pass_ || why.kind != FaultKind::permanent;
}

void CatalogueSync::take(Folder& folder, const ListedPage& page) {
  std::vector<ListedEntry> listed;
  listed.reserve(page.entries.size());
  for (const ListedPage::Entry& entry : page.entries)
    listed.push_back({entry.path, entry.name, folded(entry.name), entry.is_folder, entry.size});
  const EntryId parent = folder.id;
  for (std::size_t at = 0; at < listed.size(); at += kSeenAtOnce) {
    const auto some = std::span{listed}.subspan(at, std::min(kSeenAtOnce, listed.size() - at));
    const std::vector<EntryId> ids = catalogue_.see(round_, parent, some);
    for (std::size_t i = 0; i < some.size(); ++i)
      if (some[i].is_folder) folders_.push_back({ids.at(i), some[i].path});
  }
}

std::optional<SyncEnd> CatalogueSync::stop(std::string why) {
  folders_.clear();
  return SyncEnd{.entries = entries_, .why = std::move(why)};
}

}  // namespace haul::bot
