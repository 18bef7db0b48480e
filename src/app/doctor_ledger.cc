// The checks of `haul doctor` on credits, and on acts that jobs left open.

#include <fmt/core.h>

#include "app/doctor.h"
#include "store/inspect.h"
#include "store/open.h"

namespace haul::app {
namespace {

cli::Finding unsettled(std::int64_t count) {
  return {cli::Health::note, "acts",
          fmt::format("{} call{}, message{} or deletion{} of ended jobs never got an answer", count,
                      count == 1 ? "" : "s", count == 1 ? "" : "s", count == 1 ? "" : "s"),
          "look at the provider's bill or at the chat for what may have happened"};
}

}  // namespace

std::vector<cli::Finding> examine_ledger(const std::filesystem::path& data) {
  const LedgerLook look = inspect_ledger(store_url(data));
  std::vector<cli::Finding> findings;
  if (look.unsettled > 0) findings.push_back(unsettled(look.unsettled));
  if (look.problems.empty() && look.wallets > 0)
    findings.push_back({cli::Health::ok, "credits",
                        fmt::format("{} granted to {} user{}: available, reserved and spent add up",
                                    look.granted, look.wallets, look.wallets == 1 ? "" : "s")});
  for (const std::string& problem : look.problems)
    findings.push_back({cli::Health::wrong, "credits", problem,
                        "keep a copy of haul.db, and report this as a bug of haul"});
  return findings;
}

}  // namespace haul::app
