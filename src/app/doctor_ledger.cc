// The check of `haul doctor` on credits.

#include <fmt/core.h>

#include "app/doctor.h"
#include "store/inspect.h"
#include "store/open.h"

namespace haul::app {

std::vector<cli::Finding> examine_ledger(const std::filesystem::path& data) {
  const LedgerLook look = inspect_ledger(store_url(data));
  if (look.problems.empty() && look.wallets == 0) return {};
  if (look.problems.empty())
    return {{cli::Health::ok, "credits",
             fmt::format("{} granted to {} user{}: available, reserved and spent add up",
                         look.granted, look.wallets, look.wallets == 1 ? "" : "s")}};
  std::vector<cli::Finding> findings;
  for (const std::string& problem : look.problems)
    findings.push_back({cli::Health::wrong, "credits", problem,
                        "keep a copy of haul.db, and report this as a bug of haul"});
  return findings;
}

}  // namespace haul::app
