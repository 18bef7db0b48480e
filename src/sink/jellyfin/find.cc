#include "sink/jellyfin/find.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace haul::jellyfin {

JellyfinFind::JellyfinFind(JellyfinEnv& env, FindFiles wanted, media_server::Wanted still_wanted,
                           MediaServer::Found done)
    : env_{env},
      wanted_{std::move(wanted)},
      still_wanted_{std::move(still_wanted)},
      answer_{media_server::answering(still_wanted_, std::move(done))} {}

void JellyfinFind::begin() {
  if (!still_wanted_->is_open()) return;
  env_.places.locate(media_server::paths_of(wanted_), wanted_.kind,
                     [self = shared_from_this()](Result<media_server::LocatedPaths> located) {
                       if (!located) return self->fail(located.error());
                       self->searches_ = media_server::searches_for(self->wanted_, located->places);
                       self->next();
                     });
}

void JellyfinFind::fail(const Fault& fault) {
  env_.forget();
  answer_(std::unexpected{fault});
}

void JellyfinFind::go_to(Stage stage) {
  stage_ = stage;
  page_ = 0;
}

void JellyfinFind::next() {
  if (!still_wanted_->is_open()) return;
  while (at_ < searches_.size() && (stage_ == Stage::over || searches_[at_].is_over())) {
    ++at_;
    go_to(Stage::title);
    series_.clear();
  }
  if (at_ == searches_.size()) return answer_(media_server::found_files(wanted_, searches_));
  if (stage_ == Stage::title && wanted_.title.empty()) go_to(Stage::newest);
  env_.with_info([self = shared_from_this()](const Result<PublicInfo>& info) {
    if (!info) return self->fail(info.error());
    self->send(*info);
  });
}

bool JellyfinFind::looks_for_series() const {
  const std::string& kind = searches_[at_].library().kind;
  return kind == "series" || (kind.empty() && wanted_.kind == "series");
}

ItemQuery JellyfinFind::query() const {
  ItemQuery query{.parent = searches_[at_].library().id,
                  .start = static_cast<std::size_t>(page_) * kPageItems,
                  .limit = kPageItems};
  if (stage_ == Stage::title) {
    query.title = wanted_.title;
    query.types = looks_for_series() ? "Series" : "Movie,Video";
  }
  if (stage_ == Stage::series) {
    query.parent = series_;
    query.types = "Episode";
  }
  return query;
}

void JellyfinFind::send(const PublicInfo& info) {
  env_.calls.ask(ask_items(env_.settings, info.flavor, query()),
                 [self = shared_from_this()](const Result<std::string>& body) {
                   if (!body) return self->fail(body.error());
                   const auto page = read_items(*body);
                   if (!page) return self->fail(page.error());
                   self->see(*page);
                   self->next();
                 });
}

void JellyfinFind::see(const ItemPage& page) {
  for (const JellyfinItem& item : page.items) searches_[at_].see(item.files);
  const bool is_last = page.items.size() < kPageItems;
  ++page_;
  switch (stage_) {
    case Stage::title:
      if (looks_for_series()) choose_series(page);
      return go_to(series_.empty() ? Stage::newest : Stage::series);
    case Stage::series:
      if (is_last || page_ >= kSeriesPagesMax) go_to(Stage::newest);
      return;
    case Stage::newest:
      if (is_last || page_ >= kNewestPagesMax) go_to(Stage::over);
      return;
    case Stage::over:
      return;
  }
}

void JellyfinFind::choose_series(const ItemPage& page) {
  const auto is_same = [this](const JellyfinItem& item) {
    return lower(trimmed(item.name)) == lower(trimmed(wanted_.title));
  };
  auto found = std::ranges::find_if(page.items, is_same);
  if (found == page.items.end()) found = page.items.begin();
  if (found != page.items.end()) series_ = found->id;
}

}  // namespace haul::jellyfin
