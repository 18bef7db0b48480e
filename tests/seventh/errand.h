#pragma once
// A seventh lifecycle, defined in this one file: a table, and a handler that a script answers.
// tests/own_lifecycle_test.cc runs it through add, worker, API and descriptions in process, and
// tests/seventh/main.cc through worker, API and page. No line of code elsewhere knows it.

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "flow/worker/answer.h"
#include "flow/worker/worker.h"
#include "lifecycle/tables.h"

namespace haul::testing {
namespace errand {

using namespace std::chrono_literals;
using namespace row;
using enum Step;
using enum Leased;

// clang-format off
inline constexpr RequestField kFields[] = {
    {"parcel", FieldType::text, "What is carried", true, 1, 50},
    {"weight", FieldType::number, "In kilograms", false, 1, 40},
    {"speed", FieldType::text, "How fast it is carried", false, 0, 10, {"slow", "fast"}},
    {"fragile", FieldType::flag, "Whether it breaks easily"},
    {"stops", FieldType::list, "One per line", false, 0, 9},
    {"notes", FieldType::any, "Anything else"},
    RequestField{"map", FieldType::text, "A map on the server", false, 0, 100}
        .used_as(FieldUse::server_file),
};

inline constexpr State kStates[] = {
    // name      end        step      leased  stuck  on_fault   on_fail    on_lost    on_cancel
    {"waiting",  End::open, claim,    no,     0s,    kNever,    kNever,    kNever,    "called_off"},
    {"carrying", End::open, transfer, yes,    1h,    "waiting", "dropped", "waiting", "called_off"},
    {"there",    End::good},
    {"dropped",  End::bad},
    {"called_off", End::stopped},
};

inline constexpr Move kMoves[] = {
    {{"waiting"},  On::claim,   By::worker, "carrying", "test"},
    {{"carrying"}, On::landed,  By::worker, "there",    "test", {.needs = Proof::evidence}},
    {{"carrying"}, On::requeue, By::worker, "waiting",  "test",
     {.guards = {Guard::retryable, Guard::attempt_left}, .effects = {Effect::count_attempt},
      .bound = Bound::attempt}},
    {{"carrying"}, On::fail,    By::worker, "dropped",  "test"},
    {{"carrying"}, On::lost,    By::system, "waiting",  "test",
     {.guards = {Guard::attempt_left}, .effects = {Effect::count_attempt},
      .bound = Bound::attempt}},
    {{"carrying"}, On::release, By::system, "waiting",  "test", {.bound = Bound::shutdown}},
    {{"waiting", "carrying"}, On::cancel, By::user, "called_off", "test",
     {.guards = {Guard::owner_or_admin}}},
};
// clang-format on

}  // namespace errand

inline constexpr Lifecycle kErrand{
    .name = "errand",
    .states = errand::kStates,
    .moves = errand::kMoves,
    .request = {errand::kFields},
    .key = {KeyScope::while_open, KeyForm::array, {"owner", "parcel"}},
    .attempts_max = 2,
    .backoff = {.base = Millis{10'000}, .jitter = 0},
};

struct Carrying final : flow::HandlerState {
  bool waits = true;
};

// Carries nothing: notes what it is asked ("begin 1", "stop 1"), and a script answers with sights.
class ErrandHandler final : public flow::Handler {
 public:
  using Note = std::function<void(const std::string& call)>;

  ErrandHandler(flow::Desk& desk, Note note) : desk_{desk}, note_{std::move(note)} {}

  const Lifecycle& lifecycle() const override { return kErrand; }
  void begin(flow::Held& held) override {
    held.own = std::make_unique<Carrying>();
    note("begin", held);
  }
  void see(flow::Held& held, Sight& sight) override {
    static_cast<Carrying&>(*held.own).waits = false;
    if (std::holds_alternative<Finished>(sight.what))
      desk_.ask(held.job, {.moves = {{.on = On::landed, .proof = {Proof::evidence, "{}"}}}});
    else if (const auto* failed = std::get_if<Failed>(&sight.what))
      desk_.ask(held.job, flow::answer(held.job, failed->fault, desk_.settings, 0.5));
  }
  void stop(flow::Held& held, Leftovers) override {
    if (!is_at_rest(held)) note("stop", held);
  }
  bool is_at_rest(const flow::Held& held) const override {
    return !static_cast<const Carrying&>(*held.own).waits;
  }

 private:
  void note(const char* verb, const flow::Held& held) {
    note_(fmt::format("{} {}", verb, held.job.version.id.value));
  }

  flow::Desk& desk_;
  const Note note_;
};

// The entry of the list that worker and API share. `lacks` says what must be configured first.
inline flow::LifecycleWork errand_work(
    ErrandHandler::Note note, std::function<std::string()> lacks = [] { return std::string{}; }) {
  return {
      .lifecycle = &kErrand,
      .make_handler = [note = std::move(note)](
                          flow::Desk& desk) { return std::make_unique<ErrandHandler>(desk, note); },
      .not_ready = [lacks = std::move(lacks)](std::string_view) { return lacks(); }};
}

// The script's answer about a job, under the lease that it has now.
inline void tell(flow::Worker& worker, Store& store, JobId id, What what) {
  worker.inbox().push(
      {.job = id, .fence = store.reader().find(id)->version.fence, .what = std::move(what)});
}

}  // namespace haul::testing
