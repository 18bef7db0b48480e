// clang-format off
#include "lifecycle/words.h"

namespace haul {

std::string_view name(End end) {
  switch (end) {
    case End::open: return "open";
    case End::good: return "good";
    case End::bad: return "bad";
    case End::stopped: return "stopped";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(Step step) {
  switch (step) {
    case Step::none: return "none";
    case Step::claim: return "claim";
    case Step::plan: return "plan";
    case Step::transfer: return "transfer";
    case Step::land: return "land";
    case Step::verify: return "verify";
    case Step::wait: return "wait";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(On on) {
  switch (on) {
    case On::claim: return "claim";
    case On::start: return "start";
    case On::started: return "started";
    case On::fetched: return "fetched";
    case On::stream: return "stream";
    case On::landed: return "landed";
    case On::ack: return "ack";
    case On::verified: return "verified";
    case On::unneeded: return "unneeded";
    case On::done: return "done";
    case On::skip: return "skip";
    case On::requeue: return "requeue";
    case On::fail: return "fail";
    case On::reject: return "reject";
    case On::give_up: return "give_up";
    case On::lost: return "lost";
    case On::release: return "release";
    case On::cancel: return "cancel";
    case On::expire: return "expire";
    case On::retry: return "retry";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(By by) {
  switch (by) {
    case By::user: return "user";
    case By::worker: return "worker";
    case By::system: return "system";
    case By::timer: return "timer";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(Guard guard) {
  switch (guard) {
    case Guard::active_report: return "active_report";
    case Guard::file_in_place: return "file_in_place";
    case Guard::owner_or_admin: return "owner_or_admin";
    case Guard::engine_confirmed: return "engine_confirmed";
    case Guard::import_durable: return "import_durable";
    case Guard::server_told: return "server_told";
    case Guard::cleanup_disabled: return "cleanup_disabled";
    case Guard::every_item_processed: return "every_item_processed";
    case Guard::attempt_left: return "attempt_left";
    case Guard::user_active: return "user_active";
    case Guard::retryable: return "retryable";
    case Guard::file_exists: return "file_exists";
    case Guard::filtered_out: return "filtered_out";
    case Guard::credit_left: return "credit_left";
    case Guard::spent_or_permanent: return "spent_or_permanent";
    case Guard::not_replaced: return "not_replaced";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(Proof proof) {
  switch (proof) {
    case Proof::none: return "none";
    case Proof::receipt: return "receipt";
    case Proof::ack: return "ack";
    case Proof::evidence: return "evidence";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(Effect effect) {
  switch (effect) {
    case Effect::count_attempt: return "count_attempt";
    case Effect::count_retry: return "count_retry";
    case Effect::set_started: return "set_started";
    case Effect::forget_transfer: return "forget_transfer";
    case Effect::enter_book: return "enter_book";
    case Effect::record_asset: return "record_asset";
    case Effect::record_delivery: return "record_delivery";
    case Effect::reserve_credit: return "reserve_credit";
    case Effect::spend_credit: return "spend_credit";
    case Effect::refund_credit: return "refund_credit";
    case Effect::free_key: return "free_key";
    case Effect::audit_block: return "audit_block";
    case Effect::cancel_items: return "cancel_items";
    case Effect::end_items: return "end_items";
    case Effect::return_items: return "return_items";
    case Effect::note_added: return "note_added";
    case Effect::note_started: return "note_started";
    case Effect::note_error: return "note_error";
    case Effect::note_cancelled: return "note_cancelled";
    case Effect::note_done: return "note_done";
    case Effect::clear_parts: return "clear_parts";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(Bound bound) {
  switch (bound) {
    case Bound::none: return "none";
    case Bound::attempt: return "attempt";
    case Bound::timer: return "timer";
    case Bound::human: return "human";
    case Bound::shutdown: return "shutdown";
  }
  return "?";  // Not reached: the switch is complete.
}

std::string_view name(KeyScope scope) {
  switch (scope) {
    case KeyScope::none: return "none";
    case KeyScope::forever: return "forever";
    case KeyScope::window: return "window";
    case KeyScope::while_open: return "while_open";
  }
  return "?";  // Not reached: the switch is complete.
}

}  // namespace haul
