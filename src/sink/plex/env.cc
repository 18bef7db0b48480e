#include "sink/plex/env.h"

#include <utility>

#include "sink/plex/replies.h"

namespace haul::plex {
namespace {

media_server::ServerAccess access_of(const PlexSettings& settings) {
  return {.name = "Plex",
          .url = settings.url,
          .url_setting = "sink.plex.url",
          .token_setting = "sink.plex.token",
          .ca_file = settings.ca_file,
          .user_agent = settings.user_agent,
          .on_trouble = settings.on_trouble};
}

}  // namespace

PlexEnv::PlexEnv(io::HttpLoop& on, const Clock& by, const PlexSettings& given)
    : loop{on},
      clock{by},
      settings{given},
      calls{on, access_of(given)},
      places{by,
             {.name = "Plex", .map_setting = "sink.plex.path_map"},
             given.paths,
             [this](ThenLibraries then) { ask_libraries(std::move(then)); }} {}

void PlexEnv::ask_libraries(ThenLibraries then) {
  calls.ask(ask_sections(settings), [then = std::move(then)](const Result<std::string>& body) {
    if (!body) return then(std::unexpected{body.error()});
    then(read_sections(*body));
  });
}

}  // namespace haul::plex
