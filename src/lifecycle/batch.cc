// A batch: one URL, many items, three engines (document 002).

#include "lifecycle/batch_request.h"
#include "lifecycle/check.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace std::chrono_literals;
using namespace row;
using enum Step;
using enum Leased;

// clang-format off
constexpr State kStates[] = {
    // name       end        step      leased  stuck  on_fault  on_fail   on_lost    on_cancel
    {"PENDING",   End::open, claim,    no,     0s,    kNever,   kNever,   kNever,    "CANCELLED"},
    {"RUNNING",   End::open, transfer, yes,    0s,    kStay,    "FAILED", "PENDING", "CANCELLED"},
    {"COMPLETED", End::good},
    {"FAILED",    End::bad},
    {"CANCELLED", End::stopped},
};

constexpr Move kMoves[] = {
    // from       on           by          to           origin                           terms
    {{"PENDING"}, On::claim,   By::worker, "RUNNING",   "002 Job Rules",
     {.effects = {Effect::set_started, Effect::note_started}}},
    {{"PENDING"}, On::cancel,  By::user,   "CANCELLED", "002 Job Rules",
     {.guards = {Guard::owner_or_admin},
      .effects = {Effect::cancel_items, Effect::note_cancelled, Effect::note_done,
                  Effect::clear_parts}}},
    {{"RUNNING"}, On::done,    By::worker, "COMPLETED", "002 Job Rules, A2-1",
     {.guards = {Guard::every_item_processed}, .effects = {Effect::note_done}}},
    {{"RUNNING"}, On::fail,    By::worker, "FAILED",    "002 Job Rules, Z-7",
     {.effects = {Effect::end_items, Effect::note_error, Effect::note_done,
                  Effect::clear_parts}}},
    {{"RUNNING"}, On::cancel,  By::user,   "CANCELLED", "002 Cancellation Contract",
     {.guards = {Guard::owner_or_admin},
      .effects = {Effect::cancel_items, Effect::note_cancelled, Effect::note_done,
                  Effect::clear_parts}}},
    {{"RUNNING"}, On::lost,    By::system, "PENDING",   "002 Crash Recovery, A2-4, Z-7",
     {.guards = {Guard::attempt_left},
      .effects = {Effect::count_attempt, Effect::return_items, Effect::note_error},
      .bound = Bound::attempt}},
    {{"RUNNING"}, On::release, By::system, "PENDING",   "Z-8",
     {.effects = {Effect::return_items}, .bound = Bound::shutdown}},
};

constexpr ReasonWords kReasons[] = {
    {"host_wait", "host_wait", "it waits for its host {lane}", "a worker takes it"},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "batch",
    .states = kStates,
    .moves = kMoves,
    .request = {kBatchFields, check_batch_request},
    .items = &kItem,
    .add = {.effects = {Effect::note_added}},
    .again = {{"COMPLETED", "FAILED", "CANCELLED"}, KeyScope::while_open},  // Z-8
    .lane = LaneBy::host,
    .attempts_max = 5,  // Z-7: the fifth lost worker ends the job.
    .reasons = kReasons,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kBatch = kTable;

}  // namespace haul
