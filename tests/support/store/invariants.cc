#include "support/store/invariants.h"

#include <stdexcept>

namespace haul::testing {
namespace {

struct Invariant {
  const char* name;
  const char* offenders;  // A query that returns no rows when the invariant holds.
};

constexpr Invariant kInvariants[] = {
    // F09: replaying the events of a job gives its row.
    {"moves_without_gap", R"(
       SELECT j.id, j.seq, count(e.id), min(e.seq), max(e.seq)
         FROM jobs j LEFT JOIN events e ON e.job = j.id AND e.type = 'MOVED'
        GROUP BY j.id
       HAVING count(e.id) <> j.seq OR (j.seq > 0 AND (min(e.seq) <> 1 OR max(e.seq) <> j.seq)))"},
    {"one_move_per_seq", R"(
       SELECT job, seq FROM events WHERE type = 'MOVED' GROUP BY job, seq HAVING count(*) > 1)"},
    {"last_move_is_state", R"(
       SELECT j.id, j.state FROM jobs j
        WHERE j.state IS NOT (SELECT e.to_state FROM events e
                               WHERE e.job = j.id AND e.to_state IS NOT NULL
                               ORDER BY e.seq DESC, e.n LIMIT 1))"},
    {"moves_follow_each_other", R"(
       SELECT job, seq, before, from_state
         FROM (SELECT job, seq, n, from_state,
                      lag(to_state) OVER (PARTITION BY job ORDER BY seq, n) AS before
                 FROM events WHERE to_state IS NOT NULL)
        WHERE before IS NOT from_state)"},
    {"moves_are_in_the_table", R"(
       SELECT e.job, e.seq, e.from_state, e.to_state
         FROM events e JOIN jobs j ON j.id = e.job
        WHERE e.type = 'MOVED'
          AND NOT EXISTS (SELECT 1 FROM moves m
                           WHERE m.lifecycle = j.lifecycle AND m.from_state = e.from_state
                             AND m.to_state = e.to_state))"},
    {"events_not_ahead", R"(
       SELECT e.id FROM events e LEFT JOIN jobs j ON j.id = e.job
        WHERE j.id IS NULL OR e.seq > j.seq)"},
    {"added_once", R"(
       SELECT j.id FROM jobs j
        WHERE 1 <> (SELECT count(*) FROM events e
                     WHERE e.job = j.id AND e.seq = 0 AND e.type IN ('ADDED', 'JOB_ADDED')))"},
    {"request_kept", R"(
       SELECT id FROM jobs WHERE id NOT IN (SELECT job FROM requests))"},
    // Promise 3: an open job has a due time, and only a leased state has a worker.
    {"ends_and_leases", R"(
       SELECT j.id, j.state FROM jobs j
         LEFT JOIN states s ON s.lifecycle = j.lifecycle AND s.name = j.state
        WHERE s.name IS NULL OR s."end" <> j."end"
           OR (j."end" = 'open') <> (j.due_at IS NOT NULL)
           OR (j."end" = 'open') <> (j.ended_at IS NULL)
           OR (j.worker IS NOT NULL AND NOT s.is_leased))"},
    // 002 Counter Semantics.
    {"counts_are_the_items", R"(
       SELECT j.id FROM jobs j LEFT JOIN counts c ON c.job = j.id LEFT JOIN (
         SELECT job, count(*) AS total, sum(state = 'COMPLETED') AS downloaded,
                sum(state = 'SKIPPED') AS skipped, sum(state = 'FAILED') AS failed,
                sum(state = 'CANCELLED') AS cancelled
           FROM items GROUP BY job) i ON i.job = j.id
        WHERE (coalesce(c.total, 0), coalesce(c.downloaded, 0), coalesce(c.skipped, 0),
               coalesce(c.failed, 0), coalesce(c.cancelled, 0))
           <> (coalesce(i.total, 0), coalesce(i.downloaded, 0), coalesce(i.skipped, 0),
               coalesce(i.failed, 0), coalesce(i.cancelled, 0)))"},
    {"ended_batch_has_no_live_item", R"(
       SELECT j.id, i.n FROM jobs j JOIN items i ON i.job = j.id
        WHERE j."end" <> 'open' AND i.state IN ('PENDING', 'DOWNLOADING'))"},
    // Promise 13, F45.
    {"wallet_adds_up", R"(
       SELECT owner FROM wallets
        WHERE available + reserved + spent <> granted OR min(available, reserved, spent) < 0)"},
    {"wallet_is_the_sum_of_credits", R"(
       SELECT u.id FROM users u LEFT JOIN wallets w ON w.owner = u.id LEFT JOIN (
         SELECT owner, sum(iif(kind = 'grant', amount, 0)) AS granted,
                sum(CASE kind WHEN 'reserve' THEN amount WHEN 'grant' THEN 0 ELSE -amount END)
                  AS reserved,
                sum(iif(kind = 'spend', amount, 0)) AS spent
           FROM credits GROUP BY owner) c ON c.owner = u.id
        WHERE (coalesce(w.granted, 0), coalesce(w.reserved, 0), coalesce(w.spent, 0))
           <> (coalesce(c.granted, 0), coalesce(c.reserved, 0), coalesce(c.spent, 0)))"},
    {"one_reservation", R"(
       SELECT j.id FROM jobs j
        WHERE (j.lifecycle = 'image')
           <> (SELECT count(*) FROM credits c WHERE c.job = j.id AND c.kind = 'reserve'))"},
    {"one_resolution_once_ended", R"(
       SELECT j.id, j.state FROM jobs j
        WHERE j.lifecycle = 'image'
          AND (j."end" <> 'open') <> (SELECT count(*) FROM credits c
                                       WHERE c.job = j.id AND c.kind IN ('spend', 'refund')))"},
    {"resolution_is_the_reservation", R"(
       SELECT c.id FROM credits c
        WHERE c.kind IN ('spend', 'refund')
          AND NOT EXISTS (SELECT 1 FROM credits r
                           WHERE r.job = c.job AND r.kind = 'reserve' AND r.amount = c.amount
                             AND r.owner = c.owner))"},
    // Promise 14.
    {"one_job_per_key", R"(
       SELECT lifecycle, owner, key FROM jobs
        WHERE key_scope IN ('forever', 'window') OR (key_scope = 'while_open' AND "end" = 'open')
        GROUP BY lifecycle, owner, key HAVING count(*) > 1)"},
    {"one_open_job_per_slot", R"(
       SELECT lifecycle, owner, slot FROM jobs
        WHERE slot IS NOT NULL AND "end" = 'open'
        GROUP BY lifecycle, owner, slot HAVING count(*) > 1)"},
};

// "ok", or what is wrong. A file too damaged to read counts as an answer, not as an exception.
std::string integrity(Sql& sql) {
  try {
    return sql.ask("PRAGMA integrity_check(5)");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

std::vector<std::string> broken_invariants(Sql& sql) {
  if (const std::string whole = integrity(sql); whole != "ok") return {"integrity: " + whole};
  std::vector<std::string> broken;
  const auto check = [&](const std::string& name, const std::string& question) {
    if (const std::string rows = sql.ask(question); !rows.empty())
      broken.push_back(name + ": " + rows);
  };
  check("foreign_keys", "PRAGMA foreign_key_check");
  for (const auto& [name, offenders] : kInvariants)
    check(name, "SELECT * FROM (" + std::string{offenders} + ") LIMIT 5");
  return broken;
}

}  // namespace haul::testing
