// A film or episode: fetched, imported, proven by a media server, cleaned (document 001).

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
constexpr RequestField kMediaFields[] = {
    {"kind",         text,   "Movie or series", kOptional, 0, 10, {"movie", "series"}},
    {"title",        text,   "Title of the film or series", kRequired, 1, 1'000},
    {"year",         number, "Year of release", kOptional, 1'800, 2'200},
    {"season",       number, "Season of a series", kOptional, 0, 9'999},
    {"episode",      number, "Episode of a season", kOptional, 0, 99'999},
    {"quality",      text,   "Quality, such as 1080p", kOptional, 0, 100},
    {"uri",          text,   "A magnet link, or a URL", kOptional, 0, kUriMax, {},
                     wrong_with_uri},
    RequestField{"engine", text, "Engine that downloads it", kOptional, 0, 20,
                 {"qbittorrent", "http"}}.used_as(FieldUse::engine),
    {"release_name", text,   "Name of the release", kRequired, 1, 1'000},
};

constexpr State kStates[] = {
    // name         end        step      leased  stuck  on_fault  on_fail   on_lost  on_cancel
    {"queued",      End::open, transfer, no,     1h,    kStay,    "failed", kNever,  "failed"},
    {"downloading", End::open, transfer, no,     24h,   kStay,    "failed", kNever,  "failed"},
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
    {kLive,           On::fail,     By::worker, "failed",      "001 Valid Transitions, Z-29",
     {.effects = {Effect::count_attempt}}},
    {kLive,           On::cancel,   By::user,   "failed",      "A1-7",
     {.guards = {Guard::owner_or_admin}}},
    {{"failed"},      On::retry,    By::user,   "queued",      "001 Valid Transitions, Z-29",
     {.guards = {Guard::not_replaced},
      .effects = {Effect::count_retry, Effect::forget_transfer}, .bound = Bound::human}},
};

constexpr ReasonWords kReasons[] = {
    {"not_indexed", "not_proven", "the media server does not list exactly this file yet",
     "haul asks the media server"},
    {"not_proven",  "not_proven", "the media server does not list exactly this file yet",
     "haul asks the media server"},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "media",
    .states = kStates,
    .moves = kMoves,
    .request = {kMediaFields},
    .key = {KeyScope::while_open, KeyForm::array, {"title", "release_name"}},
    .attempts_max = 5,
    .backoff = {.base = 300ms},  // S0-6
    .reasons = kReasons,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kMedia = kTable;

}  // namespace haul
