// A file streamed from cloud storage into a chat (document 003).

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
constexpr RequestField kRelayFields[] = {
    RequestField{"user_id", id, "Id or name of the user who receives it", kRequired, 1, 200}
        .used_as(FieldUse::owner),
    {"chat_id", id,   "Chat that receives it: its number, or @name", kRequired, 1, 33, {},
     wrong_with_chat},
    {"file_id", text, "Path of the file on the disk", kRequired, 1, 4'096, {},
     wrong_with_disk_file},
    {"nonce",   text, "A new value for each request", kRequired, 1, 200},
};

constexpr State kStates[] = {
    // name         end        step      leased  stuck  on_fault  on_fail   on_lost   on_cancel
    {"QUEUED",      End::open, claim,    no,     0s,    kNever,   kNever,   kNever,   "CANCELLED"},
    {"CLAIMED",     End::open, plan,     yes,    0s,    kNever,   "FAILED", "QUEUED", kRefused},
    {"DOWNLOADING", End::open, transfer, yes,    0s,    "QUEUED", "FAILED", "QUEUED", kRefused},
    {"STREAMING",   End::open, land,     yes,    0s,    "QUEUED", "FAILED", "QUEUED", kRefused},
    {"DELIVERED",   End::good},
    {"FAILED",      End::bad},
    {"CANCELLED",   End::stopped},
    {"EXPIRED",     End::stopped},
};

constexpr StateSet kHeld{"CLAIMED", "DOWNLOADING", "STREAMING"};

constexpr Move kMoves[] = {
    // from                        on           by          to             origin           terms
    {{"QUEUED"},                   On::claim,   By::worker, "CLAIMED",     "003 §1, §2"},
    {{"CLAIMED"},                  On::start,   By::worker, "DOWNLOADING", "003 §2",
     {.guards = {Guard::attempt_left, Guard::user_active}, .effects = {Effect::set_started}}},
    {{"CLAIMED"},                  On::fail,    By::worker, "FAILED",      "A3-1"},
    {{"DOWNLOADING"},              On::stream,  By::worker, "STREAMING",   "003 §1, A3-11"},
    {{"STREAMING"},                On::ack,     By::worker, "DELIVERED",   "003 §1, S3-13",
     {.needs = Proof::ack, .effects = {Effect::record_delivery}}},
    {{"DOWNLOADING", "STREAMING"}, On::requeue, By::worker, "QUEUED",      "003 §2, A3-4",
     {.guards = {Guard::retryable, Guard::attempt_left}, .effects = {Effect::count_attempt},
      .bound = Bound::attempt}},
    {{"DOWNLOADING", "STREAMING"}, On::fail,    By::worker, "FAILED",      "003 §2, A3-4",
     {.effects = {Effect::count_attempt}}},
    {kHeld,                        On::lost,    By::system, "QUEUED",      "003 §5, A3-2",
     {.guards = {Guard::attempt_left}, .effects = {Effect::count_attempt},
      .bound = Bound::attempt}},
    {kHeld,                        On::release, By::system, "QUEUED",      "A3-9",
     {.bound = Bound::shutdown}},
    {{"QUEUED"},                   On::cancel,  By::user,   "CANCELLED",   "003 §1",
     {.guards = {Guard::owner_or_admin}}},
    {{"QUEUED"},                   On::expire,  By::timer,  "EXPIRED",     "003 §1, A3-10"},
};

constexpr ReasonWords kReasons[] = {
    {"chat_turn", "chat_turn", "it waits for its turn, because its chat gets no more files for now",
     "a worker takes it"},
};
// clang-format on

constexpr Lifecycle kTable{
    .name = "relay",
    .states = kStates,
    .moves = kMoves,
    .request = {kRelayFields},
    .key = {KeyScope::forever, KeyForm::colons, {"user_id", "file_id", "nonce"}},  // 003 §3
    .attempts_max = 3,
    .backoff = {.base = 2s},  // A3-12
    .lease_after = 30s,       // A3-5: the document's T.
    .when_restored = WhenRestored::waits,
    .reasons = kReasons,
};

}  // namespace

static_assert(check(kTable) == Problem::none);
const Lifecycle kRelay = kTable;

}  // namespace haul
