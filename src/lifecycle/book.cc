// A book fetched by a torrent client (document 000).

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
    {"queued",      End::open, transfer, no,     0s,    kStay,    "failed", kStay,   "canceled"},
    {"downloading", End::open, transfer, no,     0s,    kStay,    "failed", kStay,   "canceled"},
    {"completed",   End::good},
    {"failed",      End::bad},
    {"canceled",    End::stopped},
};

constexpr Move kMoves[] = {
    // from                     on           by          to             origin              terms
    {{"queued"},                On::started, By::worker, "downloading", "000 §4",
     {.guards = {Guard::active_report}}},
    {{"downloading"},           On::landed,  By::worker, "completed",   "000 §4, §9",
     {.guards = {Guard::file_in_place}, .needs = Proof::evidence,
      .effects = {Effect::record_asset}}},
    {{"queued", "downloading"}, On::fail,    By::worker, "failed",      "000 §4, Z-1, Z-3"},
    {{"queued", "downloading"}, On::cancel,  By::user,   "canceled",    "000 §4, S0-12",
     {.guards = {Guard::owner_or_admin, Guard::engine_confirmed}}},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "book",
    .states = kStates,
    .moves = kMoves,
    .add = {.effects = {Effect::enter_book}},
    .slot = {"owner", "book_id", "media_type"},  // 000 §6
    .attempts_max = 3,                           // Tries to add the torrent to the client.
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kBook = kTable;

}  // namespace haul
