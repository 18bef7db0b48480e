#include "sink/plex/tell.h"

#include <utility>

namespace haul::plex {
namespace {

constexpr Millis kLookAgain{200};

// A scan of a folder that a library begins with is a scan of the library.
std::string folder_of(const media_server::ServerPlace& place) {
  return place.is_folder_itself ? std::string{} : place.path;
}

}  // namespace

PlexTell::PlexTell(PlexEnv& env, std::vector<std::string> folders, media_server::Wanted wanted,
                   MediaServer::Told answer)
    : env_{env},
      folders_{std::move(folders)},
      wanted_{std::move(wanted)},
      answer_{std::move(answer)},
      since_{env.clock.steady()} {}

void PlexTell::begin() {
  env_.places.locate(folders_, "",
                     [self = shared_from_this()](Result<media_server::LocatedPaths> located) {
                       if (!located) return self->answer_(std::unexpected{located.error()});
                       self->places_ = std::move(located->places);
                       self->next();
                     });
}

void PlexTell::next() {
  if (!wanted_->is_open()) return;
  if (at_ == places_.size()) return answer_({});
  const media_server::ServerPlace& place = places_[at_];
  const std::string key = place.library.id + ":" + folder_of(place);
  const Steady now = env_.clock.steady();
  std::erase_if(env_.scans, [&](const auto& each) {
    return !each.second.is_open && now - each.second.sent >= kBetweenScans;
  });
  if (const auto last = env_.scans.find(key); last != env_.scans.end()) {
    if (last->second.is_open) return later(kLookAgain);
    if (last->second.sent <= since_) return later(kBetweenScans - (now - last->second.sent));
    // Another question had Plex scan the folder while this one waited.
    ++at_;
    return next();
  }
  send(place, key);
}

void PlexTell::send(const media_server::ServerPlace& place, const std::string& key) {
  env_.scans[key] = {.sent = env_.clock.steady(), .is_open = true};
  env_.calls.ask(ask_refresh(env_.settings, place.library, folder_of(place)),
                 [self = shared_from_this(), key](const Result<std::string>& body) {
                   if (!body) {
                     self->env_.scans.erase(key);
                     self->env_.places.forget();  // The library may be gone.
                     return self->answer_(std::unexpected{body.error()});
                   }
                   self->env_.scans[key].is_open = false;
                   ++self->at_;
                   self->next();
                 });
}

void PlexTell::later(Millis wait) {
  env_.loop.after(wait, [self = shared_from_this(), alive = std::weak_ptr{env_.alive}] {
    if (alive.lock()) self->next();
  });
}

}  // namespace haul::plex
