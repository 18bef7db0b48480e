#include "store/rules/move.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ensure.h"
#include "base/json.h"
#include "base/planted_bug.h"
#include "store/rules/fault.h"
#include "store/rules/guards.h"

namespace haul::rules {
namespace {

Refusal forbidden(const Ask& ask, std::string_view code, std::string_view why) {
  return {RefusalKind::forbidden, std::string{code},
          fmt::format("{}: {} from '{}' {}", ask.version.lifecycle->name, name(ask.on),
                      ask.version.state, why)};
}

Refusal guarded(std::string_view code, std::string_view why) {
  return {RefusalKind::guarded, std::string{code}, std::string{why}};
}

// `system` acts for a lost worker, and for a timer.
bool may(By wanted, By asking) {
  return asking == wanted || (asking == By::system && wanted != By::user);
}

std::optional<Refusal> check_ask(const Ask& ask, const Move* move) {
  const State* state = ask.version.lifecycle->find(ask.version.state);
  if (!state || !move) return forbidden(ask, "no_such_move", "is not in the table");
  if (!may(move->by, ask.by) || (ask.on == On::claim && ask.by != By::worker))
    return forbidden(ask, "not_allowed", fmt::format("is for {} only", name(move->by)));
  const bool needs_worker = ask.on == On::claim || (state->is_leased() && ask.by == By::worker);
  if (needs_worker && !ask.worker)
    return Refusal{RefusalKind::stale, "not_leased", "the worker holds no lease on it"};
  const bool proven = ask.proof.kind == move->terms.needs && !ask.proof.data.empty();
  if (move->terms.needs != Proof::none && !proven)
    return guarded(fmt::format("needs_{}", name(move->terms.needs)), "the ask carries no proof");
  if (!ask.proof.data.empty() && !is_json_text(ask.proof.data))
    return guarded("bad_proof", "the proof is not JSON");
  const bool says_what = !ask.assets.empty() &&
                         std::ranges::none_of(ask.assets, &std::string::empty, &AssetFacts::path);
  if (move->has(Effect::record_asset) && !says_what)
    return guarded("needs_asset", "the ask does not say what arrived");
  return std::nullopt;
}

// Nothing for effects that the row itself carries, and for those of an add.
std::optional<MoveWrite> write_of(Effect effect, const Ask& ask, const GrantedMove& granted) {
  switch (effect) {
    case Effect::count_attempt:
    case Effect::set_started:
    case Effect::free_key:
    case Effect::enter_book:
    case Effect::reserve_credit:
    case Effect::note_added:
      return std::nullopt;
    case Effect::count_retry:
      return CountRetry{};
    case Effect::forget_transfer:
      return ForgetTransfer{};
    case Effect::record_asset:
      return RecordAsset{};
    case Effect::record_delivery:
      return RecordDelivery{};
    case Effect::spend_credit:
      if (planted(PlantedBug::reject_unresolved) && ask.on == On::reject) return std::nullopt;
      if (ask.refunds) return RefundCredit{};
      return SpendCredit{};
    case Effect::refund_credit:
      return RefundCredit{};
    case Effect::audit_block:
      return AuditBlock{.action = "SAFE_BLOCK",
                        .detail = ask.audit.empty() ? ask.reason : ask.audit};
    case Effect::cancel_items:
      return CancelItems{};
    case Effect::end_items:  // `system` stands in for a worker that was lost: no user
                             // cancelled them.
      if (ask.by == By::system) return FailItems{};
      return CancelItems{};
    case Effect::clear_parts: {
      // A worker that ends a job removes what it left itself. A job that never ran has left
      // nothing.
      const bool has_run = granted.after.seq > 1;
      if (!has_run || ask.by == By::worker) return std::nullopt;
      return ClearParts{};
    }
    case Effect::return_items:
      return ReturnItems{};
    case Effect::note_started:
      return NoteStarted{};
    case Effect::note_error:
      return NoteError{.message = ask.detail.empty() ? ask.reason : ask.detail,
                       .recoverable = granted.end == End::open};
    case Effect::note_cancelled:
      return NoteCancelled{};
    case Effect::note_done:
      return NoteDone{};
  }
  return std::nullopt;  // Not reached: the switch is complete.
}

bool is_last_loss(const JobVersion& version, const Answer& answer) {
  if (!is_spent(*version.lifecycle, version.attempt + 1)) return false;
  if (answer.kind == AnswerKind::adopt) return true;
  const Move* move = version.lifecycle->find(version.state, On::lost);
  return move && move->has(Guard::attempt_left);
}

Time due_after_loss(const JobVersion& version, const Answer& answer, std::optional<double> chance,
                    Time now) {
  if (!chance || answer.kind != AnswerKind::go) return now;
  const Lifecycle& lifecycle = *version.lifecycle;
  const bool waits = lifecycle.at(answer.to).step == Step::wait;
  return waits ? now + lifecycle.backoff.after(version.attempt + 1, *chance) : now;
}

constexpr const char* kLost = "worker_lost";
constexpr const char* kWentSilent = "the worker that held it went silent";

// A handle leads to what was begun, perhaps paid for: losses alone do not throw that away.
bool keeps_handle(const LostJob& lost, const Answer& answer) {
  const JobVersion& version = lost.version;
  if (!lost.has_handle || answer.kind != AnswerKind::go) return false;
  if (version.lifecycle->find(version.state, On::release)) return false;
  return lost.waits || is_spent(*version.lifecycle, version.attempt + 1);
}

// As if the worker had given it back.
LeaseChange leave_waiting(const LostJob& lost, Time now) {
  LeaseChange change{.before = lost.version,
                     .after = lost.version,
                     .from = lost.worker,
                     .to = {},
                     .due_at = now,
                     .note = "RELEASED"};
  change.after.fence += 1;
  return change;
}

LeaseChange lose(const JobVersion& version, WorkerId worker, Time now) {
  LeaseChange change{.before = version,
                     .after = version,
                     .from = worker,
                     .to = {},
                     .due_at = now,
                     .reason = kLost,
                     .detail = kWentSilent,
                     .note = "LOST"};
  change.after.fence += 1;
  change.after.attempt += 1;
  return change;
}

}  // namespace

std::expected<GrantedMove, Refusal> grant_move(const Ask& ask, Loss loss, JobFacts& facts,
                                               Time now) {
  ensure(ask.version.lifecycle != nullptr, "a move names its lifecycle");
  const Move* move = ask.version.lifecycle->find(ask.version.state, ask.on);
  if (auto refusal = check_ask(ask, move)) return std::unexpected{*std::move(refusal)};
  GrantedMove granted{.after = after_move(ask.version, ask.on)};
  granted.after.attempt += loss == Loss::counted ? 1 : 0;
  if (planted(PlantedBug::loss_not_counted) && ask.on == On::lost)
    granted.after.attempt = ask.version.attempt;
  if (planted(PlantedBug::release_counts) && ask.on == On::release) granted.after.attempt += 1;
  if (auto refusal = check_guards(*move, ask, granted.after.attempt, facts))
    return std::unexpected{*std::move(refusal)};

  ensure(granted.after.seq == ask.version.seq + 1, "a granted move is the next of its job");
  ensure(granted.after.fence >= ask.version.fence, "a move never takes a fence back");
  const State& to = granted.after.lifecycle->at(granted.after.state);
  granted.end = to.end;
  granted.compares_worker = ask.on != On::claim && (ask.by == By::worker || ask.worker);
  granted.needs_unpaused = ask.on == On::claim && !planted(PlantedBug::claim_of_paused);
  granted.keeps_lease = to.is_leased() && ask.by == By::worker && ask.worker;
  granted.keeps_reason = to.is_open() && ask.reason.empty();
  granted.sets_started = move->has(Effect::set_started);
  granted.frees_key = move->has(Effect::free_key);
  if (to.is_open()) granted.due_at = ask.due_at.value_or(now);
  // No later worker reads the intents of a job that has ended. One that never ran has none.
  if (!to.is_open() && granted.after.seq > 1) granted.writes.emplace_back(SettleActs{});
  for (const Effect effect : move->terms.effects)
    if (auto write = write_of(effect, ask, granted)) granted.writes.push_back(*std::move(write));
  return granted;
}

LeaseChange adopt(const JobVersion& version, WorkerId worker) {
  ensure(static_cast<bool>(worker), "a worker adopts a job");
  ensure(version.lifecycle->at(version.state).is_leased(), "a job is adopted in a leased state");
  LeaseChange change{
      .before = version, .after = version, .from = {}, .to = worker, .note = "ADOPTED"};
  change.after.fence += 1;
  return change;
}

LossAnswer answer_loss(const LostJob& lost, std::optional<double> chance, Time now) {
  const JobVersion& version = lost.version;
  const WorkerId worker = lost.worker;
  ensure(static_cast<bool>(worker), "a job is lost by the worker that held it");
  const State& state = version.lifecycle->at(version.state);
  const Answer& answer = state.on_lost;
  if ((lost.waits && answer.kind == AnswerKind::adopt) || keeps_handle(lost, answer))
    return {.kind = LossAnswer::Kind::adopt, .change = leave_waiting(lost, now)};
  Ask ask{.version = version, .on = On::lost, .by = By::system, .worker = worker};
  const Move* fail = is_last_loss(version, answer)
                         ? move_to(*version.lifecycle, version.state, state.on_fail)
                         : nullptr;
  if (fail) {
    ask.on = fail->on;
    ask.reason = "worker_crashed";
    ask.detail = "the worker was lost, and this was the last attempt";
    const Loss loss = fail->has(Effect::count_attempt) ? Loss::none : Loss::counted;
    return {.kind = LossAnswer::Kind::fail, .ask = std::move(ask), .loss = loss};
  }
  if (answer.kind == AnswerKind::adopt)
    return {.kind = LossAnswer::Kind::adopt, .change = lose(version, worker, now)};
  if (answer.kind != AnswerKind::go) return {};
  ask.due_at = due_after_loss(version, answer, chance, now);
  ask.reason = kLost;
  ask.detail = kWentSilent;
  return {.kind = LossAnswer::Kind::move, .ask = std::move(ask)};
}

std::variant<Ask, LeaseChange> give_back(const Release& release, Time now) {
  ensure(static_cast<bool>(release.worker), "a worker gives its lease back");
  const Time due_at = release.due_at.value_or(now);
  if (release.version.lifecycle->find(release.version.state, On::release))
    return Ask{.version = release.version,
               .on = On::release,
               .by = By::system,
               .worker = release.worker,
               .due_at = due_at,
               .reason = release.reason,
               .detail = release.detail};
  return LeaseChange{.before = release.version,
                     .after = release.version,
                     .from = release.worker,
                     .to = {},
                     .due_at = due_at,
                     .reason = release.reason,
                     .detail = release.detail,
                     .note = "RELEASED"};
}

}  // namespace haul::rules
