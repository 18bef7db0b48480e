#include "sink/jellyfin/find.h"

#include <algorithm>
#include <utility>

namespace haul::jellyfin {

JellyfinFind::JellyfinFind(JellyfinEnv& env, FindFiles files, media_server::Wanted wanted,
                           MediaServer::Found answer)
    : env_{env}, search_{std::move(files), std::move(wanted), std::move(answer)} {}

void JellyfinFind::begin() {
  search_.locate(env_.places, [self = shared_from_this()](const Result<int>& requests) {
    if (!requests) return self->fail(requests.error());
    self->next();
  });
}

void JellyfinFind::fail(const Fault& fault) {
  env_.forget();
  search_.fail(fault);
}

void JellyfinFind::go_to(Stage stage) {
  stage_ = stage;
  page_ = 0;
}

void JellyfinFind::next() {
  if (!search_.is_wanted()) return;
  while (search_.at_hand() && (stage_ == Stage::over || search_.at_hand()->is_over())) {
    search_.leave_library();
    go_to(Stage::title);
    series_.clear();
  }
  if (!search_.at_hand()) return search_.answer();
  if (stage_ == Stage::title && search_.files().title.empty()) go_to(Stage::newest);
  env_.with_info([self = shared_from_this()](const Result<PublicInfo>& info) {
    if (!info) return self->fail(info.error());
    self->send(*info);
  });
}

bool JellyfinFind::looks_for_series() const {
  const std::string& kind = search_.at_hand()->library().kind;
  return kind == "series" || (kind.empty() && search_.files().kind == "series");
}

ItemQuery JellyfinFind::query() const {
  ItemQuery query{.parent = search_.at_hand()->library().id,
                  .start = static_cast<std::size_t>(page_) * kPageItems,
                  .limit = kPageItems};
  if (stage_ == Stage::title) {
    query.title = search_.files().title;
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
  for (const JellyfinItem& item : page.items) search_.at_hand()->see(item.files);
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
    return media_server::is_same_title(item.name, search_.files().title);
  };
  auto found = std::ranges::find_if(page.items, is_same);
  if (found == page.items.end()) found = page.items.begin();
  if (found != page.items.end()) series_ = found->id;
}

}  // namespace haul::jellyfin
