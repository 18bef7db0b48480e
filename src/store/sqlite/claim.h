#pragma once
// Claims due jobs of a lane, whose owners take turns; inside the writer's transaction.

#include <map>
#include <span>
#include <string>

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Remembers which owner in a lane had its turn last. In memory only: a restart resets the turns.
class OwnerTurns {
 public:
  UserId last(const std::string& lane) const;
  void served(const std::string& lane, UserId owner);

 private:
  std::map<std::string, UserId> last_;
};

std::vector<Claim> claim_jobs(Connection& db, OwnerTurns& turns,
                              std::span<const ClaimRequest> requests, Time now);
// Claims from the lanes of jobs that were just added. The request's limit counts over all of them.
std::vector<Claim> claim_added(Connection& db, OwnerTurns& turns, std::span<const NewJob> added,
                               const ClaimRequest& request, Time now);

}  // namespace haul::sqlite
