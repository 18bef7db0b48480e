#include "sink/jellyfin/jellyfin.h"

#include <algorithm>
#include <future>
#include <utility>

#include "sink/jellyfin/find.h"

namespace haul::jellyfin {
namespace {

using media_server::AnswerWanted;
using media_server::LocatedPaths;
using media_server::make_question;
using media_server::ServerPlace;
using media_server::ServerProbe;

// Tells the server of folders, all in one request. It waits a minute before it looks, and longer
// while more comes, so haul need not hold anything back.
void tell_folders(JellyfinEnv& env, std::vector<std::string> folders, MediaServer::Told answer) {
  const auto fail = [&env, answer](const Fault& fault) {
    env.forget();
    answer(std::unexpected{fault});
  };
  std::ranges::sort(folders);
  const auto doubles = std::ranges::unique(folders);
  folders.erase(doubles.begin(), doubles.end());
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

class Jellyfin final : public MediaServer {
 public:
  Jellyfin(io::HttpLoop& loop, const Clock& clock, JellyfinSettings settings)
      : settings_{std::move(settings)},
        loop_{loop},
        env_{std::make_unique<JellyfinEnv>(loop, clock, settings_)} {}
  // Everything that lives on the loop's thread is destroyed there.
  ~Jellyfin() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      env_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }
  Jellyfin(const Jellyfin&) = delete;
  Jellyfin& operator=(const Jellyfin&) = delete;

  std::string_view name() const override { return "jellyfin"; }

  std::unique_ptr<ServerQuestion> tell(std::vector<std::string> folders, Told done) override {
    ensure_tellable(folders, done);
    const auto wanted = std::make_shared<AnswerWanted>();
    loop_.post([this, wanted, folders = std::move(folders), done = std::move(done)] {
      if (wanted->is_open()) tell_folders(*env_, folders, media_server::answering(wanted, done));
    });
    return make_question(wanted);
  }

  std::unique_ptr<ServerQuestion> find(FindFiles files, Found done) override {
    ensure_findable(files, done);
    const auto wanted = std::make_shared<AnswerWanted>();
    loop_.post([this, wanted, files = std::move(files), done = std::move(done)] {
      std::make_shared<JellyfinFind>(*env_, files, wanted, done)->begin();
    });
    return make_question(wanted);
  }

 private:
  const JellyfinSettings settings_;
  io::HttpLoop& loop_;
  std::unique_ptr<JellyfinEnv> env_;
};

using Answered = std::promise<Result<ServerProbe>>;

void ask_libraries(JellyfinEnv& env, const PublicInfo& info, Answered& answered) {
  env.calls.ask(ask_folders(env.settings, info.flavor),
                [info, &answered](const Result<std::string>& body) {
                  if (!body) return answered.set_value(std::unexpected{body.error()});
                  auto libraries = read_folders(*body);
                  if (!libraries) return answered.set_value(std::unexpected{libraries.error()});
                  const bool is_emby = info.flavor == Flavor::emby;
                  answered.set_value(ServerProbe{.product = is_emby ? "Emby" : "Jellyfin",
                                                 .version = info.version,
                                                 .libraries = *std::move(libraries)});
                });
}

}  // namespace

std::unique_ptr<MediaServer> make_jellyfin_server(io::HttpLoop& loop, const Clock& clock,
                                                  JellyfinSettings settings) {
  return std::make_unique<Jellyfin>(loop, clock, std::move(settings));
}

Result<ServerProbe> probe_jellyfin(const Clock& clock, JellyfinSettings settings) {
  settings.on_trouble = {};
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<JellyfinEnv> env;
  Answered answered;
  loop->post([&] {
    env = std::make_unique<JellyfinEnv>(*loop, clock, settings);
    env->with_info([&](const Result<PublicInfo>& info) {
      if (!info) return answered.set_value(std::unexpected{info.error()});
      ask_libraries(*env, *info, answered);
    });
  });
  auto probe = answered.get_future().get();
  std::promise<void> cleared;
  loop->post([&] {
    env.reset();
    cleared.set_value();
  });
  cleared.get_future().wait();
  if (!probe) return std::unexpected{media_server::as_told_outside(probe.error())};
  return probe;
}

}  // namespace haul::jellyfin
