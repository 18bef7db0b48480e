#include "store/sqlite/claim.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "lifecycle/check.h"
#include "store/rules/limits.h"
#include "store/sqlite/lease.h"
#include "store/sqlite/move.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// Uses index jobs_due. INDEXED BY, because statistics of a freshly filled table would mislead
// the planner.
constexpr const char* kDue = R"(
SELECT id, state, seq, fence, attempt
  FROM jobs INDEXED BY jobs_due
 WHERE lane = ?1 AND owner = ?11 AND priority = ?12 AND due_at <= ?2 AND "end" = 'open'
   AND worker IS NULL AND paused = 0 AND lifecycle = ?3
   AND state IN (?4, ?5, ?6, ?7, ?8, ?9)
 ORDER BY due_at
 LIMIT ?10)";

// A planted bug: the same with paused jobs, which the index does not have.
constexpr const char* kDueOrPaused = R"(
SELECT id, state, seq, fence, attempt
  FROM jobs
 WHERE lane = ?1 AND owner = ?11 AND priority = ?12 AND due_at <= ?2 AND "end" = 'open'
   AND worker IS NULL AND lifecycle = ?3
   AND state IN (?4, ?5, ?6, ?7, ?8, ?9)
 ORDER BY due_at
 LIMIT ?10)";

// The first and the last owner with jobs in a lane, how many of its jobs are leased, and the end of
// its host's block. One statement, because it runs with every claim. ?2 is 0 for a lane without a
// limit, where rules::room_in() needs neither of the last two.
constexpr const char* kLane = R"(
SELECT (SELECT owner
          FROM jobs INDEXED BY jobs_due
         WHERE lane = ?1 AND "end" = 'open' AND worker IS NULL AND paused = 0
         ORDER BY owner
         LIMIT 1),
       (SELECT owner
          FROM jobs INDEXED BY jobs_due
         WHERE lane = ?1 AND "end" = 'open' AND worker IS NULL AND paused = 0
         ORDER BY owner DESC
         LIMIT 1),
       iif(?2, (SELECT count(*)
                  FROM jobs INDEXED BY jobs_leased
                 WHERE lane = ?1 AND worker IS NOT NULL), 0),
       iif(?2, (SELECT blocked_until FROM limits WHERE host = ?1), NULL))";

// Uses index jobs_leased: a lane with such a limit has few leased jobs.
constexpr const char* kLeasedOfOwner = R"(
SELECT count(*)
  FROM jobs INDEXED BY jobs_leased
 WHERE lane = ?1 AND owner = ?2 AND worker IS NOT NULL)";

constexpr const char* kRequestOf = "SELECT body FROM requests WHERE job = ?1";

constexpr const char* kEnlisted = "SELECT 1 FROM workers WHERE id = ?1";

constexpr std::size_t kTurnsMax = 10'000;  // Lanes whose last turn is kept in memory.
constexpr int kHopsMax = 1'000;            // Owners visited in one claim.
constexpr std::size_t kShares = 8;         // An owner's turn is 1/8 of the claim's limit.
constexpr int kRejectRounds = 100;         // Looks at an owner's due jobs while some are refused.

std::array<Value, kTakeableMax> takeable(const Lifecycle& table) {
  std::array<Value, kTakeableMax> states{nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  std::size_t i = 0;
  for (const State& state : table.states)
    if (table.is_takeable(state)) states.at(i++) = state.name;
  return states;
}

std::optional<Claim> take(Connection& db, const JobVersion& version, WorkerId worker, Time now) {
  if (version.lifecycle->find(version.state, On::claim)) {
    const MoveAnswer moved = move_job(db, {.version = version, .on = On::claim, .worker = worker},
                                      rules::Loss::none, now);
    if (!moved) return std::nullopt;
    ensure(moved->fence == version.fence + 1, "a claim raises the fence");
    return Claim{*moved};
  }
  const rules::LeaseChange change = rules::adopt(version, worker);
  if (!change_lease(db, change, now)) return std::nullopt;
  return Claim{change.after};
}

// Claims from one lane for one worker.
class LaneClaim {
 public:
  LaneClaim(Connection& db, OwnerTurns& turns, const ClaimRequest& request, std::string lane,
            Time now)
      : db_{db}, turns_{turns}, request_{request}, lane_{std::move(lane)}, now_{now} {}

  void run(std::size_t limit, std::vector<Claim>& claims) {
    const View lane = look();
    limit = std::min(limit, rules::room_in(lane.use, request_.at_once, now_));
    if (limit == 0 || !lane.first) return;
    if (lane.first == lane.last) return take_due(lane.first, limit, claims);
    take_turns(claims.size() + limit, std::max<std::size_t>(1, limit / kShares), claims);
  }

 private:
  struct View {
    UserId first;  // Owners; zero if there are none.
    UserId last;
    rules::LaneUse use{};
  };

  View look() const {
    Query row{db_, kLane, {lane_, request_.at_once > 0}};
    if (!row.step()) return {};
    return {.first = UserId{row.integer(0)},
            .last = UserId{row.integer(1)},
            .use = {.running = static_cast<std::size_t>(row.integer(2)),
                    .blocked_until = row.maybe_time(3).value_or(Time{})}};
  }

  // Goes round the owners until there are enough claims or no owner has a job due.
  void take_turns(std::size_t enough, std::size_t share, std::vector<Claim>& claims) {
    UserId owner = turns_.last(lane_);
    std::optional<UserId> idle_since;  // The first of consecutive owners with nothing due.
    for (int hops = 0; hops < kHopsMax && claims.size() < enough; ++hops) {
      auto next = next_owner(db_, lane_, owner);
      if (!next) next = next_owner(db_, lane_, {});
      if (!next || next == idle_since) break;
      owner = *next;
      const std::size_t before = claims.size();
      take_due(owner, std::min(share, enough - before), claims);
      if (claims.size() > before)
        idle_since.reset();
      else if (!idle_since)
        idle_since = owner;
    }
    turns_.served(lane_, owner);
  }

  // Reads all rows before it writes, because a claimed row leaves the index that finds them. A
  // level of priority is read only if the levels above it have too few jobs.
  std::vector<JobVersion> read_due(UserId owner, std::size_t limit) const {
    const Lifecycle& table = *request_.lifecycle;
    const auto states = takeable(table);
    std::vector<JobVersion> found;
    for (int priority = kPriorityMax; priority >= kPriorityMin && found.size() < limit;
         --priority) {
      Query rows{db_,
                 planted(PlantedBug::claim_of_paused) ? kDueOrPaused : kDue,
                 {lane_, now_, table.name, states[0], states[1], states[2], states[3], states[4],
                  states[5], limit - found.size(), owner, priority}};
      std::ranges::move(read_seen(rows, table), std::back_inserter(found));
    }
    return found;
  }

  // Rejects a job that waits to be claimed and whose request is refused by now.
  bool reject(const JobVersion& version) const {
    const Lifecycle& table = *version.lifecycle;
    if (!request_.refuses || !table.find(version.state, On::claim)) return false;
    if (!table.find(version.state, On::reject)) return false;
    Query row{db_, kRequestOf, {version.id}};
    const auto refusal = row.step() ? request_.refuses(row.text(0)) : std::nullopt;
    if (!refusal) return false;
    const Ask ask{
        .version = version, .on = On::reject, .reason = refusal->code, .detail = refusal->detail};
    return move_job(db_, ask, rules::Loss::none, now_).has_value();
  }

  std::size_t room_of(UserId owner) const {
    const std::size_t most = request_.per_owner;
    if (most == 0) return std::numeric_limits<std::size_t>::max();
    const auto leased = static_cast<std::size_t>(db_.number(kLeasedOfOwner, {lane_, owner}));
    return most - std::min(most, leased);
  }

  void take_due(UserId owner, std::size_t limit, std::vector<Claim>& claims) const {
    limit = std::min(limit, room_of(owner));
    for (int round = 0; round < kRejectRounds && limit > 0; ++round) {
      std::size_t rejected = 0;
      for (const JobVersion& version : read_due(owner, limit)) {
        if (reject(version))
          ++rejected;
        else if (auto claim = take(db_, version, request_.worker, now_))
          claims.push_back(*claim);
      }
      limit = rejected;  // As many more may be claimed.
    }
  }

  Connection& db_;
  OwnerTurns& turns_;
  const ClaimRequest& request_;
  const std::string lane_;
  const Time now_;
};

std::string lane_or_name(const std::string& lane, const Lifecycle& table) {
  return lane.empty() ? std::string{table.name} : lane;
}

// A worker that is not enlisted may not claim: it has no beat that would show its loss.
bool is_enlisted(Connection& db, WorkerId worker) { return db.number(kEnlisted, {worker}) == 1; }

}  // namespace

UserId OwnerTurns::last(const std::string& lane) const {
  const auto found = last_.find(lane);
  return found == last_.end() ? UserId{} : found->second;
}

void OwnerTurns::served(const std::string& lane, UserId owner) {
  if (last_.size() >= kTurnsMax && !last_.contains(lane)) last_.clear();
  last_[lane] = owner;
}

std::vector<Claim> claim_jobs(Connection& db, OwnerTurns& turns,
                              std::span<const ClaimRequest> requests, Time now) {
  std::vector<Claim> claims;
  for (const ClaimRequest& request : requests) {
    ensure(request.lifecycle != nullptr, "a claim names its lifecycle");
    if (is_enlisted(db, request.worker))
      LaneClaim{db, turns, request, lane_or_name(request.lane, *request.lifecycle), now}.run(
          request.limit, claims);
  }
  return claims;
}

std::vector<Claim> claim_added(Connection& db, OwnerTurns& turns, std::span<const NewJob> added,
                               const ClaimRequest& request, Time now) {
  std::vector<Claim> claims;
  if (!is_enlisted(db, request.worker)) return claims;
  std::set<std::string> lanes;
  for (const NewJob& job : added) {
    if (claims.size() >= request.limit) break;
    if (job.lifecycle != request.lifecycle || job.paused) continue;
    const auto [lane, is_new] = lanes.insert(lane_or_name(job.lane, *job.lifecycle));
    if (is_new)
      LaneClaim{db, turns, request, *lane, now}.run(request.limit - claims.size(), claims);
  }
  ensure(claims.size() <= request.limit, "a claim takes no more jobs than it asks for");
  return claims;
}

}  // namespace haul::sqlite
