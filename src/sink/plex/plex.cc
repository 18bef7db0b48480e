#include "sink/plex/plex.h"

#include <utility>

#include "sink/plex/find.h"
#include "sink/plex/replies.h"
#include "sink/plex/tell.h"
#include "sink/server/server.h"

namespace haul::plex {
namespace {

using media_server::ServerProbe;
using media_server::ServerTalk;
using media_server::Wanted;

class PlexTalk final : public ServerTalk {
 public:
  PlexTalk(io::HttpLoop& loop, const Clock& clock, PlexSettings settings)
      : settings_{std::move(settings)}, env_{loop, clock, settings_} {}

  void tell(std::vector<std::string> folders, Wanted wanted, MediaServer::Told answer) override {
    std::make_shared<PlexTell>(env_, std::move(folders), std::move(wanted), std::move(answer))
        ->begin();
  }
  void find(FindFiles files, Wanted wanted, MediaServer::Found answer) override {
    std::make_shared<PlexFind>(env_, std::move(files), std::move(wanted), std::move(answer))
        ->begin();
  }
  void list_folder(const std::string& folder, NamesSeen done) override {
    env_.calls.ask(ask_browse(settings_, folder),
                   [done = std::move(done)](const Result<std::string>& body) {
                     if (!body) return done(std::unexpected{body.error()});
                     done(read_browse(*body));
                   });
  }
  void probe(Probed done) override {
    env_.calls.ask(
        ask_identity(settings_), [this, done = std::move(done)](const Result<std::string>& body) {
          const auto version = body ? read_identity(*body) : std::unexpected{body.error()};
          if (!version) return done(std::unexpected{version.error()});
          probe_libraries(*version, done);
        });
  }

 private:
  void probe_libraries(const std::string& version, const Probed& done) {
    env_.ask_libraries([version, done](Result<std::vector<ServerLibrary>> libraries) {
      if (!libraries) return done(std::unexpected{libraries.error()});
      done(ServerProbe{.product = "Plex", .version = version, .libraries = *std::move(libraries)});
    });
  }

  const PlexSettings settings_;
  PlexEnv env_;
};

}  // namespace

std::unique_ptr<MediaServer> make_plex_server(io::HttpLoop& loop, const Clock& clock,
                                              PlexSettings settings) {
  const std::string_view match = settings.match == PlexMatch::title ? "title" : "path";
  return media_server::make_server({.name = "plex", .match = match}, loop,
                                   std::make_unique<PlexTalk>(loop, clock, std::move(settings)));
}

Result<ServerProbe> probe_plex(const Clock& clock, PlexSettings settings) {
  settings.on_trouble = {};
  return media_server::probe_server(
      clock, [&](io::HttpLoop& loop) { return std::make_unique<PlexTalk>(loop, clock, settings); });
}

Result<std::vector<std::string>> list_plex_folder(const Clock& clock, PlexSettings settings,
                                                  const std::string& folder) {
  settings.on_trouble = {};
  return media_server::list_server_folder(
      clock, [&](io::HttpLoop& loop) { return std::make_unique<PlexTalk>(loop, clock, settings); },
      folder);
}

}  // namespace haul::plex
