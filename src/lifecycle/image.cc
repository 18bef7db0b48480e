// A paid call to an image API (document 004).

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
    // name         end        step      leased stuck  on_fault  on_fail        on_lost   on_cancel
    {"queued",      End::open, claim,    no,    0s,    kStay,    "rejected",    kStay,    kRefused},
    {"running",     End::open, transfer, yes,   0s,    "failed", "failed",      "failed", kRefused},
    {"failed",      End::open, wait,     no,    0s,    kStay,    "dead_letter", kStay,    kRefused},
    {"completed",   End::good},
    {"rejected",    End::bad},
    {"dead_letter", End::bad},
};

constexpr Move kMoves[] = {
    // from       on           by          to             origin                  terms
    {{"queued"},  On::claim,   By::worker, "running",     "004 §2B",
     {.effects = {Effect::set_started}}},
    {{"queued"},  On::reject,  By::worker, "rejected",    "004 §1, A4-1, A4-2",
     {.effects = {Effect::refund_credit}}},
    {{"running"}, On::landed,  By::worker, "completed",   "004 §2C, S4-7",
     {.needs = Proof::evidence, .effects = {Effect::record_asset, Effect::spend_credit}}},
    {{"running"}, On::fail,    By::worker, "failed",      "004 §2D",
     {.effects = {Effect::count_attempt}}},
    {{"running"}, On::reject,  By::worker, "rejected",    "004 §2E",
     {.effects = {Effect::spend_credit, Effect::audit_block}}},
    {{"running"}, On::lost,    By::system, "failed",      "S4-15",
     {.effects = {Effect::count_attempt}}},
    {{"failed"},  On::requeue, By::timer,  "queued",      "004 §2D, A4-3",
     {.guards = {Guard::attempt_left}, .bound = Bound::attempt}},
    {{"failed"},  On::give_up, By::timer,  "dead_letter", "004 §2D, A4-3, S4-14",
     {.guards = {Guard::spent_or_permanent}, .effects = {Effect::refund_credit, Effect::free_key}}},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "image",
    .states = kStates,
    .moves = kMoves,
    .add = {.guards = {Guard::prompt_allowed, Guard::credit_left},
            .effects = {Effect::reserve_credit}},
    .key = {KeyScope::window, {"owner", "prompt", "params", "minute"}},  // Z-15
    .attempts_max = 3,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kImage = kTable;

}  // namespace haul
