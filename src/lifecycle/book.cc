// A book fetched by a torrent client (document 000).

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
constexpr RequestField kBookFields[] = {
    RequestField{"book_id", text, "Book id; haul adds an unknown book", kRequired, 1, 200, {},
                 wrong_with_book_id}.used_as(FieldUse::book),
    RequestField{"title", text, "Title of the book", kOptional, 0, 1'000}
        .used_as(FieldUse::book_title),
    {"media_type", text, "Text or audio", kRequired, 1, 10, {"text", "audio"}},
    {"uri",        text, "A magnet link, or the URL of a .torrent file", kRequired, 1, kUriMax,
                   {}, wrong_with_uri},
    {"source",     text, "Code of the provider", kRequired, 1, 200},
    {"source_url", text, "Page where it was found", kOptional, 0, kUriMax, {}, wrong_with_address},
    {"delete_files_on_cancel", flag, "Whether a cancel also deletes the downloaded files"},
};

constexpr State kStates[] = {
    // name         end        step      leased  stuck  on_fault  on_fail   on_lost  on_cancel
    {"queued",      End::open, transfer, no,     0s,    kStay,    "failed", kNever,  "canceled"},
    {"downloading", End::open, transfer, no,     0s,    kStay,    "failed", kNever,  "canceled"},
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
    .request = {kBookFields},
    .add = {.effects = {Effect::enter_book}},
    // 000 §4: failed is final, so a retry is a new job.
    .again = {{"failed"}, KeyScope::while_open},
    .slot = {"owner", "book_id", "media_type"},  // 000 §6
    .attempts_max = 3,                           // Tries to add the torrent to the client.
    .backoff = {.base = 300ms},                  // S0-6
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kBook = kTable;

}  // namespace haul
