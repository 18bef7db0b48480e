#pragma once
// Claims: due jobs of a lane, its owners in turn; inside the writer's transaction.

#include <map>
#include <span>
#include <string>

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Which owner of a lane had its turn last. Kept in memory: after a restart the turns begin anew.
class OwnerTurns {
 public:
  UserId last(const std::string& lane) const;
  void served(const std::string& lane, UserId owner);

 private:
  std::map<std::string, UserId> last_;
};

std::vector<Claim> claim_jobs(Connection& db, OwnerTurns& turns, std::span<const ClaimAsk> asks,
                              Time now);
// The same in the lanes of jobs that were just added, within the limit of one ask for all of them.
std::vector<Claim> claim_added(Connection& db, OwnerTurns& turns, std::span<const NewJob> added,
                               const ClaimAsk& ask, Time now);

}  // namespace haul::sqlite
