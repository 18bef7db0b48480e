// A film or episode: fetched, imported, proven by a media server, cleaned (document 001).

#include "base/request_value.h"
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
    {"uri",          text,   "A magnet link, or a URL", kOptional, 0, kUriMax, {},
                     wrong_with_uri},
    {"year",         number, "Year of release", kOptional, 1'800, 2'200},
    {"season",       number, "Season of a series", kOptional, 0, 9'999},
    {"episode",      number, "Episode of a season", kOptional, 0, 99'999},
    {"quality",      text,   "Quality, such as 1080p", kOptional, 0, 100},
    RequestField{"engine", text, "Engine that downloads it", kOptional, 0, 20,
                 {"qbittorrent", "http"}}.used_as(FieldUse::engine),
    {"release_name", text,   "Name of the release", kRequired, 1, 1'000},
};
// clang-format on

// The http engine fetches the address itself. A magnet link needs a torrent client.
std::optional<RequestProblem> check_media_request(std::span<const JsonField> request) {
  const JsonField* engine = find_field(request, "engine");
  if (!engine || engine->text != "http") return std::nullopt;
  const JsonField* uri = find_field(request, "uri");
  if (!uri || is_unset(*uri))
    return RequestProblem{"missing_field", "uri", "required with the http engine"};
  if (wrong_with_address(uri->text).empty()) return std::nullopt;
  return RequestProblem{"bad_uri", "uri", "the http engine needs an http or https URL"};
}

// clang-format off
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

// A fault with one of these codes uses up no attempt: another program or a user must act first.
constexpr ReasonWords kReasons[] = {
    {"not_indexed", "not_proven", "the media server does not list exactly this file yet",
     "haul asks the media server"},
    {"not_proven",  "not_proven", "the media server does not list exactly this file yet",
     "haul asks the media server"},
    {"copy_missing", "copy_missing",
     "a file of it in the library is gone or has another size; its download stays",
     "haul looks at its files in the library"},
    {"copy_damaged", "copy_damaged",
     "a file of it in the library has other bytes than haul imported; its download stays",
     "haul reads its files in the library"},
    {"server_unreachable", "server_unreachable",
     "the media server does not answer; check that it runs and that its address is right",
     "haul asks the media server"},
    {"server_refused_token", "server_refused_token",
     "the media server refuses haul's token; configure a new one",
     "haul asks the media server"},
    {"server_not_told", "server_not_told",
     "its files are in the library, but the media server was not told of them",
     "haul tells the media server"},
    {"path_not_in_library", "path_not_in_library",
     "no library of the media server has its folder; add the folder to one",
     "haul asks the media server"},
    {"seeding", "seeding", "the client still shares it: its share limits are not reached",
     "haul asks the client"},
    {"missing_in_client", "missing_in_client", "the client does not list it any more",
     "haul asks the client"},
    {"cannot_parse", "cannot_parse",
     "its name does not say which film or episode it is; say it: haul import {job} --as S01E02",
     "haul tries to import it"},
    {"ambiguous", "ambiguous",
     "it can be several films or episodes; say which: haul import {job} --file PATH=S01E02",
     "haul tries to import it"},
    {"no_video", "no_video",
     "it has no video file to import; haul import {job} --dry-run says why",
     "haul tries to import it"},
    {"no_library", "no_library",
     "no library is configured for its kind; configure one, or say another kind with haul import "
     "{job} --as",
     "haul tries to import it"},
    {"destination_taken", "destination_taken",
     "the library has another file in its place; move that file, then run haul import {job}",
     "haul tries to import it"},
    {"two_for_one_target", "two_for_one_target",
     "two of its files would have one name; leave one out: haul import {job} --file PATH=skip",
     "haul tries to import it"},
    {"cannot_link", "cannot_link",
     "its files cannot be linked into the library; allow copies, or put both on one file system",
     "haul tries to import it"},
    {"root_not_mounted", "root_not_mounted",
     "the disk of its download root or of its library is not mounted; mount it",
     "haul looks for its files"},
    {"no_trash", "no_trash",
     "its sources cannot go to .haul-trash in the download root; check that folder",
     "haul removes its sources"},
    {"trash_busy", "trash_busy", "haul restores or deletes files of it in the trash",
     "haul removes its sources"},
    {"path_not_mapped", "path_not_mapped",
     "no path_map entry covers its path; add one to the configuration",
     "haul looks for its files"},
    {"path_refused", "path_refused",
     "a file of it lies outside the download root or behind a link; check download_root",
     "haul looks for its files"},
    {"asset_pending", "asset_pending", "a file of it is not where the client says",
     "haul looks for its files"},
    {"size_differs", "size_differs", "a file of it has another size than the client says",
     "haul looks for its files"},
    {"not_configured", "not_configured",
     "the client or the library that it needs is not configured any more; configure it",
     "haul asks for it"},
    {"no_files", "no_files", "the client lists no file of it that is wanted; select one there",
     "haul looks for its files"},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "media",
    .states = kStates,
    .moves = kMoves,
    .request = {kMediaFields, check_media_request},
    .key = {KeyScope::while_open, KeyForm::array, {"title", "release_name"}},
    .attempts_max = 5,
    .backoff = {.base = 300ms},  // S0-6
    .reasons = kReasons,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kMedia = kTable;

}  // namespace haul
