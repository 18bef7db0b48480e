// A film or episode: fetched, imported, proven by a media server, cleaned (document 001).

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
    // name         end        step      leased  stuck  on_fault  on_fail   on_lost  on_cancel
    {"queued",      End::open, transfer, no,     1h,    kStay,    "failed", kStay,   "failed"},
    {"downloading", End::open, transfer, no,     24h,   kStay,    "failed", kStay,   "failed"},
    {"completed",   End::open, land,     yes,    1h,    kStay,    "failed", kAdopt,  "failed"},
    {"imported",    End::open, verify,   yes,    24h,   kStay,    "failed", kAdopt,  "failed"},
    {"cleaned",     End::good},
    {"failed",      End::bad},
};

constexpr StateSet kLive{"queued", "downloading", "completed", "imported"};

constexpr Move kMoves[] = {
    // from           on            by          to             origin                    terms
    {{"queued"},      On::started,  By::worker, "downloading", "001 Valid Transitions",
     {.guards = {Guard::active_report}}},
    {{"downloading"}, On::fetched,  By::worker, "completed",   "001 Valid Transitions"},
    {{"completed"},   On::landed,   By::worker, "imported",    "001 Cleanup Flow",
     {.guards = {Guard::import_durable, Guard::server_told}, .needs = Proof::evidence,
      .effects = {Effect::record_asset}}},
    {{"imported"},    On::verified, By::worker, "cleaned",     "001 Cleanup Flow",
     {.needs = Proof::receipt}},
    {{"imported"},    On::unneeded, By::worker, "cleaned",     "001 Cleanup Flow, A1-2",
     {.guards = {Guard::cleanup_disabled}}},
    {kLive,           On::fail,     By::worker, "failed",      "001 Valid Transitions"},
    {kLive,           On::cancel,   By::user,   "failed",      "A1-7",
     {.guards = {Guard::owner_or_admin}}},
    {{"failed"},      On::retry,    By::user,   "queued",      "001 Valid Transitions",
     {.effects = {Effect::count_attempt, Effect::forget_transfer}, .bound = Bound::human}},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "media",
    .states = kStates,
    .moves = kMoves,
    .key = {KeyScope::while_open, {"title", "release_name"}},
    .attempts_max = 5,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kMedia = kTable;

}  // namespace haul
