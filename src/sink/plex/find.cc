#include "sink/plex/find.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/ensure.h"

namespace haul::plex {
namespace {

using media_server::LibrarySearch;
using media_server::ListedFile;

constexpr int kRequestsMax = 3;  // For the files of one library.
constexpr std::size_t kSliceMin = 10;

}  // namespace

PlexFind::PlexFind(PlexEnv& env, FindFiles wanted, media_server::Wanted still_wanted,
                   MediaServer::Found done)
    : env_{env},
      wanted_{std::move(wanted)},
      still_wanted_{std::move(still_wanted)},
      answer_{media_server::answering(still_wanted_, std::move(done))} {}

void PlexFind::begin() {
  if (!still_wanted_->is_open()) return;
  env_.places.locate(media_server::paths_of(wanted_), wanted_.kind,
                     [self = shared_from_this()](Result<media_server::LocatedPaths> located) {
                       if (!located) return self->answer_(std::unexpected{located.error()});
                       self->searches_ = media_server::searches_for(self->wanted_, located->places);
                       self->requests_ = located->requests;
                       self->next();
                     });
}

void PlexFind::next() {
  if (!still_wanted_->is_open()) return;
  const auto is_done = [this] {
    return stage_ == Stage::over || requests_ >= kRequestsMax || searches_[at_].is_over();
  };
  while (at_ < searches_.size() && is_done()) {
    ++at_;
    stage_ = Stage::title;
    requests_ = 0;
    series_is_whole_ = false;
    show_key_.clear();
    season_key_.clear();
  }
  if (at_ == searches_.size()) return answer_(media_server::found_files(wanted_, searches_));
  if (stage_ == Stage::title && wanted_.title.empty()) stage_ = Stage::newest;
  send();
}

void PlexFind::send() {
  const ServerLibrary& library = searches_[at_].library();
  PlexSlices& slices = env_.slices;
  ServerCall call;
  std::size_t* slice = nullptr;
  switch (stage_) {
    case Stage::title:
      slice = &slices.title;
      call = ask_by_title(env_.settings, library, wanted_.title, *slice);
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
                     return self->answer_(std::unexpected{body.error()});
                   }
                   const auto list = read_entries(*body);
                   if (!list) return self->answer_(std::unexpected{list.error()});
                   self->see(*list);
                   self->next();
                 });
}

void PlexFind::see(const PlexList& list) {
  LibrarySearch& search = searches_[at_];
  if (stage_ == Stage::title && env_.settings.match == PlexMatch::title) {
    const bool is_there = std::ranges::any_of(
        list.entries, [this](const PlexEntry& entry) { return is_same_title(entry); });
    if (is_there) search.see_all();
    stage_ = Stage::over;
    return;
  }
  learn_series(list);
  for (const PlexEntry& entry : list.entries) search.see(entry.files);
  const bool has_series = search.library().kind == "series";
  switch (stage_) {
    case Stage::title:
      series_is_whole_ = !list.entries.empty() && list.is_whole();
      stage_ = Stage::newest;
      break;
    case Stage::newest:
      stage_ = has_series && !series_is_whole_ && !(show_key_.empty() && season_key_.empty())
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
  const LibrarySearch& search = searches_[at_];
  for (const PlexEntry& entry : list.entries) {
    const bool is_beside = std::ranges::any_of(
        entry.files, [&](const ListedFile& file) { return search.is_beside(file.path); });
    if (is_beside) {
      show_key_ = entry.show_key;
      season_key_ = entry.season_key;
      return;
    }
    if (!is_same_title(entry)) continue;
    if (show_key_.empty()) show_key_ = entry.show_key;
    if (season_key_.empty() && wanted_.season && entry.season == wanted_.season)
      season_key_ = entry.season_key;
  }
}

bool PlexFind::is_same_title(const PlexEntry& entry) const {
  const bool has_series = searches_[at_].library().kind == "series";
  return lower(trimmed(has_series ? entry.show : entry.title)) == lower(trimmed(wanted_.title));
}

}  // namespace haul::plex
