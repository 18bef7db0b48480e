// What holds a job back, one row per trouble. For each, `why` has the right code, `haul why` prints
// the words, and a time is given where haul knows one. Flow and store are real; engines, sinks and
// the clock are scripted, so that every time is known. tests/e2e/troubles_test.cc and the files
// beside it make troubles from outside, with real daemons. web/mock/troubles.json has these answers
// for the page's tests.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "api/json/why_json.h"
#include "api/live/live_facts.h"
#include "app/progress.h"
#include "base/environment.h"
#include "base/json.h"
#include "support/api/fake_api.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kSpeedLimit = 1'000;

struct TroubleStage : Stage {
  explicit TroubleStage(Millis write_items_every = 0ms)
      : Stage{flow::Settings{.write_items_every = write_items_every,
                             .host = {.at_once = 1, .apart = 0ms}}} {}

  app::ProgressLook look;
  api::LiveProgress live_progress;
  std::int64_t speed_limit = 0;

  // As the daemon does, twice a second.
  void show() { live_progress.put_up(look.look(store(), worker(), clock.steady())); }
  flow::Why why(JobId id) {
    show();
    const std::vector<flow::LifecycleWork> lifecycles = worker_work();
    return *flow::explain(
        store(), id, clock.now(), flow::Settings{.host = {.at_once = 1}}, lifecycles,
        api::live_facts(live_progress, id, clock.steady(), {.per_second = speed_limit}));
  }
  std::vector<flow::LifecycleWork> worker_work() {
    const auto all = worker().all_work();
    return {all.begin(), all.end()};
  }

  // A batch whose own host is `lane`, and whose items are at `host`.
  JobId batch(int items, const std::string& host = "h.example", std::string lane = {}) {
    if (lane.empty()) lane = host;
    const JobId id = add(kBatch, {.request = fmt::format(R"({{"url":"https://{}/"}})", lane)});
    tick();
    Planned planned;
    for (int i = 1; i <= items; ++i)
      planned.items.push_back(
          {.key = fmt::format("{}/{}", host, i), .url = fmt::format("https://{}/{}.bin", host, i)});
    reply("http.plan", planned);
    return id;
  }
  JobId handed(const Lifecycle& table) {
    const JobId id = add(table);
    tick();
    reply("client.start", Accepted{.handle = "hash"});
    return id;
  }
  JobId landing() {
    const JobId id = handed(kMedia);
    reply("client.look", whole("/d/film"));
    return id;
  }
};

using S = TroubleStage;

JobId looked(S& s, What what) {
  const JobId id = s.handed(kBook);
  s.reply("client.look", std::move(what));
  return id;
}
JobId unlanded(S& s, FaultKind kind, const char* code) {
  const JobId id = s.landing();
  s.reply("library.land", failed(kind, code));
  return id;
}
JobId item_failed(S& s, FaultKind kind, const char* code) {
  const JobId id = s.batch(1);
  s.reply("http.start", failed(kind, code));
  return id;
}
JobId image_refused(S& s, const char* code) {
  const JobId id = s.buy(1);
  s.tick();
  s.reply("images.start", failed(FaultKind::environment, code));
  return id;
}

struct Trouble {
  const char* name;
  std::function<JobId(S&)> make;
  const char* code;
  const char* words;     // Part of what `haul why` prints.
  bool is_timed = true;  // Whether it knows when something happens next.
};

const std::vector<Trouble>& troubles() {
  static const std::vector<Trouble> kAll{
      {"the host's only place is used by another job",
       [](S& s) {
         s.batch(1);
         const JobId id = s.add(kBatch, {.request = R"({"url":"https://h.example/x"})"});
         s.tick();
         return id;
       },
       "host_busy", "the limit (host_busy)", false},
      {"the host asked haul to wait",
       [](S& s) {
         const JobId id = s.add(kBatch);
         s.store().limits().block(s.job(id).lane, s.clock.now() + 1min, s.clock.now());
         return id;
       },
       "host_blocked", "asked haul to wait"},
      {"another host has no free place for the items",
       [](S& s) {
         s.batch(1, "busy.example");
         return s.batch(1, "busy.example", "b.example");
       },
       "waiting_for_host", "items wait for host busy.example, which serves 1 of 1 requests", false},
      {"an item failed and is tried again later",
       [](S& s) { return item_failed(s, FaultKind::retryable, "http_503"); }, "backoff",
       "1 item waits for another try (http_503)"},
      {"one item failed while another moves",
       [](S& s) {
         const JobId id = s.batch(2);
         s.reply("http.start", failed(FaultKind::retryable, "connection_lost"));
         s.reply("http.start", Moving{.have = 1, .size = 9});
         s.after(500ms);
         return id;
       },
       "transferring", "1 item waits for another try (connection_lost)"},
      {"an item receives no bytes",
       [](S& s) {
         const JobId id = s.batch(1);
         s.reply("http.start", Moving{.have = 5, .size = 9});
         s.show();
         s.live(31s);
         return id;
       },
       "slow_item", "1.bin has received no byte for 31 s", false},
      {"all transfers together use the speed limit",
       [](S& s) {
         s.speed_limit = kSpeedLimit;
         const JobId id = s.batch(1);
         s.reply("http.start", Moving{.have = 0, .size = 9'000});
         s.show();
         s.clock.pass(1s);
         s.reply("http.start", Moving{.have = 900, .size = 9'000});
         return id;
       },
       "speed_limited", "the speed limit of 1000 bytes per second", false},
      {"only the last item is left",
       [](S& s) {
         const JobId id = s.batch(1);
         s.reply("http.start", Moving{.have = 5, .size = 9});
         return id;
       },
       "transferring", "the last is 1.bin", false},
      {"the disk is full", [](S& s) { return item_failed(s, FaultKind::environment, "disk_full"); },
       "disk_full", "the disk that its files go to is full"},
      {"the disk is read-only",
       [](S& s) { return item_failed(s, FaultKind::environment, "read_only_disk"); },
       "read_only_disk", "is read-only"},
      {"the folder is gone",
       [](S& s) { return item_failed(s, FaultKind::environment, "folder_gone"); }, "folder_gone",
       "the folder that its files go to is gone"},
      {"there is no network",
       [](S& s) { return item_failed(s, FaultKind::environment, "network_down"); }, "network_down",
       "this machine has no network"},
      {"a user paused it",
       [](S& s) {
         const JobId id = s.add(kBatch);
         CHECK(flow::pause(s.store(), id, s.clock.now()).done);
         return id;
       },
       "paused", "a user paused it", false},
      {"a user asked for a pause that its worker has not done yet",
       [](S& s) {
         s.http_answers_stops = false;
         const JobId id = s.batch(1);
         CHECK(flow::pause(s.store(), id, s.clock.now()).wished);
         return id;
       },
       "pause_asked", "its worker must stop its work first", false},
      {"a user asked for a cancel that the client has not confirmed",
       [](S& s) {
         const JobId id = s.handed(kBook);
         CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
         return id;
       },
       "cancel_asked", "the client must confirm that it stopped"},
      {"a user asked for a cancel that its worker has not done yet",
       [](S& s) {
         s.http_answers_stops = false;
         const JobId id = s.batch(1);
         CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
         return id;
       },
       "cancel_asked", "its worker must stop the transfers first", false},
      {"a user asked for a later begin",
       [](S& s) { return s.add(kBatch, {.not_before = s.clock.now() + 2h}); }, "scheduled",
       "as its user asked"},
      {"the store was restored",
       [](S& s) {
         s.store().identity().mark_restored(s.clock.now());
         return s.add(kBook);
       },
       "restored", "the store was restored from a backup", false},
      {"the client is not configured",
       [](S& s) {
         s.lacks["client"] = "configure engine.qbittorrent.url";
         const JobId id = s.add(kBook);
         s.tick();
         return id;
       },
       "not_configured", "configure engine.qbittorrent.url", false},
      {"the disk of relays refuses haul's token",
       [](S& s) {
         const JobId id = s.add(kRelay);
         s.tick();
         s.reply("disk.start", failed(FaultKind::environment, "disk_unauthorised"));
         return id;
       },
       "disk_unauthorised", "a service that it needs refuses haul (disk_unauthorised)"},
      {"the client is off before it has the book",
       [](S& s) {
         const JobId id = s.add(kBook);
         s.tick();
         s.reply("client.start", failed(FaultKind::environment, "client_unreachable"));
         return id;
       },
       "hand_over", "the client does not answer; haul waits for it (client_unreachable)"},
      {"the client is off while it has the book",
       [](S& s) { return looked(s, Unseen{.code = "client_unreachable"}); }, "cannot_look",
       "the client does not answer; haul waits for it (client_unreachable)"},
      {"the client refuses haul's login",
       [](S& s) { return looked(s, Unseen{.code = "client_refused_login"}); }, "cannot_look",
       "the client refuses haul's login"},
      {"the client does not know the torrent", [](S& s) { return looked(s, Missing{}); }, "missing",
       "the client does not know it; grace 60 s left"},
      {"the torrent waits for its metadata",
       [](S& s) { return looked(s, Waiting{"", "waiting_for_metadata"}); }, "waiting_for_metadata",
       "waits for metadata"},
      {"a user stopped the torrent in the client",
       [](S& s) { return looked(s, Waiting{"", "stopped_in_client"}); }, "stopped_in_client",
       "a user stopped it in the client"},
      {"the torrent has no peers",
       [](S& s) {
         const JobId id = looked(s, Moving{.have = 1});
         s.live(15s);
         s.reply("client.look", Moving{.have = 1, .stalled = true, .stalled_for = 14min});
         return id;
       },
       "stalled", "stalled: no bytes for 14 min"},
      {"the finished file is not where it should be",
       [](S& s) { return looked(s, Finished{.path = "/d", .size = 1, .in_place = false}); },
       "asset_pending", "the file is not where it should be"},
      {"the media server does not answer",
       [](S& s) { return unlanded(s, FaultKind::environment, "server_unreachable"); },
       "server_unreachable", "the media server does not answer"},
      {"the media server refuses haul's token",
       [](S& s) { return unlanded(s, FaultKind::environment, "server_refused_token"); },
       "server_refused_token", "refuses haul's token"},
      {"haul cannot name the release",
       [](S& s) { return unlanded(s, FaultKind::permanent, "cannot_parse"); }, "cannot_parse",
       "haul import 1 --as S01E02"},
      {"the disk of the library is not mounted",
       [](S& s) { return unlanded(s, FaultKind::environment, "root_not_mounted"); },
       "root_not_mounted", "the disk of its download root or of its library is not mounted"},
      {"the media server does not list the file yet",
       [](S& s) {
         const JobId id = s.landing();
         s.reply("library.land", landed("/lib/film"));
         s.reply("library.verify", NotIndexed{});
         return id;
       },
       "not_proven", "the media server does not list exactly this file yet"},
      {"the provider of images refuses haul's key",
       [](S& s) { return image_refused(s, "provider_refused_key"); }, "provider_refused_key",
       "a service that it needs refuses haul (provider_refused_key)"},
      {"the provider of images wants to be paid",
       [](S& s) { return image_refused(s, "provider_wants_payment"); }, "provider_wants_payment",
       "a service that it needs refuses haul (provider_wants_payment)"},
      {"an attempt of a relay failed",
       [](S& s) {
         const JobId id = s.add(kRelay);
         s.tick();
         s.reply("disk.start", failed(FaultKind::retryable, "http_500"));
         return id;
       },
       "backoff", "attempt 1 of 3 failed (http_500)"},
      {"its worker sends no heartbeat",
       [](S& s) {
         const JobId id = s.batch(1);
         s.clock.pass(6s);
         return id;
       },
       "worker_silent", "its worker sent no heartbeat for 6 s"},
      {"it failed for good",
       [](S& s) {
         const JobId id = s.add(kBook);
         s.tick();
         s.reply("client.start", failed(FaultKind::permanent, "enqueue_failed"));
         return id;
       },
       "failed", "it failed (enqueue_failed)", false},
      {"some of its items failed",
       [](S& s) { return item_failed(s, FaultKind::permanent, "http_404"); }, "nothing_arrived",
       "1 of 1 items failed", false},
  };
  return kAll;
}

// The answers to all troubles, each with the time it was given at.
std::string troubles_json() {
  std::string rows;
  for (const Trouble& trouble : troubles()) {
    TroubleStage s;
    const flow::Why why = s.why(trouble.make(s));
    rows += fmt::format(R"({}{{"name":{},"now":"{}","why":{}}})", rows.empty() ? "\n" : ",\n",
                        json_quoted(trouble.name), to_iso(s.clock.now()), api::to_json(why));
  }
  return "[" + rows + "\n]\n";
}

}  // namespace

TEST_CASE("why and haul why name each trouble, and the time of the next step where there is one") {
  REQUIRE(troubles().size() >= 30);
  for (const Trouble& trouble : troubles()) {
    CAPTURE(trouble.name);
    TroubleStage s;
    const JobId id = trouble.make(s);

    const flow::Why why = s.why(id);
    Desk desk;
    desk.api.on(fmt::format("GET /api/v1/jobs/{}/why", id.value), 200, api::to_json(why));
    REQUIRE(cli::run_why(id.value, desk.remote()) == 0);

    CHECK(why.code == trouble.code);
    CHECK(desk.out.str().find(trouble.words) != std::string::npos);
    CHECK(desk.out.str().find(why.code) != std::string::npos);
    CHECK(why.next_at.has_value() == trouble.is_timed);
    CHECK(why.because == s.why(id).because);  // Looking changes nothing.
  }
}

TEST_CASE("web/mock/troubles.json has the answers to all troubles; ./dev docs mends it") {
  const std::string path = HAUL_SOURCE_DIR "/web/mock/troubles.json";
  const std::string wanted = troubles_json();
  if (!environment("HAUL_WRITE").empty()) std::ofstream{path, std::ios::binary} << wanted;

  std::ifstream file{path, std::ios::binary};
  CHECK(std::string{std::istreambuf_iterator<char>{file}, {}} == wanted);
}

TEST_CASE("why of a job that waits for its host names the jobs that use the host's places") {
  TroubleStage s;
  const JobId first = s.batch(1);
  const JobId second = s.add(kBatch, {.request = R"({"url":"https://h.example/x"})"});
  s.tick();

  CHECK(s.why(second).holders == std::vector{first});
  CHECK(s.why(first).holders.empty());
}

TEST_CASE("why of a job that alone uses its host's places does not say that it waits for them") {
  TroubleStage s{50ms};
  const JobId id = s.batch(2);

  CHECK(s.items(id) == "PENDING PENDING");  // The start of the first is not written yet.
  CHECK(s.host_slots("h.example") == 1);
  CHECK(s.why(id).code == "transferring");
  CHECK(flow::explain(s.store(), id, s.clock.now(), {.host = {.at_once = 1}})->code ==
        "transferring");
}

}  // namespace haul::testing
