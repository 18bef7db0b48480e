#include "sink/plex/plex.h"

#include <future>
#include <utility>

#include "sink/plex/find.h"
#include "sink/plex/replies.h"
#include "sink/plex/tell.h"

namespace haul::plex {
namespace {

using media_server::AnswerWanted;
using media_server::make_question;
using media_server::ServerProbe;

class Plex final : public MediaServer {
 public:
  Plex(io::HttpLoop& loop, const Clock& clock, PlexSettings settings)
      : settings_{std::move(settings)},
        loop_{loop},
        env_{std::make_unique<PlexEnv>(loop, clock, settings_)} {}
  // Everything that lives on the loop's thread is destroyed there.
  ~Plex() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      env_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }
  Plex(const Plex&) = delete;
  Plex& operator=(const Plex&) = delete;

  std::string_view name() const override { return "plex"; }

  std::unique_ptr<ServerQuestion> tell(std::vector<std::string> folders, Told done) override {
    ensure_tellable(folders, done);
    const auto wanted = std::make_shared<AnswerWanted>();
    loop_.post([this, wanted, folders = std::move(folders), done = std::move(done)] {
      std::make_shared<PlexTell>(*env_, folders, wanted, done)->begin();
    });
    return make_question(wanted);
  }

  std::unique_ptr<ServerQuestion> find(FindFiles files, Found done) override {
    ensure_findable(files, done);
    const auto wanted = std::make_shared<AnswerWanted>();
    loop_.post([this, wanted, files = std::move(files), done = std::move(done)] {
      std::make_shared<PlexFind>(*env_, files, wanted, done)->begin();
    });
    return make_question(wanted);
  }

 private:
  const PlexSettings settings_;
  io::HttpLoop& loop_;
  std::unique_ptr<PlexEnv> env_;
};

using Answered = std::promise<Result<ServerProbe>>;

void ask_libraries(PlexEnv& env, ServerProbe probe, Answered& answered) {
  env.calls.ask(ask_sections(env.settings),
                [probe = std::move(probe), &answered](const Result<std::string>& body) mutable {
                  if (!body) return answered.set_value(std::unexpected{body.error()});
                  auto libraries = read_sections(*body);
                  if (!libraries) return answered.set_value(std::unexpected{libraries.error()});
                  probe.libraries = *std::move(libraries);
                  answered.set_value(std::move(probe));
                });
}

}  // namespace

std::unique_ptr<MediaServer> make_plex_server(io::HttpLoop& loop, const Clock& clock,
                                              PlexSettings settings) {
  return std::make_unique<Plex>(loop, clock, std::move(settings));
}

Result<ServerProbe> probe_plex(const Clock& clock, PlexSettings settings) {
  settings.on_trouble = {};
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<PlexEnv> env;
  Answered answered;
  loop->post([&] {
    env = std::make_unique<PlexEnv>(*loop, clock, settings);
    env->calls.ask(ask_identity(env->settings), [&](const Result<std::string>& body) {
      if (!body) return answered.set_value(std::unexpected{body.error()});
      const auto version = read_identity(*body);
      if (!version) return answered.set_value(std::unexpected{version.error()});
      ask_libraries(*env, {.product = "Plex", .version = *version, .libraries = {}}, answered);
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

}  // namespace haul::plex
