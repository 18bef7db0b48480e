#include "app/wiring/worker.h"

#include <doctest/doctest.h>

#include "flow/user/why.h"
#include "lifecycle/tables.h"
#include "support/flow/script.h"
#include "support/store/test_store.h"

namespace haul::testing {

using namespace std::chrono_literals;

TEST_CASE("the daemon's worker polls, waits and limits hosts as it is configured") {
  const auto config = app::Config::read({}, {{"HAUL__ENGINE__QBITTORRENT__POLL", "20s"},
                                             {"HAUL__ENGINE__QBITTORRENT__MISSING_GRACE", "90s"},
                                             {"HAUL__TRANSFER__PER_HOST", "5"},
                                             {"HAUL__TRANSFER__DELAY", "3s"}});
  REQUIRE(config.has_value());

  const flow::Settings settings = app::worker_settings(*config);

  CHECK(settings.poll == 20s);
  CHECK(settings.missing_grace == 90s);
  CHECK(settings.host.at_once == 5);
  CHECK(settings.host.apart == 3s);
}

TEST_CASE("A3-5: a relay's lease and heartbeat are configured; others keep their own") {
  const auto settings = [](const app::Config::Environment& environment) {
    return app::worker_settings(app::Config::read({}, environment).value());
  };
  CHECK((settings({}).beat_every == 2s));
  CHECK((flow::lease_of(settings({}), kRelay) == 30s));
  const flow::Settings quick =
      settings({{"HAUL__RELAY__HEARTBEAT", "500ms"}, {"HAUL__RELAY__TIMEOUT", "2s"}});
  CHECK((quick.beat_every == 500ms));
  CHECK((flow::lease_of(quick, kRelay) == 2s));
  CHECK((flow::lease_of(quick, kBatch) == kBatch.lease_after));
}

TEST_CASE("S3-20, A3-10, S3-22: relays get their queue, their time to live and their sender") {
  const auto relay = [](const app::Config::Environment& environment) {
    return app::handler_settings(app::Config::read({}, environment).value()).relay;
  };
  const flow::RelaySettings usual = relay({});
  CHECK(usual.quota.open_in_all == 1'000);
  CHECK(usual.quota.open_max == 20);
  CHECK(usual.quota.owner_code == "user_queue_full");
  CHECK((usual.expires_after == 0s));
  CHECK(usual.sender.empty());
  const flow::RelaySettings own = relay({{"HAUL__RELAY__TELEGRAM_TOKEN", "77:secret"},
                                         {"HAUL__RELAY__TTL", "24h"},
                                         {"HAUL__RELAY__QUEUE_MAX", "5"}});
  CHECK(own.sender == "77");
  CHECK((own.expires_after == 24h));
  CHECK(own.quota.open_in_all == 5);
}

TEST_CASE("S1-12: films keep their sources if the configuration says so") {
  const auto cleans = [](const app::Config::Environment& environment) {
    return app::handler_settings(app::Config::read({}, environment).value()).media.clean_source;
  };

  CHECK(cleans({}));
  CHECK_FALSE(cleans({{"HAUL__IMPORTER__CLEANUP_SOURCE", "false"}}));
}

TEST_CASE("Z-30: with a download root haul fetches films over HTTP, without a torrent client") {
  HandClock clock;
  const auto store = open_test_store(clock.now());
  app::MediaLibrarySettings library;
  library.library.roots.movies.path = "/no/such/films";
  app::LocalWorker worker{
      *store, clock,
      app::OutsideSettings{.library = library, .download_roots = {"/no/such/downloads"}},
      flow::Settings{}, "test"};
  const auto lacks = [&](const char* engine) {
    return flow::not_ready(worker->all_work(), kMedia, engine);
  };

  CHECK(lacks("http").empty());
  CHECK(lacks("") == "configure engine.qbittorrent.url");
  CHECK(flow::is_ready(worker->all_work(), kMedia));
}

TEST_CASE("Z-30: a worker of this process leaves jobs alone that it has no engine for") {
  HandClock clock;
  const auto store = open_test_store(clock.now());
  app::LocalWorker worker{*store, clock, app::OutsideSettings{}, flow::Settings{}, "test"};
  const auto added =
      flow::add(*store, {.lifecycle = &kBook, .request = full_request(kBook)}, clock.now());
  REQUIRE(added.has_value());

  worker->tick();

  CHECK(store->reader().find(added->id)->version.state == "queued");
  CHECK(store->intents().of(added->id, 10).empty());
  const auto why = flow::explain(*store, added->id, clock.now(), {}, worker->all_work());
  CHECK(why->code == "not_configured");
  CHECK(why->because.ends_with("configure engine.qbittorrent.url"));
}

}  // namespace haul::testing
