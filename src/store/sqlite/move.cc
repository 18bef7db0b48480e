#include "store/sqlite/move.h"

#include <fmt/core.h>

#include "store/sqlite/effects.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// The one statement that changes a state. No row back means somebody was first.
constexpr const char* kMove = R"(
UPDATE jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12)
 WHERE id = ?13 AND state = ?14 AND seq = ?15 AND fence = ?16
   AND (?17 = 0 OR worker IS ?18))";

constexpr const char* kNow = R"(
SELECT state, seq, fence, worker
  FROM jobs
 WHERE id = ?1)";

constexpr const char* kOwnerActive = R"(
SELECT u.status = 'ACTIVE'
  FROM jobs j JOIN users u ON u.id = j.owner
 WHERE j.id = ?1)";

// Rides jobs_slot and jobs_key_open.
constexpr const char* kTaken = R"(
SELECT EXISTS (SELECT 1 FROM jobs o
                WHERE o.lifecycle = j.lifecycle AND o.slot = j.slot AND o."end" = 'open')
    OR EXISTS (SELECT 1 FROM jobs o
                WHERE o.lifecycle = j.lifecycle AND o.key = j.key
                  AND o.key_scope = 'while_open' AND o."end" = 'open')
  FROM jobs j
 WHERE j.id = ?1 AND j."end" <> 'open')";

constexpr const char* kResult = R"(
UPDATE jobs
   SET result = ?2
 WHERE id = ?1 AND state = ?3 AND seq = ?4 AND fence = ?5)";

constexpr const char* kFreeKey = R"(
UPDATE jobs
   SET key_scope = 'freed'
 WHERE id = ?1 AND key IS NOT NULL AND state = ?2 AND seq = ?3 AND fence = ?4)";

Refusal forbidden(const Ask& ask, std::string_view code, std::string_view why) {
  return {RefusalKind::forbidden, std::string{code},
          fmt::format("{}: {} from '{}' {}", ask.seen.lifecycle->name, name(ask.on), ask.seen.state,
                      why)};
}

Refusal guarded(std::string_view code, std::string_view why) {
  return {RefusalKind::guarded, std::string{code}, std::string{why}};
}

// `system` stands in for a worker that was lost, and for a timer.
bool may(By wanted, By asking) {
  return asking == wanted || (asking == By::system && wanted != By::user);
}

bool every_item_processed(const Counts& counts) {
  if (counts == Counts{}) return true;  // A job that planned no items has none to wait for.
  return counts.enumerated && counts.processed() == counts.total;
}

// The guards the store itself can see. The others are the judges' business.
std::optional<Refusal> check_guards(Connection& db, const Ask& ask, const Move& move,
                                    int attempt_after) {
  const int attempts_max = ask.seen.lifecycle->attempts_max;
  if (move.has(Guard::attempt_left) && attempts_max > 0 && attempt_after >= attempts_max)
    return guarded("attempts_spent", fmt::format("attempt {} of {}", attempt_after, attempts_max));
  if (move.has(Guard::user_active) && db.number(kOwnerActive, {ask.seen.id}) != 1)
    return guarded("user_inactive", "the owner is not ACTIVE");
  if (move.has(Guard::every_item_processed) && !every_item_processed(read_counts(db, ask.seen.id)))
    return guarded("items_left", "not every item is processed");
  if (move.on == On::retry && db.number(kTaken, {ask.seen.id}) == 1)
    return guarded("taken", "another open job has its key or slot by now");
  return std::nullopt;
}

std::optional<Refusal> check_ask(const Ask& ask, const Move* move) {
  const State* state = ask.seen.lifecycle->find(ask.seen.state);
  if (!state || !move) return forbidden(ask, "no_such_move", "is not in the table");
  if (!may(move->by, ask.by))
    return forbidden(ask, "not_allowed", fmt::format("is for {} only", name(move->by)));
  const bool needs_worker = ask.on == On::claim || (state->is_leased() && ask.by == By::worker);
  if (needs_worker && !ask.worker)
    return Refusal{RefusalKind::stale, "not_leased", "the worker holds no lease on it"};
  if (move->terms.needs != Proof::none && ask.proof.kind != move->terms.needs)
    return guarded(fmt::format("needs_{}", name(move->terms.needs)), "the ask carries no proof");
  if (move->has(Effect::record_asset) && !ask.asset)
    return guarded("needs_asset", "the ask does not say what arrived");
  return std::nullopt;
}

// What an ask sets beside the state, written under the same compare before the state changes:
// an ended row would not take it any more.
void set_aside(Connection& db, const Ask& ask, const Move& move) {
  const Seen& seen = ask.seen;
  if (!ask.result.empty()) db.run(kResult, {seen.id, ask.result, seen.state, seen.seq, seen.fence});
  if (move.has(Effect::free_key)) db.run(kFreeKey, {seen.id, seen.state, seen.seq, seen.fence});
}

bool compare_and_set(Connection& db, const Ask& ask, const Move& move, const Seen& after,
                     Time now) {
  const State& to = *after.lifecycle->find(after.state);
  const bool keeps_lease = to.is_leased() && ask.by == By::worker && ask.worker;
  const bool compares_worker = ask.on != On::claim && (ask.by == By::worker || ask.worker);
  const bool keeps_reason = to.is_open() && ask.reason.empty();  // The last trouble stays in sight.
  const std::optional<Time> due_at =
      to.is_open() ? std::optional{ask.due_at.value_or(now)} : std::nullopt;
  return db.run(kMove, {after.state, name(to.end), after.fence, after.attempt,
                        keeps_lease ? Value{ask.worker} : Value{nullptr}, due_at, now,
                        move.has(Effect::set_started) ? Value{now} : Value{nullptr},
                        to.is_open() ? Value{nullptr} : Value{now}, keeps_reason,
                        or_null(ask.reason), or_null(ask.detail), ask.seen.id, ask.seen.state,
                        ask.seen.seq, ask.seen.fence, compares_worker, or_null(ask.worker)}) == 1;
}

}  // namespace

Refusal stale(Connection& db, const Seen& seen) {
  Query row{db, kNow, {seen.id}};
  if (!row.step()) return {RefusalKind::stale, "no_such_job", fmt::format("job {}", seen.id.value)};
  return {RefusalKind::stale, "stale",
          fmt::format("job {} is '{}' at seq {}, fence {}, worker {}; it was seen '{}' at {}, {}",
                      seen.id.value, row.text(0), row.integer(1), row.integer(2), row.integer(3),
                      seen.state, seen.seq, seen.fence)};
}

MoveAnswer move_job(Connection& db, const Ask& ask, Loss loss, Time now) {
  const Move* move = ask.seen.lifecycle->find(ask.seen.state, ask.on);
  if (auto refusal = check_ask(ask, move)) return std::unexpected{*std::move(refusal)};

  Seen after = ask.seen;
  after.state = move->to;
  after.seq += 1;
  after.fence += ask.on == On::claim ? 1 : 0;
  after.attempt += move->has(Effect::count_attempt) || loss == Loss::counted ? 1 : 0;
  if (auto refusal = check_guards(db, ask, *move, after.attempt))
    return std::unexpected{*std::move(refusal)};

  set_aside(db, ask, *move);
  if (!compare_and_set(db, ask, *move, after, now)) return std::unexpected{stale(db, ask.seen)};
  write_move(db,
             {after.id, after.seq, ask.seen.state, after.state, ask.on, ask.by, ask.reason,
              ask.proof.data},
             now);
  apply_effects(db, ask, *move, after, now);
  return after;
}

}  // namespace haul::sqlite
