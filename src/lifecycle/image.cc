// A paid call to an image API (document 004).

#include "lifecycle/check.h"
#include "lifecycle/request_values.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace std::chrono_literals;
using namespace row;
using enum FieldType;
using enum Step;
using enum Leased;

// clang-format off
constexpr RequestField kImageFields[] = {
    {"prompt", lines, "What the image shows", kRequired, 1, 32'768},
    RequestField{"params", any, "Parameters of the provider", kOptional, 0, 65'536}
        .beginning_as("{}"),  // Z-15
};

constexpr State kStates[] = {
    // name         end        step      leased stuck  on_fault  on_fail        on_lost   on_cancel
    {"queued",      End::open, claim,    no,    0s,    kNever,   kNever,        kNever,   kRefused},
    {"running",     End::open, transfer, yes,   1h,    "failed", "failed",      "failed", kRefused},
    {"failed",      End::open, wait,     no,    0s,    kNever,   "dead_letter", kNever,   kRefused},
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
    .request = {kImageFields},
    .add = {.guards = {Guard::credit_left}, .effects = {Effect::reserve_credit}},
    .again = {{"dead_letter"}, KeyScope::forever},  // It is paid again, but only once.
    .key = {KeyScope::window, KeyForm::array, {"owner", "prompt", "params", "minute"}},  // Z-15
    .attempts_max = 3,
    .backoff = {.base = 2s, .cap = 300s},  // A4-5
    .when_restored = WhenRestored::waits,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kImage = kTable;

}  // namespace haul
