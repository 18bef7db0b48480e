#include "flow/user/why.h"

#include <doctest/doctest.h>

#include "api/json/why_json.h"
#include "lifecycle/tables.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr Time kNow = Bench::kStart;

// A job that has been in a state for ten seconds and is due in five.
flow::WhyFacts facts(const Lifecycle& table, std::string_view state) {
  flow::WhyFacts facts{.now = kNow};
  const State& row = *table.find(state);
  facts.job.version = {.id = {7}, .lifecycle = &table, .state = row.name, .seq = 1};
  facts.job.moved_at = kNow - 10s;
  if (row.is_open()) facts.job.due_at = kNow + 5s;
  return facts;
}

flow::WhyFacts leased(const Lifecycle& table, std::string_view state, Millis silent_for = 1s) {
  flow::WhyFacts held = facts(table, state);
  held.job.worker = {3};
  held.worker = WorkerRow{.id = {3}, .beat_at = kNow - silent_for};
  return held;
}

flow::WhyFacts with_intent(flow::WhyFacts facts, std::string kind,
                           IntentState state = IntentState::open) {
  facts.intents.push_back({.id = {1}, .job = {7}, .kind = std::move(kind), .state = state});
  return facts;
}

flow::WhyFacts at_client(std::string reason = {}) {
  flow::WhyFacts fetched = facts(kBook, "downloading");
  fetched.job.handle = "hash";
  fetched.job.reason = std::move(reason);
  return fetched;
}

flow::WhyFacts missing(Millis since) {
  flow::WhyFacts gone = at_client();
  gone.job.missing_since = kNow - since;
  return gone;
}

flow::WhyFacts troubled(flow::WhyFacts facts, std::string reason, int attempt = 0) {
  facts.job.reason = std::move(reason);
  facts.job.version.attempt = attempt;
  return facts;
}

flow::WhyFacts counted(Counts counts) {
  flow::WhyFacts held = leased(kBatch, "RUNNING");
  held.counts = counts;
  return held;
}

// "code: sentence | next +seconds | allowed moves"
std::string shown(const flow::WhyFacts& facts) {
  const flow::Why why = flow::explain(facts, flow::Settings{});
  std::string text = why.code + ": " + why.because;
  if (!why.next.empty()) text += " | " + why.next;
  if (why.next_at) text += " +" + std::to_string((*why.next_at - kNow) / 1s);
  text += " |";
  for (const std::string& move : why.allowed) text += " " + move;
  return text;
}

}  // namespace

TEST_CASE("why: each kind of trouble at a client has its own words") {
  flow::WhyFacts fresh = facts(kBook, "queued");
  CHECK(shown(fresh) ==
        "not_handed_over: no worker has handed it to the client yet | "
        "handing it over +5 | cancel pause");
  CHECK(
      shown(with_intent(fresh, "hand_over")) ==
      "hand_over: the client has not confirmed that it took it | haul asks the client +5 | cancel");
  fresh.job.handle = "hash";
  CHECK(shown(fresh) ==
        "waiting_for_client: the client has it, but has not started it | "
        "haul asks the client +5 | cancel");
  CHECK(shown(at_client()) ==
        "downloading: the client is fetching it | haul asks the client +5 | cancel");
  CHECK(shown(at_client("client_unreachable")) ==
        "cannot_look: the client does not answer; haul waits for it (client_unreachable) | "
        "haul asks the client +5 | cancel");
  CHECK(
      shown(at_client("client_odd")) ==
      "cannot_look: haul could not ask the client (client_odd) | haul asks the client +5 | cancel");
  flow::WhyFacts off = troubled(facts(kBook, "queued"), "client_unreachable");
  CHECK(shown(off) ==
        "cannot_look: the client does not answer; haul waits for it (client_unreachable) | "
        "handing it over +5 | cancel pause");
  CHECK(shown(with_intent(off, "hand_over")) ==
        "hand_over: the client does not answer; haul waits for it (client_unreachable) | "
        "haul asks the client +5 | cancel");
  CHECK(shown(at_client("asset_pending")) ==
        "asset_pending: the client says finished, but the file is not where it should be | "
        "haul asks the client +5 | cancel");
  CHECK(shown(with_intent(at_client(), "cancel")) ==
        "cancel_asked: the client must confirm that it stopped | haul asks the client +5 |");
  flow::WhyFacts no_client = with_intent(at_client("not_configured"), "cancel");
  no_client.job.detail = "configure engine.x.url";
  CHECK(shown(no_client) ==
        "cancel_asked: the client must confirm that it stopped, but is not configured: "
        "configure engine.x.url | haul asks the client +5 |");
}

TEST_CASE("why, Z-1: the grace that is left is told to the second, and never below zero") {
  CHECK(flow::explain(missing(0s), {}).because == "the client does not know it; grace 60 s left");
  CHECK(flow::explain(missing(18s), {}).because == "the client does not know it; grace 42 s left");
  CHECK(flow::explain(missing(59'001ms), {}).because ==
        "the client does not know it; grace 1 s left");
  CHECK(flow::explain(missing(90s), {}).because == "the client does not know it; grace 0 s left");
}

TEST_CASE("why: a leased job tells of its worker, its items and what it waits for") {
  CHECK(shown(leased(kRelay, "STREAMING")) ==
        "working: a worker works on it (land) | the external service answers | pause");
  CHECK(shown(leased(kRelay, "STREAMING", 4s)).starts_with("working"));
  CHECK(shown(leased(kRelay, "STREAMING", 5s)) ==
        "worker_silent: its worker sent no heartbeat for 5 s | "
        "haul rescues the worker's jobs +25 | pause");
  CHECK(shown(with_intent(leased(kRelay, "STREAMING"), "chat_send", IntentState::unknown))
            .starts_with("outcome_unknown: "));
  CHECK(shown(counted({.total = 3})) ==
        "enumerating: 3 items found so far | the rest of the list | cancel pause");
  CHECK(shown(counted({.total = 9, .downloaded = 2, .failed = 1, .enumerated = true})) ==
        "transferring: 3 of 9 items processed, 1 failed | the remaining items | cancel pause");
  CHECK(shown(with_intent(leased(kBatch, "RUNNING"), "cancel")) ==
        "cancel_asked: its worker must stop the transfers first | its worker's next check |");
  CHECK(shown(with_intent(leased(kBatch, "RUNNING"), "pause")) ==
        "pause_asked: its worker must stop its work first | its worker's next check | cancel "
        "resume");
}

TEST_CASE("why: a running batch names its closed host, its retries, its slow item or the limit") {
  const Counts some{.total = 9, .downloaded = 2, .enumerated = true};
  const std::string done = "2 of 9 items processed, 0 failed";
  flow::WhyFacts at_gate = counted(some);
  at_gate.gate = {.host = "h.example", .use = {.held = 2}, .holders = {{3}, {4}}};
  CHECK(shown(at_gate) == "waiting_for_host: " + done +
                              "; items wait for host h.example, which serves 2 of 2 requests | "
                              "a free slot at the host | cancel pause");
  CHECK(flow::explain(at_gate, {}).holders == std::vector<JobId>{{3}, {4}});

  flow::WhyFacts retries = counted(some);
  retries.retry = {.items = 2, .name = "a.bin", .reason = "http_503", .at = kNow + 4s};
  const std::string told = done +
                           "; 2 items wait for another try (http_503) | "
                           "another try of a.bin +4 | cancel pause";
  CHECK(shown(retries) == "backoff: " + told);
  retries.moves = true;
  CHECK(shown(retries) == "transferring: " + told);

  flow::WhyFacts slow = counted(some);
  slow.moves = true;
  slow.live = {.still_item = "b.bin", .still_for = 29'999ms};
  CHECK(shown(slow).starts_with("transferring: "));
  slow.live.still_for = 30s;
  CHECK(shown(slow) == "slow_item: " + done +
                           "; b.bin has received no byte for 30 s | "
                           "its next bytes, or another try of it | cancel pause");

  flow::WhyFacts limited = counted(some);
  limited.moves = true;
  limited.live = {.speed = 799, .speed_limit = {.per_second = 1'000}};
  CHECK(shown(limited).starts_with("transferring: "));
  limited.live.speed = 800;
  CHECK(shown(limited).starts_with("speed_limited: "));
  limited.live.speed_limit = {.per_second = 1'000, .window = 2, .until = from_unix_ms(1'000)};
  CHECK(shown(limited).find("the speed limit of 1000 bytes per second "
                            "(transfer.speed_schedule[2], until 1970-01-01T00:00:01.000Z)") !=
        std::string::npos);
  limited.live.speed_limit = {};
  CHECK(shown(limited).starts_with("transferring: "));
}

TEST_CASE("why: a job that waits under its lease says for what, and until when if that is known") {
  flow::WhyFacts film = troubled(leased(kMedia, "imported"), "not_indexed");
  CHECK(shown(film) ==
        "not_proven: the media server does not list exactly this file yet | "
        "haul asks the media server +5 | cancel pause");
  film.job.due_at = kNow - 1s;
  CHECK(shown(film) ==
        "not_proven: the media server does not list exactly this file yet | "
        "haul asks the media server | cancel pause");

  film = troubled(leased(kMedia, "imported"), "http_401");
  CHECK(shown(film) ==
        "waiting: its worker waits before it goes on (http_401) | haul checks again +5 | "
        "cancel pause");
  film.job.due_at = kNow;
  CHECK(shown(film).starts_with("working: "));
  flow::WhyFacts batch = troubled(counted({.total = 3}), "host_wait");
  CHECK(shown(batch).starts_with("enumerating: "));
}

TEST_CASE("why: what a film waits for says what fixes it, with and without a lease") {
  const auto both = [](const char* state, const char* reason) {
    const std::string held = shown(troubled(leased(kMedia, state), reason));
    CHECK(shown(troubled(facts(kMedia, state), reason)) == held);
    return held.substr(0, held.find(" | "));
  };
  CHECK(both("imported", "server_unreachable") ==
        "server_unreachable: the media server does not answer; check that it runs and that its "
        "address is right");
  CHECK(both("completed", "server_refused_token") ==
        "server_refused_token: the media server refuses haul's token; configure a new one");
  CHECK(both("imported", "seeding") ==
        "seeding: the client still shares it: its share limits are not reached");
  CHECK(both("completed", "cannot_parse") ==
        "cannot_parse: its name does not say which film or episode it is; say it: haul import 7 "
        "--as S01E02");
  CHECK(both("completed", "ambiguous").ends_with("haul import 7 --file PATH=S01E02"));
  CHECK(both("completed", "two_for_one_target").ends_with("haul import 7 --file PATH=skip"));
  CHECK(both("completed", "no_video").ends_with("haul import 7 --dry-run says why"));
  CHECK(both("completed", "no_library").starts_with("no_library: no library is configured"));
  CHECK(both("completed", "destination_taken").ends_with("then run haul import 7"));
  CHECK(both("completed", "path_not_mapped").ends_with("add one to the configuration"));
}

TEST_CASE("why, Z-31: a film that is held back under its lease says so until an admin clears it") {
  flow::WhyFacts film = troubled(leased(kMedia, "imported"), "restored");
  film.is_restored = true;
  CHECK(shown(film).starts_with("restored: "));
  CHECK(shown(with_intent(film, "cancel")).starts_with("cancel_asked: "));

  film.is_restored = false;
  CHECK(shown(film) == "scheduled: it is not due yet | haul checks again +5 | cancel pause");
  film.job.due_at = kNow;
  CHECK(shown(film).starts_with("working: "));
}

TEST_CASE("why: a job that waits says for what, and until when") {
  flow::WhyFacts due = facts(kBatch, "PENDING");
  CHECK(shown(due) == "scheduled: it is not due yet | a worker takes it +5 | cancel pause");
  due.job.due_at = kNow;
  CHECK(shown(due) ==
        "ready: it is due and waits for a worker | a worker takes it +0 | cancel pause");
  due.job.paused = true;
  CHECK(shown(due) == "paused: a user paused it | nothing, until it is resumed | cancel resume");
  due.own_pause = due.job.reason = "delivery_unknown";
  due.job.detail = "it may have arrived";
  CHECK(shown(due) ==
        "paused: haul paused it and asks you (delivery_unknown): it may have arrived | nothing, "
        "until it is resumed | cancel resume");
  CHECK(shown(troubled(facts(kBatch, "PENDING"), "disk_full")) ==
        "disk_full: the disk that its files go to is full; make room | haul checks again +5 | "
        "cancel pause");
  CHECK(shown(troubled(facts(kRelay, "QUEUED"), "server_error", 2)) ==
        "backoff: attempt 2 of 3 failed (server_error) | another try +5 | cancel pause");
  CHECK(shown(troubled(facts(kImage, "failed"), "timeout", 1)) ==
        "backoff: attempt 1 of 3 failed (timeout) | another try +5 | pause");
  CHECK(shown(troubled(facts(kMedia, "imported"), "not_indexed")) ==
        "not_proven: the media server does not list exactly this file yet | "
        "haul asks the media server +5 | cancel pause");
  CHECK(shown(troubled(facts(kMedia, "imported"), "not_proven")) ==
        "not_proven: the media server does not list exactly this file yet | "
        "haul asks the media server +5 | cancel pause");
  flow::WhyFacts at_host = troubled(facts(kBatch, "PENDING"), "host_wait");
  at_host.job.lane = "h.example";
  CHECK(shown(at_host) ==
        "host_wait: it waits for its host h.example | a worker takes it +5 | cancel pause");
  CHECK(shown(troubled(facts(kRelay, "QUEUED"), "not_indexed"))
            .starts_with("environment: haul's environment has a problem (not_indexed)"));
  CHECK(shown(troubled(facts(kMedia, "imported"), "disk_full")) ==
        "disk_full: the disk that its files go to is full; make room | "
        "haul checks again +5 | cancel pause");
}

TEST_CASE("why: a job that has not started at its client waits for it, whatever its state's name") {
  static constexpr State kStates[] = {
      {"asked", End::open, Step::transfer, row::Leased::no, 0s, row::kStay, "lost", row::kStay,
       row::kRefused},
      {"coming", End::open, Step::transfer, row::Leased::no, 0s, row::kStay, "lost", row::kStay,
       row::kRefused},
      {"there", End::good},
      {"lost", End::bad},
  };
  static constexpr Move kMoves[] = {
      {{"asked"}, On::started, By::worker, "coming", "test"},
      {{"coming"}, On::landed, By::worker, "there", "test", {.needs = Proof::evidence}},
      {{"asked", "coming"}, On::fail, By::worker, "lost", "test"},
  };
  static constexpr Lifecycle kErrand{.name = "errand", .states = kStates, .moves = kMoves};
  const auto code = [](const Lifecycle& table, const char* state) {
    flow::WhyFacts at = facts(table, state);
    at.job.handle = "hash";
    return flow::explain(at, {}).code;
  };

  CHECK(code(kErrand, "asked") == "waiting_for_client");
  CHECK(code(kErrand, "coming") == "downloading");
  for (const Lifecycle* table : {&kBook, &kMedia}) {
    CHECK(code(*table, "queued") == "waiting_for_client");
    CHECK(code(*table, "downloading") == "downloading");
  }
}

TEST_CASE("why: a job that waits for one of its kind to end names the limit and its setting") {
  flow::WhyFacts image = facts(kImage, "queued");
  image.job.due_at = kNow;
  image.limits = {.most = {.at_once = 2, .per_owner = 1},
                  .names = {.at_once = "image.at_once", .per_owner = "image.per_owner"},
                  .running = {{3}},
                  .running_of_owner = {}};
  CHECK(shown(image).starts_with("ready: "));

  image.limits.running_of_owner = {{3}};
  CHECK(shown(image) ==
        "per_owner_reached: 1 of its owner's jobs of this kind runs, and at most 1 may "
        "(image.per_owner) | its turn, when one of them ends | pause");
  CHECK(flow::explain(image, {}).holders == std::vector<JobId>{{3}});

  image.limits.running = {{3}, {4}};
  CHECK(shown(image) ==
        "at_once_reached: 2 of these jobs run, and at most 2 may (image.at_once) | its turn, when "
        "one of them ends | pause");
  CHECK(flow::explain(image, {}).holders == std::vector<JobId>{{3}, {4}});

  image.limits.names = {};
  CHECK(flow::explain(image, {}).because == "2 of these jobs run, and at most 2 may");
  image.job.due_at = kNow + 1s;  // It waits for its own time first.
  CHECK(shown(image).starts_with("scheduled: "));
}

TEST_CASE("why: which jobs of a kind run, and whose, is read from the store") {
  Bench b;
  const flow::LifecycleWork work[] = {{.lifecycle = &kImage,
                                       .make_handler = {},
                                       .limits = {.at_once = 2, .per_owner = 1},
                                       .limit_names = {"image.at_once", "image.per_owner"}}};
  const WorkerId worker = b.store().workers().enlist("test", b.now());
  const JobId first = b.add(kImage);
  const JobId second = b.add(kImage);
  CHECK(flow::explain(b.store(), second, b.now(), {}, work)->code == "ready");

  const ClaimRequest one{.lifecycle = &kImage, .lane = {}, .worker = worker};
  REQUIRE(b.store().jobs().claim_all({&one, 1}, b.now()).size() == 1);
  const auto why = flow::explain(b.store(), second, b.now(), {}, work);

  CHECK(why->code == "per_owner_reached");
  CHECK(why->because.find("(image.per_owner)") != std::string::npos);
  CHECK(why->holders == std::vector<JobId>{first});
}

TEST_CASE("why: an ended job says how it ended, and whether it can be tried again") {
  flow::WhyFacts batch = facts(kBatch, "COMPLETED");
  CHECK(shown(batch) ==
        "nothing_arrived: it is done, but it found nothing to fetch | retry delete");
  batch.counts = {.total = 1, .skipped = 1, .enumerated = true};
  CHECK(shown(batch) == "arrived: it is done | delete");
  batch.counts = {.total = 2, .downloaded = 1, .skipped = 1, .enumerated = true};
  CHECK(shown(batch) == "arrived: it is done | delete");
  batch.counts = {.total = 2, .downloaded = 1, .failed = 1, .enumerated = true};
  CHECK(shown(batch) == "arrived_in_part: it is done, but 1 of 2 items failed | retry delete");
  batch.counts = {.total = 2, .failed = 2, .enumerated = true};
  CHECK(shown(batch) == "nothing_arrived: it is done, but 2 of 2 items failed | retry delete");
  CHECK(shown(facts(kBook, "canceled")) == "stopped: it was stopped | delete");
  CHECK(shown(troubled(facts(kBook, "failed"), "missing_external_job")) ==
        "failed: it failed (missing_external_job) | retry delete");
  CHECK(shown(troubled(facts(kMedia, "failed"), "gone")) ==
        "failed: it failed (gone) | retry delete");
  CHECK(shown(troubled(facts(kImage, "dead_letter"), "timeout")) ==
        "failed: it failed (timeout) | retry delete");
}

TEST_CASE("why, S1-13: stuck is strictly longer than the state allows") {
  flow::WhyFacts queued = facts(kMedia, "queued");
  queued.job.moved_at = kNow - 1h;
  CHECK_FALSE(flow::explain(queued, {}).stuck);

  queued.job.moved_at -= 1ms;
  CHECK(flow::explain(queued, {}).stuck);
  CHECK_FALSE(flow::explain(queued, {.stuck = {{"media", "queued", 2h}}}).stuck);
  CHECK_FALSE(flow::explain(queued, {.stuck = {}}).stuck);
}

TEST_CASE("why: the text escapes what came from outside, and the JSON has every field") {
  flow::WhyFacts hostile = troubled(facts(kBook, "failed"), "x\x1b[2J");
  hostile.job.detail = "a\nb";

  const std::string text = to_text(flow::explain(hostile, {}), kNow);
  const std::string json = api::to_json(flow::explain(hostile, {}));

  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("a\\u{a}b") != std::string::npos);
  CHECK(json.starts_with(R"({"job":7,"lifecycle":"book","state":"failed","since":)"));
  CHECK(json.ends_with(
      R"("next":null,"next_at":null,"stuck":false,"holders":[],"allowed":["retry","delete"]})"));
}

TEST_CASE(
    "Z-30: why names what must be configured, unless a client or worker has the job already") {
  const auto lacking = [](flow::WhyFacts facts) {
    facts.not_ready = "configure engine.x.url";
    return shown(facts);
  };
  const std::string told = "not_configured: haul cannot begin it: configure engine.x.url";
  CHECK(lacking(facts(kBook, "queued")).starts_with(told));
  CHECK(lacking(facts(kBatch, "PENDING")).starts_with(told));
  CHECK(lacking(facts(kMedia, "completed")).starts_with(told));

  CHECK(lacking(leased(kMedia, "completed")).starts_with("working"));
  CHECK(lacking(at_client()).starts_with("downloading"));
  CHECK(lacking(with_intent(facts(kBook, "queued"), "cancel")).starts_with("cancel_asked"));
  CHECK(lacking(facts(kBook, "failed")).starts_with("failed"));
  flow::WhyFacts paused = facts(kBook, "queued");
  paused.job.paused = true;
  CHECK(lacking(paused).starts_with("paused"));
}

TEST_CASE("Z-30: what a lifecycle lacks is asked where it is known, and only of an open job") {
  Bench b;
  const JobId id = b.add(kBook);
  const flow::LifecycleWork work[] = {
      {.lifecycle = &kBook, .make_handler = {}, .not_ready = [](std::string_view) {
         return std::string{"configure engine.x.url"};
       }}};

  CHECK(flow::explain(b.store(), id, b.now(), {}, work)->code == "not_configured");
  CHECK(flow::explain(b.store(), b.add(kBatch), b.now(), {}, work)->code == "ready");
  CHECK(flow::explain(b.store(), b.reach(kBook, "failed"), b.now(), {}, work)->code == "failed");
}

TEST_CASE("why: from the store it is the same, and nothing for a job that is not there") {
  Bench b;
  const JobId id = b.add(kBook);

  CHECK(flow::explain(b.store(), id, b.now(), {})->code == "not_handed_over");
  CHECK_FALSE(flow::explain(b.store(), JobId{99}, b.now(), {}));
}
