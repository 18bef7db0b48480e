// `haul backup` and `haul restore`.
#include <fmt/core.h>

#include <exception>
#include <ostream>

#include "api/json/answer_json.h"
#include "base/text.h"
#include "cli/commands/commands.h"

namespace haul::cli {
namespace {

int report(const std::exception& why, bool json, Terminal terminal) {
  if (json)
    terminal.out << api::to_json(
                        api::Answered{.ok = false, .code = "refused", .detail = why.what()})
                 << "\n";
  else
    terminal.err << "haul: " << printable(why.what()) << "\n";
  return 1;
}

// The keys revoked and users blocked since the backup, as the replaced database has them.
std::string carried_line(const Maintenance::Restored& restored) {
  if (!restored.keys || !restored.users)
    return "The old database cannot be read: keys revoked and users blocked since the backup may "
           "have access again; check haul keys and haul users\n";
  if (*restored.keys + *restored.users == 0) return {};
  return fmt::format("Carried over from it: {} revoked keys, {} blocked or deleted users\n",
                     *restored.keys, *restored.users);
}

}  // namespace

int run_backup(const BackupOptions& options, const Maintenance& maintenance, Terminal terminal) {
  try {
    maintenance.backup(options.data, options.file);
  } catch (const std::exception& why) {
    return report(why, options.json, terminal);
  }
  if (options.json)
    terminal.out << api::to_json(api::Answered{.ok = true, .file = options.file.string()}) << "\n";
  else
    terminal.out << fmt::format("Backed up to {}\n", printable(options.file.string()));
  return 0;
}

int run_restore(const BackupOptions& options, const Maintenance& maintenance, Terminal terminal) {
  Maintenance::Restored restored;
  try {
    restored = maintenance.restore(options.data, options.file);
  } catch (const std::exception& why) {
    return report(why, options.json, terminal);
  }
  if (options.json) {
    terminal.out << api::to_json(api::Answered{.ok = true,
                                               .file = options.file.string(),
                                               .replaced = restored.old.string(),
                                               .keys_revoked = restored.keys,
                                               .users_blocked = restored.users})
                 << "\n";
    return 0;
  }
  terminal.out << fmt::format("Restored from {}\n", printable(options.file.string()));
  if (!restored.old.empty())
    terminal.out << fmt::format("The old database is kept as {}\n",
                                printable(restored.old.string()))
                 << carried_line(restored);
  terminal.out << "All sessions have ended: log in again\n";
  terminal.out << "haul sends, pays, deletes and adds nothing at clients until an admin runs: haul "
                  "resume --all\n";
  return 0;
}

}  // namespace haul::cli
