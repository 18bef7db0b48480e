#include "sink/jellyfin/env.h"

#include <utility>

namespace haul::jellyfin {
namespace {

media_server::ServerAccess access_of(const JellyfinSettings& settings) {
  return {.name = "Jellyfin",
          .url = settings.url,
          .url_setting = "sink.jellyfin.url",
          .token_setting = "sink.jellyfin.token",
          .ca_file = settings.ca_file,
          .user_agent = settings.user_agent,
          .on_trouble = settings.on_trouble};
}

}  // namespace

JellyfinEnv::JellyfinEnv(io::HttpLoop& loop, const Clock& clock, const JellyfinSettings& given)
    : settings{given},
      calls{loop, access_of(given)},
      places{clock,
             {.name = "Jellyfin", .map_setting = "sink.jellyfin.path_map"},
             given.paths,
             [this](ThenLibraries then) { ask_libraries(std::move(then)); }} {}

void JellyfinEnv::with_info(ThenInfo then) {
  if (info_) return then(*info_);
  calls.ask(ask_info(), [this, then = std::move(then)](const Result<std::string>& body) {
    if (!body) return then(std::unexpected{body.error()});
    auto info = read_info(*body);
    if (info) info_ = *info;
    then(std::move(info));
  });
}

void JellyfinEnv::ask_libraries(ThenLibraries then) {
  with_info([this, then = std::move(then)](const Result<PublicInfo>& info) {
    if (!info) return then(std::unexpected{info.error()});
    calls.ask(ask_folders(settings, info->flavor), [then](const Result<std::string>& body) {
      if (!body) return then(std::unexpected{body.error()});
      then(read_folders(*body));
    });
  });
}

void JellyfinEnv::forget() {
  info_.reset();
  places.forget();
}

}  // namespace haul::jellyfin
