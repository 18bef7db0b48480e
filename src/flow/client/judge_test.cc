// What a client's answer means for a book or a film (document 000, Z-1 to Z-3).

#include "flow/client/judge.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <vector>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);
const Settings kSettings;

// A job the client has confirmed.
Job job_in(const Lifecycle& table, std::string_view state) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &table, .state = table.find(state)->name};
  job.handle = "hash";
  return job;
}

std::string text_of(const WantedMove& move) {
  std::string text{name(move.on)};
  if (!move.reason.empty()) text += " " + move.reason;
  if (move.due_after) text += fmt::format(" due {}", move.due_after->count());
  for (const AssetFacts& asset : move.assets)
    text += fmt::format(" {}:{}", asset.path, asset.size.value_or(-1));
  if (!move.result.empty()) text += " result " + move.result;
  if (move.proof.kind != Proof::none) text += " " + move.proof.data;
  return text;
}

std::string text_of(const Observed& seen) {
  std::string text = "seen";
  if (seen.look_after) text += fmt::format(" {}", seen.look_after->count());
  if (seen.mark == Mark::set) text += " set";
  if (seen.mark == Mark::clear) text += " clear";
  if (seen.reason && !seen.reason->empty()) text += " " + *seen.reason;
  if (seen.detail && !seen.detail->empty()) text += fmt::format(" ({})", *seen.detail);
  return text;
}

// "started > landed /d/1:10; seen 15000 clear": all of a verdict.
std::string text_of(const Verdict& verdict) {
  std::string text;
  for (const WantedMove& move : verdict.moves) text += (text.empty() ? "" : " > ") + text_of(move);
  if (verdict.observed) text += (text.empty() ? "" : "; ") + text_of(*verdict.observed);
  if (verdict.release_after) text += fmt::format("release {}", verdict.release_after->count());
  return text;
}

std::string judged(const Job& job, const What& what) {
  return text_of(judge_client({.job = job, .now = kNow}, what, kSettings));
}

// The verdict on a missing job whose mark is `by_wall` old and known to this process for `here`.
std::string missing(std::optional<Millis> by_wall, std::optional<Millis> here = {}) {
  Job job = job_in(kBook, "downloading");
  if (by_wall) job.missing_since = kNow - *by_wall;
  return text_of(judge_missing({.job = job, .now = kNow, .marked_for = here}, kSettings));
}

std::string handed_over(int failures, FaultKind kind) {
  const Job job = job_in(kBook, "queued");
  const ClientView view{.job = job, .now = kNow, .failed_hand_overs = failures};
  return text_of(judge_hand_over(view, {.fault = {kind, "busy", ""}}, kSettings));
}

constexpr const char* kFailed = "fail missing_external_job";
constexpr const char* kLookAgain = "seen 15000";

}  // namespace

TEST_CASE("S0-3: a queued job starts on an active report only, and is looked at again in 15 s") {
  const Job job = job_in(kBook, "queued");
  CHECK(judged(job, Moving{.have = 1}) == "started due 15000; seen 15000 clear");
  CHECK(judged(job, Moving{}) == "started due 15000; seen 15000 clear");
  CHECK(judged(job, Waiting{.code = "waiting_for_metadata"}) ==
        "seen 15000 clear waiting_for_metadata");
}

TEST_CASE(
    "A0-4: a job that downloads stays so, whether its client moves bytes or queues it again") {
  const Job job = job_in(kBook, "downloading");
  CHECK(judged(job, Moving{.have = 1}) == "seen 15000 clear");
  CHECK(judged(job, Waiting{.code = "queued_in_client"}) == "seen 15000 clear queued_in_client");
}

TEST_CASE("a job whose client is at it without getting bytes says so, and for how long") {
  const Job job = job_in(kBook, "downloading");
  const auto stalled = [&](std::optional<Millis> since) {
    Moving seen{.have = 1};
    seen.stalled = true;
    seen.stalled_for = since;
    return judged(job, seen);
  };
  CHECK(stalled({}) == "seen 15000 clear stalled (no bytes come)");
  CHECK(stalled(119s) == "seen 15000 clear stalled (no bytes for 119 s)");
  CHECK(stalled(14min + 59s) == "seen 15000 clear stalled (no bytes for 14 min)");
}

TEST_CASE("a finished file that is refused says why it is not taken") {
  Finished seen{.path = "/d/1", .size = 10, .in_place = false, .evidence = "{}"};
  seen.why_not = "path_refused";
  CHECK(judged(job_in(kBook, "downloading"), seen) == "seen 15000 clear path_refused");
}

TEST_CASE("Z-2: one finished report with the file in place completes a book, with its evidence") {
  const Finished seen{.path = "/d/1", .size = 10, .evidence = R"({"size":10})"};
  CHECK(judged(job_in(kBook, "downloading"), seen) == R"(landed /d/1:10 {"size":10})");
}

TEST_CASE("A0-1, A1-5: finished while queued is two moves in one chain, never a jump") {
  const Finished seen{.path = "/d/1", .size = 10, .evidence = "{}"};
  CHECK(judged(job_in(kBook, "queued"), seen) == "started > landed /d/1:10 {}");
  CHECK(judged(job_in(kMedia, "queued"), seen) == "started > fetched result /d/1");
}

TEST_CASE("001: a film is fetched, not landed: its path is kept and nothing is an asset yet") {
  const Finished seen{.path = "/d/1", .size = 10, .evidence = "{}"};
  CHECK(judged(job_in(kMedia, "downloading"), seen) == "fetched result /d/1");
}

TEST_CASE("A0-2: finished, but not seen in its place, waits as asset_pending in either state") {
  const Finished seen{.path = "/d/1", .size = 10, .in_place = false, .evidence = "{}"};
  for (const char* state : {"queued", "downloading"}) {
    CHECK(judged(job_in(kBook, state), seen) == "seen 15000 clear asset_pending");
    CHECK(judged(job_in(kMedia, state), seen) == "seen 15000 clear asset_pending");
  }
}

TEST_CASE("Z-3: an error of the client's fails the job under the client's own reason") {
  for (const char* state : {"queued", "downloading"}) {
    CHECK(judged(job_in(kBook, state), Failed{{FaultKind::permanent, "engine_error", ""}}) ==
          "fail engine_error");
    CHECK(judged(job_in(kMedia, state), Failed{{FaultKind::permanent, "missing_files", ""}}) ==
          "fail missing_files");
  }
}

TEST_CASE("promise 12: a fault of our surroundings is waited for, and the mark is left alone") {
  const What full = Failed{{FaultKind::environment, "disk_full", ""}};
  CHECK(judged(job_in(kBook, "queued"), full) == "seen 15000 disk_full");
  CHECK(judged(job_in(kBook, "downloading"), full) == "seen 15000 disk_full");
}

TEST_CASE("S0-10, Z-1: a client that could not be asked neither sets nor clears a mark") {
  Job job = job_in(kBook, "downloading");
  CHECK(judged(job, Unseen{"client_unreachable"}) == "seen 15000 client_unreachable");

  job.missing_since = kNow - 59s;
  CHECK(judged(job, Unseen{"http_403"}) == "seen 15000 http_403");
  job.missing_since = kNow - 24h;
  CHECK(judged(job, Unseen{"garbage"}) == "seen 15000 garbage");
}

TEST_CASE("S0-8: the first not-found sets the mark, and only the mark") {
  CHECK(missing(std::nullopt) == "seen 15000 set");
}

TEST_CASE("S0-9, Z-1: a mark of 59.999 s keeps the job, one of 60 s fails it, by the wall") {
  CHECK(missing(0ms) == kLookAgain);
  CHECK(missing(59'999ms) == kLookAgain);
  CHECK(missing(60s) == kFailed);
  CHECK(missing(24h) == kFailed);
}

TEST_CASE("Z-1: a mark set here needs 60 s of steady time too, so a clock set forward waits") {
  CHECK(missing(24h, 0ms) == kLookAgain);
  CHECK(missing(24h, 59'999ms) == kLookAgain);
  CHECK(missing(24h, 60s) == kFailed);
  CHECK(missing(60s, 60s) == kFailed);
}

TEST_CASE(
    "promise 6: a clock set back delays: 60 s of steady time are not enough without the wall") {
  CHECK(missing(59'999ms, 24h) == kLookAgain);
  CHECK(missing(1ms, 60s) == kLookAgain);
}

TEST_CASE(
    "promise 6: a mark from the future was made before the clock was set back, and is renewed") {
  CHECK(missing(-1ms) == "seen 15000 set");
  CHECK(missing(-24h * 365, 60s) == "seen 15000 set");
}

TEST_CASE("S0-9: any healthy sight clears the mark, in the middle of the grace and after it") {
  Job job = job_in(kBook, "downloading");
  for (const Millis age : {Millis{1s}, Millis{59'999ms}, Millis{60s}, Millis{24h}}) {
    job.missing_since = kNow - age;
    CHECK(judged(job, Moving{}) == "seen 15000 clear");
    CHECK(judged(job, Waiting{}) == "seen 15000 clear");
  }
}

TEST_CASE("A0-5: before the client confirmed the job, not found means nothing, however long") {
  Job job = job_in(kBook, "queued");
  job.handle.clear();
  CHECK(judged(job, Missing{}) == kLookAgain);
  job.missing_since = kNow - 24h;
  CHECK(judged(job, Missing{}) == kLookAgain);
}

TEST_CASE("S0-6: the second failed hand-over is tried again after 0.6 s, the third fails the job") {
  CHECK(handed_over(1, FaultKind::retryable) == "seen 300 busy");
  CHECK(handed_over(2, FaultKind::retryable) == "seen 600 busy");
  CHECK(handed_over(3, FaultKind::retryable) == "fail busy");
  CHECK(handed_over(4, FaultKind::retryable) == "fail busy");
}

TEST_CASE("S0-6: the table says how often a hand-over is tried; without a limit, always") {
  const auto after = [](int most, int failures) {
    Lifecycle edited = kBook;
    edited.attempts_max = most;
    const Job job = job_in(edited, "queued");
    const ClientView view{.job = job, .now = kNow, .marked_for = {}, .failed_hand_overs = failures};
    return text_of(judge_hand_over(view, {.fault = {FaultKind::retryable, "busy", ""}}, kSettings));
  };
  CHECK(after(2, 1) == "seen 300 busy");
  CHECK(after(2, 2) == "fail busy");
  CHECK(after(4, 3) != "fail busy");
  CHECK(after(0, 100) != "fail busy");
}

TEST_CASE(
    "the row of a queued job says what a failed hand-over does, its table how long it waits") {
  std::vector<State> states{kBook.states.begin(), kBook.states.end()};
  std::vector<Move> moves{kBook.moves.begin(), kBook.moves.end()};
  moves.push_back({{"queued"}, On::requeue, By::worker, "downloading", "test"});
  Lifecycle edited = kBook;
  edited.states = states;
  edited.moves = moves;
  const auto handed = [&](Answer on_fault, FaultKind kind) {
    states.front().on_fault = on_fault;
    const Job job = job_in(edited, "queued");
    const ClientView view{.job = job, .now = kNow, .marked_for = {}, .failed_hand_overs = 2};
    return text_of(judge_hand_over(view, {.fault = {kind, "busy", ""}}, kSettings));
  };
  CHECK(handed(row::kStay, FaultKind::retryable) == "seen 600 busy");
  CHECK(handed(row::kNever, FaultKind::retryable) == "fail busy");
  CHECK(handed("downloading", FaultKind::retryable) == "requeue busy due 300");
  for (const Answer& on_fault : {row::kStay, row::kNever, Answer{"downloading"}}) {
    CHECK(handed(on_fault, FaultKind::permanent) == "fail busy");
    CHECK(handed(on_fault, FaultKind::environment) == "seen 15000 busy");
  }
  edited.backoff.base = 1s;
  CHECK(handed(row::kStay, FaultKind::retryable) == "seen 2000 busy");
}

TEST_CASE("S0-6: a hand-over that cannot work is not tried again") {
  for (const FaultKind kind : {FaultKind::permanent, FaultKind::rejected, FaultKind::cancelled})
    CHECK(handed_over(1, kind) == "fail busy");
}

TEST_CASE("promise 12: a hand-over that our surroundings prevent burns nothing, however often") {
  for (const int failures : {0, 2, 3, 100})
    CHECK(handed_over(failures, FaultKind::environment) == "seen 15000 busy");
}

TEST_CASE("a client that asks haul to wait is left alone for as long, and at most 10 min") {
  const Job queued = job_in(kBook, "queued");
  const auto handed = [&](Millis wait) {
    const ClientView view{.job = queued, .now = kNow, .marked_for = {}, .failed_hand_overs = 1};
    Failed busy{.fault = {FaultKind::retryable, "busy", ""}};
    busy.wait_ms = wait.count();
    return text_of(judge_hand_over(view, busy, kSettings));
  };
  CHECK(handed(299ms) == "seen 300 busy");
  CHECK(handed(301ms) == "seen 301 busy");
  CHECK(handed(1h) == "seen 600000 busy");

  const auto looked = [&](Millis wait) {
    Failed busy{.fault = {FaultKind::retryable, "busy", ""}};
    busy.wait_ms = wait.count();
    return judged(job_in(kBook, "downloading"), busy);
  };
  CHECK(looked(14s) == "seen 15000 busy");
  CHECK(looked(16s) == "seen 16000 busy");
}

TEST_CASE("what a client never says is not an answer") {
  for (const What& odd : std::initializer_list<What>{Planned{}, Landed{}, Sent{}, Indexed{},
                                                     NotIndexed{}, Cleaned{}, Stopped{}})
    CHECK(judged(job_in(kBook, "downloading"), odd).empty());
}

TEST_CASE("a due job is handed over before its client has it, and asked about afterwards") {
  const Job known = job_in(kBook, "queued");
  Job fresh = known;
  fresh.handle.clear();
  CHECK((judge_due({.job = fresh}) == DueAct::hand_over));
  CHECK((judge_due({.job = known}) == DueAct::look));
}

TEST_CASE(
    "Z-30: a job waits for a client that is not configured; one that the client has does not") {
  const Job known = job_in(kMedia, "queued");
  Job fresh = known;
  fresh.handle.clear();
  CHECK((judge_due({.job = fresh, .is_ready = false}) == DueAct::put_off));
  CHECK((judge_due({.job = known, .is_ready = false}) == DueAct::look));
}

TEST_CASE("S0-11: a job that is to be cancelled is neither handed over nor asked about") {
  const Job known = job_in(kBook, "downloading");
  Job fresh = job_in(kBook, "queued");
  fresh.handle.clear();
  CHECK((judge_due({.job = fresh, .cancel_asked = true}) == DueAct::stop));
  CHECK((judge_due({.job = known, .cancel_asked = true}) == DueAct::stop));
  CHECK((judge_due({.job = known, .cancel_asked = true, .is_ready = false}) == DueAct::stop));
}

TEST_CASE("S0-11: a job that its client never got is cancelled without it, unless it is restored") {
  Job fresh = job_in(kBook, "queued");
  fresh.handle.clear();
  const auto judged = [&](bool is_ready, bool is_restored) {
    return judge_due({.job = fresh,
                      .cancel_asked = true,
                      .was_given = false,
                      .is_ready = is_ready,
                      .is_restored = is_restored});
  };
  CHECK((judged(true, false) == DueAct::cancel));
  CHECK((judged(false, false) == DueAct::cancel));
  CHECK((judged(true, true) == DueAct::put_off));
}

TEST_CASE("Z-31: in a restored store a due job is asked about, and nothing else is done to it") {
  const Job known = job_in(kBook, "downloading");
  Job fresh = job_in(kBook, "queued");
  fresh.handle.clear();
  CHECK((judge_due({.job = known, .is_restored = true}) == DueAct::look));
  CHECK((judge_due({.job = fresh, .is_restored = true}) == DueAct::put_off));
  CHECK((judge_due({.job = known, .cancel_asked = true, .is_restored = true}) == DueAct::put_off));
}

TEST_CASE("S0-18: how soon a job is looked at again is a setting") {
  const Job job = job_in(kBook, "downloading");
  const Settings slow{.poll = 1min, .missing_grace = 2min};

  CHECK(text_of(judge_client({.job = job, .now = kNow}, Moving{}, slow)) == "seen 60000 clear");
  Job marked = job;
  marked.missing_since = kNow - 2min + 1ms;
  CHECK(text_of(judge_missing({.job = marked, .now = kNow}, slow)) == "seen 60000");
  marked.missing_since = kNow - 2min;
  CHECK(text_of(judge_missing({.job = marked, .now = kNow}, slow)) == kFailed);
}

}  // namespace haul::flow
