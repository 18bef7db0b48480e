// `haul lifecycle`: prints the lifecycle tables.
#include <fmt/core.h>

#include <ostream>
#include <string_view>
#include <vector>

#include "api/json/lifecycle_json.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "lifecycle/render.h"
#include "lifecycle/tables.h"

namespace haul::cli {
namespace {

constexpr std::string_view kPageHead =
    "# Lifecycles\n\n"
    "The states and moves of each lifecycle: who may make a move, and what happens in each state\n"
    "when something goes wrong. `haul lifecycle --markdown` writes this page; a test compares "
    "it.\n";

std::string unknown_name(std::string_view wanted) {
  std::vector<std::string_view> names;
  for (const Lifecycle* table : all_lifecycles()) names.push_back(table->name);
  const std::string_view like = nearest(wanted, names);
  return fmt::format("haul: there is no lifecycle '{}'{}", printable(wanted),
                     like.empty() ? "" : fmt::format(" (did you mean '{}'?)", like));
}

std::string render(const std::vector<const Lifecycle*>& tables, LifecycleForm form, bool whole) {
  if (form == LifecycleForm::json) return api::to_json(tables) + "\n";
  std::string out;
  if (form == LifecycleForm::markdown && whole) out += kPageHead;
  for (const Lifecycle* table : tables) {
    if (!out.empty()) out += "\n";
    if (form == LifecycleForm::text) out += to_text(*table);
    if (form == LifecycleForm::mermaid) out += to_mermaid(*table);
    if (form == LifecycleForm::markdown) out += to_markdown(*table);
  }
  return out;
}

}  // namespace

int run_lifecycle(const LifecycleOptions& options, Terminal terminal) {
  std::vector<const Lifecycle*> tables;
  for (const Lifecycle* table : all_lifecycles())
    if (options.name.empty() || table->name == options.name) tables.push_back(table);
  if (tables.empty()) {
    terminal.err << unknown_name(options.name) << "\n";
    return 2;
  }
  terminal.out << render(tables, options.form, options.name.empty());
  return 0;
}

}  // namespace haul::cli
