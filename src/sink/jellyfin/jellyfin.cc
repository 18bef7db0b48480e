#include "sink/jellyfin/jellyfin.h"

#include <utility>

#include "sink/jellyfin/find.h"
#include "sink/server/server.h"

namespace haul::jellyfin {
namespace {

using media_server::LocatedPaths;
using media_server::ServerLibrary;
using media_server::ServerPlace;
using media_server::ServerProbe;
using media_server::ServerTalk;
using media_server::Wanted;

// Tells the server of folders, all in one request. It waits a minute before it looks, and longer
// while more comes, so haul need not hold anything back.
void tell_folders(JellyfinEnv& env, std::vector<std::string> folders,
                  const MediaServer::Told& answer) {
  const auto fail = [&env, answer](const Fault& fault) {
    env.forget();
    answer(std::unexpected{fault});
  };
  env.places.locate(std::move(folders), "", [&env, answer, fail](Result<LocatedPaths> located) {
    if (!located) return fail(located.error());
    std::vector<std::string> theirs;
    for (ServerPlace& place : located->places) theirs.push_back(std::move(place.path));
    env.with_info([&env, answer, fail, theirs](const Result<PublicInfo>& info) {
      if (!info) return fail(info.error());
      env.calls.ask(ask_update(env.settings, info->flavor, theirs),
                    [answer, fail](const Result<std::string>& body) {
                      if (!body) return fail(body.error());
                      answer({});
                    });
    });
  });
}

class JellyfinTalk final : public ServerTalk {
 public:
  JellyfinTalk(io::HttpLoop& loop, const Clock& clock, JellyfinSettings settings)
      : settings_{std::move(settings)}, env_{loop, clock, settings_} {}

  void tell(std::vector<std::string> folders, Wanted, MediaServer::Told answer) override {
    tell_folders(env_, std::move(folders), answer);
  }
  void find(FindFiles files, Wanted wanted, MediaServer::Found answer) override {
    std::make_shared<JellyfinFind>(env_, std::move(files), std::move(wanted), std::move(answer))
        ->begin();
  }
  void list_folder(const std::string& folder, NamesSeen done) override {
    env_.with_info([this, folder, done = std::move(done)](const Result<PublicInfo>& info) {
      if (!info) return done(std::unexpected{info.error()});
      env_.calls.ask(ask_contents(settings_, info->flavor, folder),
                     [done](const Result<std::string>& body) {
                       if (!body) return done(std::unexpected{body.error()});
                       done(read_contents(*body));
                     });
    });
  }
  void probe(Probed done) override {
    env_.with_info([this, done = std::move(done)](const Result<PublicInfo>& info) {
      if (!info) return done(std::unexpected{info.error()});
      probe_libraries(*info, done);
    });
  }

 private:
  void probe_libraries(const PublicInfo& info, const Probed& done) {
    env_.ask_libraries([info, done](Result<std::vector<ServerLibrary>> libraries) {
      if (!libraries) return done(std::unexpected{libraries.error()});
      done(ServerProbe{.product = info.flavor == Flavor::emby ? "Emby" : "Jellyfin",
                       .version = info.version,
                       .libraries = *std::move(libraries)});
    });
  }

  const JellyfinSettings settings_;
  JellyfinEnv env_;
};

}  // namespace

std::unique_ptr<MediaServer> make_jellyfin_server(io::HttpLoop& loop, const Clock& clock,
                                                  JellyfinSettings settings) {
  return media_server::make_server(
      {.name = "jellyfin"}, loop, std::make_unique<JellyfinTalk>(loop, clock, std::move(settings)));
}

Result<ServerProbe> probe_jellyfin(const Clock& clock, JellyfinSettings settings) {
  settings.on_trouble = {};
  return media_server::probe_server(clock, [&](io::HttpLoop& loop) {
    return std::make_unique<JellyfinTalk>(loop, clock, settings);
  });
}

Result<std::vector<std::string>> list_jellyfin_folder(const Clock& clock, JellyfinSettings settings,
                                                      const std::string& folder) {
  settings.on_trouble = {};
  return media_server::list_server_folder(
      clock,
      [&](io::HttpLoop& loop) { return std::make_unique<JellyfinTalk>(loop, clock, settings); },
      folder);
}

}  // namespace haul::jellyfin
