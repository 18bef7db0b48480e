// One file of a batch (document 002). Its job's lease covers it: what happens to a job that is
// lost, released or cancelled happens to its items by the effects of the job's move.

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
    // name         end        step      leased  stuck  on_fault  on_fail   on_lost    on_cancel
    {"PENDING",     End::open, claim,    no,     0s,    kNever,   kNever,   kNever,    kNever},
    {"DOWNLOADING", End::open, transfer, no,     0s,    kStay,    "FAILED", kNever,    kNever},
    {"COMPLETED",   End::good},
    {"FAILED",      End::bad},
    {"SKIPPED",     End::good},
    {"CANCELLED",   End::stopped},
};

constexpr Move kMoves[] = {
    // from                      on           by          to             origin                terms
    {{"PENDING"},                On::start,   By::worker, "DOWNLOADING", "002 Item Rules"},
    {{"PENDING"},                On::skip,    By::worker, "SKIPPED",     "002 Item Rules",
     {.guards = {Guard::filtered_out}}},
    {{"DOWNLOADING"},            On::landed,  By::worker, "COMPLETED",   "002 Item Rules",
     {.guards = {Guard::file_exists}, .needs = Proof::evidence}},
    {{"DOWNLOADING"},            On::fail,    By::worker, "FAILED",      "002 Item Rules"},
    {{"PENDING", "DOWNLOADING"}, On::cancel,  By::user,   "CANCELLED",   "002 Item Rules, A2-3"},
    {{"DOWNLOADING"},            On::lost,    By::system, "PENDING",     "Z-7",
     {.bound = Bound::attempt}},
    {{"DOWNLOADING"},            On::release, By::system, "PENDING",     "Z-7",
     {.bound = Bound::shutdown}},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "item",
    .states = kStates,
    .moves = kMoves,
    .attempts_max = 5,        // 002 Retry Policy
    .backoff = {.base = 1s},  // S2-21, A2-11
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kItem = kTable;

}  // namespace haul
