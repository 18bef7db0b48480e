#include "store/sqlite/move.h"

#include <fmt/core.h>

#include "base/plant.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// The statement that changes a state. If it changes no row, another write came first.
constexpr const char* kMove = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12),
       result = coalesce(?19, result), key_scope = iif(?20 AND key IS NOT NULL, 'freed', key_scope)
 WHERE id = ?13 AND state = ?14 AND seq = ?15 AND fence = ?16 AND lifecycle = ?21
   AND (?17 = 0 OR worker IS ?18)
   AND (?22 = 0 OR paused = 0))";

// The same from one open state to another. SQLite maintains every index on a column that an UPDATE
// sets, even if the value stays the same, so this leaves out columns that do not change.
constexpr const char* kMoveOn = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at),
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12),
       result = coalesce(?19, result)
 WHERE id = ?13 AND state = ?14 AND seq = ?15 AND fence = ?16 AND lifecycle = ?21
   AND (?17 = 0 OR worker IS ?18)
   AND (?22 = 0 OR paused = 0))";

constexpr const char* kNow = R"(
SELECT state, seq, fence, worker
  FROM jobs
 WHERE id = ?1)";

constexpr const char* kOwnerActive = R"(
SELECT u.status = 'ACTIVE'
  FROM jobs j JOIN users u ON u.id = j.owner
 WHERE j.id = ?1)";

// Uses indexes jobs_slot and jobs_key_open.
constexpr const char* kTaken = R"(
SELECT EXISTS (SELECT 1 FROM jobs o
                WHERE o.lifecycle = j.lifecycle AND o.slot = j.slot AND o."end" = 'open')
    OR EXISTS (SELECT 1 FROM jobs o
                WHERE o.lifecycle = j.lifecycle AND o.owner = j.owner AND o.key = j.key
                  AND o.key_scope = 'while_open' AND o."end" = 'open')
  FROM jobs j
 WHERE j.id = ?1 AND j."end" <> 'open')";

// A job that was never planned has no counts row, and no items to wait for.
constexpr const char* kItemsLeft = R"(
SELECT NOT (enumerated AND downloaded + skipped + failed = total)
  FROM counts
 WHERE job = ?1)";

constexpr const char* kIsJson = "SELECT json_valid(?1)";

Refusal forbidden(const Ask& ask, std::string_view code, std::string_view why) {
  return {RefusalKind::forbidden, std::string{code},
          fmt::format("{}: {} from '{}' {}", ask.seen.lifecycle->name, name(ask.on), ask.seen.state,
                      why)};
}

Refusal guarded(std::string_view code, std::string_view why) {
  return {RefusalKind::guarded, std::string{code}, std::string{why}};
}

// `system` acts for a lost worker, and for a timer.
bool may(By wanted, By asking) {
  return asking == wanted || (asking == By::system && wanted != By::user);
}

// Checks the guards that the store can see. The judges check the others.
std::optional<Refusal> check_guards(Connection& db, const Ask& ask, const Move& move,
                                    int attempt_after) {
  const int attempts_max = ask.seen.lifecycle->attempts_max;
  if (move.has(Guard::attempt_left) && attempts_max > 0 && attempt_after >= attempts_max)
    return guarded("attempts_spent", fmt::format("attempt {} of {}", attempt_after, attempts_max));
  if (move.has(Guard::user_active) && db.number(kOwnerActive, {ask.seen.id}) != 1)
    return guarded("user_inactive", "the owner is not ACTIVE");
  if (move.has(Guard::every_item_processed) && db.number(kItemsLeft, {ask.seen.id}) == 1)
    return guarded("items_left", "not every item is processed");
  if (move.on == On::retry && db.number(kTaken, {ask.seen.id}) == 1)
    return guarded("taken", "another open job has its key or slot by now");
  return std::nullopt;
}

std::optional<Refusal> check_ask(Connection& db, const Ask& ask, const Move* move) {
  const State* state = ask.seen.lifecycle->find(ask.seen.state);
  if (!state || !move) return forbidden(ask, "no_such_move", "is not in the table");
  if (!may(move->by, ask.by) || (ask.on == On::claim && ask.by != By::worker))
    return forbidden(ask, "not_allowed", fmt::format("is for {} only", name(move->by)));
  const bool needs_worker = ask.on == On::claim || (state->is_leased() && ask.by == By::worker);
  if (needs_worker && !ask.worker)
    return Refusal{RefusalKind::stale, "not_leased", "the worker holds no lease on it"};
  const bool proven = ask.proof.kind == move->terms.needs && !ask.proof.data.empty();
  if (move->terms.needs != Proof::none && !proven)
    return guarded(fmt::format("needs_{}", name(move->terms.needs)), "the ask carries no proof");
  if (!ask.proof.data.empty() && db.number(kIsJson, {ask.proof.data}) != 1)
    return guarded("bad_proof", "the proof is not JSON");
  if (move->has(Effect::record_asset) && (!ask.asset || ask.asset->path.empty()))
    return guarded("needs_asset", "the ask does not say what arrived");
  return std::nullopt;
}

// Planted bugs, for the simulator to find: they leave out parts of the compare.
constexpr const char* kMoveUnfenced = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12)
 WHERE id = ?13 AND state = ?14 AND seq = ?15)";
constexpr const char* kMoveBlind = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = max(fence, ?3), attempt = ?4, worker = ?5,
       due_at = ?6, moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12)
 WHERE id = ?13)";

const char* move_statement(const Seen& seen, const Move& move, const State& to) {
  if (planted(Plant::no_fence)) return kMoveUnfenced;
  if (planted(Plant::no_compare)) return kMoveBlind;
  const bool stays_open = seen.lifecycle->find(seen.state)->is_open() && to.is_open();
  return stays_open && !move.has(Effect::free_key) ? kMoveOn : kMove;
}

bool compare_and_set(Connection& db, const Ask& ask, const Move& move, const Seen& after,
                     Time now) {
  const State& to = *after.lifecycle->find(after.state);
  const bool keeps_lease = to.is_leased() && ask.by == By::worker && ask.worker;
  const bool compares_worker = ask.on != On::claim && (ask.by == By::worker || ask.worker);
  const bool keeps_reason = to.is_open() && ask.reason.empty();  // The last problem stays visible.
  const std::optional<Time> due_at =
      to.is_open() ? std::optional{ask.due_at.value_or(now)} : std::nullopt;
  return db.run(move_statement(ask.seen, move, to),
                {after.state,
                 name(to.end),
                 after.fence,
                 after.attempt,
                 keeps_lease ? Value{ask.worker} : Value{nullptr},
                 due_at,
                 now,
                 move.has(Effect::set_started) ? Value{now} : Value{nullptr},
                 to.is_open() ? Value{nullptr} : Value{now},
                 keeps_reason,
                 or_null(ask.reason),
                 or_null(ask.detail),
                 ask.seen.id,
                 ask.seen.state,
                 ask.seen.seq,
                 ask.seen.fence,
                 compares_worker,
                 or_null(ask.worker),
                 or_null(ask.result),
                 move.has(Effect::free_key),
                 after.lifecycle->name,
                 ask.on == On::claim}) == 1;
}

// Uses the primary key.
constexpr const char* kArrived = "SELECT downloaded, skipped, failed FROM counts WHERE job = ?1";

std::optional<Outcome> outcome_after(Connection& db, const Seen& after) {
  const State& state = *after.lifecycle->find(after.state);
  if (state.is_open()) return std::nullopt;
  Counts counts;
  Query row{db, kArrived, {after.id}};
  if (row.step())
    counts = {.downloaded = row.integer(0), .skipped = row.integer(1), .failed = row.integer(2)};
  return outcome_of(*after.lifecycle, state, counts);
}

void remember(Connection& db, const Ask& ask, const Seen& after) {
  const Lifecycle& table = *after.lifecycle;
  const bool is_bad = table.find(after.state)->end == End::bad;
  db.deeds().moves.push_back({&table, table.find(ask.seen.state)->name, after.state,
                              is_bad ? ask.reason : std::string{}, outcome_after(db, after)});
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
  if (auto refusal = check_ask(db, ask, move)) return std::unexpected{*std::move(refusal)};

  Seen after = after_move(ask.seen, ask.on);
  after.attempt += loss == Loss::counted ? 1 : 0;
  if (planted(Plant::loss_not_counted) && ask.on == On::lost) after.attempt = ask.seen.attempt;
  if (planted(Plant::release_counts) && ask.on == On::release) after.attempt += 1;
  if (auto refusal = check_guards(db, ask, *move, after.attempt))
    return std::unexpected{*std::move(refusal)};

  if (!compare_and_set(db, ask, *move, after, now)) return std::unexpected{stale(db, ask.seen)};
  if (!planted(Plant::event_after_commit))
    write_move(db,
               {after.id, after.seq, ask.seen.state, after.state, ask.on, ask.by, ask.worker,
                ask.reason, ask.proof.data},
               now);
  apply_effects(db, ask, *move, after, now);
  remember(db, ask, after);
  return after;
}

}  // namespace haul::sqlite
