#include "sink/plex/find.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"

namespace haul::plex {
namespace {

using media_server::LibrarySearch;
using media_server::ListedFile;

constexpr int kRequestsMax = 3;  // For the files of one library.
constexpr std::size_t kSliceMin = 10;

}  // namespace

PlexFind::PlexFind(PlexEnv& env, FindFiles files, media_server::Wanted wanted,
                   MediaServer::Found answer)
    : env_{env}, search_{std::move(files), std::move(wanted), std::move(answer)} {}

void PlexFind::begin() {
  search_.locate(env_.places, [self = shared_from_this()](const Result<int>& requests) {
    if (!requests) return self->search_.fail(requests.error());
    self->requests_ = *requests;
    self->next();
  });
}

bool PlexFind::is_done_here() const {
  return stage_ == Stage::over || requests_ >= kRequestsMax || search_.at_hand()->is_over();
}

void PlexFind::next() {
  if (!search_.is_wanted()) return;
  while (search_.at_hand() && is_done_here()) {
    search_.leave_library();
    stage_ = Stage::title;
    requests_ = 0;
    series_is_whole_ = false;
    show_key_.clear();
    season_key_.clear();
  }
  if (!search_.at_hand()) return search_.answer();
  if (stage_ == Stage::title && search_.files().title.empty()) stage_ = Stage::newest;
  send();
}

void PlexFind::send() {
  const ServerLibrary& library = search_.at_hand()->library();
  PlexSlices& slices = env_.slices;
  ServerCall call;
  std::size_t* slice = nullptr;
  switch (stage_) {
    case Stage::title:
      slice = &slices.title;
      call = ask_by_title(env_.settings, library, search_.files().title, *slice);
      break;
    case Stage::newest:
      slice = &slices.newest;
      call = ask_newest(env_.settings, library, *slice);
      break;
    case Stage::leaves:
      slice = &slices.leaves;
      call = season_key_.empty() ? ask_all_leaves(env_.settings, show_key_, *slice)
                                 : ask_season(env_.settings, season_key_, *slice);
      break;
    case Stage::over:
      break;
  }
  ensure(slice != nullptr, "a search that is over asks for nothing");
  ++requests_;
  env_.calls.ask(std::move(call),
                 [self = shared_from_this(), slice](const Result<std::string>& body) {
                   if (!body) {
                     // The next search asks for less.
                     if (body.error().code == media_server::kTooLong)
                       *slice = std::max(kSliceMin, *slice / 2);
                     self->env_.places.forget();  // The library may be gone.
                     return self->search_.fail(body.error());
                   }
                   const auto list = read_entries(*body);
                   if (!list) return self->search_.fail(list.error());
                   self->see(*list);
                   self->next();
                 });
}

void PlexFind::see(const PlexList& list) {
  LibrarySearch& search = *search_.at_hand();
  if (stage_ == Stage::title && env_.settings.match == PlexMatch::title) {
    const bool is_there = std::ranges::any_of(
        list.entries, [this](const PlexEntry& entry) { return has_title(entry); });
    if (is_there) search.see_all();
    stage_ = Stage::over;
    return;
  }
  learn_series(list);
  for (const PlexEntry& entry : list.entries) search.see(entry.files);
  switch (stage_) {
    case Stage::title:
      series_is_whole_ = !list.entries.empty() && list.is_whole();
      stage_ = Stage::newest;
      break;
    case Stage::newest:
      stage_ = has_series() && !series_is_whole_ && !(show_key_.empty() && season_key_.empty())
                   ? Stage::leaves
                   : Stage::over;
      break;
    case Stage::leaves:
    case Stage::over:
      stage_ = Stage::over;
      break;
  }
}

void PlexFind::learn_series(const PlexList& list) {
  const LibrarySearch& search = *search_.at_hand();
  const std::optional<int> season = search_.files().season;
  for (const PlexEntry& entry : list.entries) {
    const bool is_beside = std::ranges::any_of(
        entry.files, [&](const ListedFile& file) { return search.is_beside(file.path); });
    if (is_beside) {
      show_key_ = entry.show_key;
      season_key_ = entry.season_key;
      return;
    }
    if (!has_title(entry)) continue;
    if (show_key_.empty()) show_key_ = entry.show_key;
    if (season_key_.empty() && season && entry.season == season) season_key_ = entry.season_key;
  }
}

bool PlexFind::has_series() const { return search_.at_hand()->library().kind == "series"; }

bool PlexFind::has_title(const PlexEntry& entry) const {
  return media_server::is_same_title(has_series() ? entry.show : entry.title,
                                     search_.files().title);
}

}  // namespace haul::plex
