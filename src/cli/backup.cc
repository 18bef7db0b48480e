// `haul backup` and `haul restore`.
#include <fmt/core.h>

#include <exception>
#include <ostream>

#include "api/answer_json.h"
#include "base/text.h"
#include "cli/commands.h"

namespace haul {
namespace {

int report(const std::exception& why, bool json, Terminal terminal) {
  if (json)
    terminal.out << to_json(Answered{.ok = false, .code = "refused", .detail = why.what()}) << "\n";
  else
    terminal.err << "haul: " << printable(why.what()) << "\n";
  return 1;
}

}  // namespace

int run_backup(const BackupOptions& options, const Maintenance& maintenance, Terminal terminal) {
  try {
    maintenance.backup(options.data, options.file);
  } catch (const std::exception& why) {
    return report(why, options.json, terminal);
  }
  if (options.json)
    terminal.out << to_json(Answered{.ok = true, .file = options.file.string()}) << "\n";
  else
    terminal.out << fmt::format("Backed up to {}\n", printable(options.file.string()));
  return 0;
}

int run_restore(const BackupOptions& options, const Maintenance& maintenance, Terminal terminal) {
  std::filesystem::path old;
  try {
    old = maintenance.restore(options.data, options.file);
  } catch (const std::exception& why) {
    return report(why, options.json, terminal);
  }
  if (options.json) {
    terminal.out << to_json(Answered{
                        .ok = true, .file = options.file.string(), .replaced = old.string()})
                 << "\n";
    return 0;
  }
  terminal.out << fmt::format("Restored from {}\n", printable(options.file.string()));
  if (!old.empty())
    terminal.out << fmt::format("The old database is kept as {}\n", printable(old.string()));
  terminal.out << "haul sends, pays, deletes and adds nothing at clients until an admin runs: haul "
                  "resume --all\n";
  return 0;
}

}  // namespace haul
