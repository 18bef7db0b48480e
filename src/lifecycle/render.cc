#include "lifecycle/render.h"

#include <fmt/core.h>

#include <algorithm>

namespace haul {
namespace {

std::string join(const StateSet& names) {
  std::string out;
  for (const std::string_view each : names) out += (out.empty() ? "" : ", ") + std::string{each};
  return out;
}

template <class Words>
std::string join_names(const Words& words) {
  std::string out;
  for (const auto word : words) out += (out.empty() ? "" : ", ") + std::string{name(word)};
  return out;
}

std::string stuck_text(const State& state) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(state.stuck_after).count();
  if (minutes == 0) return "";
  return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60) : fmt::format("{} min", minutes);
}

constexpr std::size_t kEndWidth = 7;  // The length of "stopped", the longest name.

std::string_view end_text(const State& state) { return name(state.end); }

std::string facts(const Lifecycle& table) {
  std::string out = fmt::format("Starts in `{}`. ", table.initial().name);
  if (table.attempts_max > 0) out += fmt::format("At most {} attempts. ", table.attempts_max);
  if (table.is_claimed())
    out += fmt::format("A worker that sends no heartbeat for {} s loses the job. ",
                       table.lease_after.count());
  if (!table.slot.empty()) out += fmt::format("One open job per slot ({}). ", join(table.slot));
  if (table.key.scope != KeyScope::none)
    out += fmt::format("Key: {}, {}. ", join(table.key.fields), name(table.key.scope));
  const std::string guards = join_names(table.add.guards);
  const std::string effects = join_names(table.add.effects);
  if (!guards.empty()) out += fmt::format("Adding is guarded by {}. ", guards);
  if (!effects.empty()) out += fmt::format("Adding does {}. ", effects);
  out.pop_back();
  return out;
}

}  // namespace

std::string_view to_text(const Answer& answer) {
  switch (answer.kind) {
    case AnswerKind::open:
      return "";
    case AnswerKind::never:
      return "never";
    case AnswerKind::stay:
      return "stay";
    case AnswerKind::refused:
      return "refused";
    case AnswerKind::adopt:
      return "adopt";
    case AnswerKind::go:
      return answer.to;
  }
  return "";  // Not reached: the switch is complete.
}

std::string to_mermaid(const Lifecycle& table) {
  std::string out = "stateDiagram-v2\n";
  out += fmt::format("  [*] --> {}\n", table.initial().name);
  for (const Move& move : table.moves)
    for (const std::string_view from : move.from)
      out += fmt::format("  {} --> {}: {} ({})\n", from, move.to, name(move.on), name(move.by));
  for (const State& state : table.states)
    if (!state.is_open()) out += fmt::format("  {} --> [*]\n", state.name);
  return out;
}

std::string to_markdown(const Lifecycle& table) {
  std::string out = fmt::format("## {}\n\n{}\n\n", table.name, facts(table));
  out +=
      "| state | end | step | leased | stuck after | on fault | on fail | on lost | on cancel |\n";
  out += "|---|---|---|---|---|---|---|---|---|\n";
  for (const State& s : table.states)
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", s.name, end_text(s),
                       name(s.step), s.is_leased() ? "yes" : "", stuck_text(s), to_text(s.on_fault),
                       to_text(s.on_fail), to_text(s.on_lost), to_text(s.on_cancel));
  out += "\n| from | on | by | to | guards | needs | effects | bound | origin |\n";
  out += "|---|---|---|---|---|---|---|---|---|\n";
  for (const Move& m : table.moves)
    out += fmt::format("| {} | {} | {} | `{}` | {} | {} | {} | {} | {} |\n", join(m.from),
                       name(m.on), name(m.by), m.to, join_names(m.terms.guards),
                       m.terms.needs == Proof::none ? "" : name(m.terms.needs),
                       join_names(m.terms.effects),
                       m.terms.bound == Bound::none ? "" : name(m.terms.bound), m.origin);
  out += fmt::format("\n```mermaid\n{}```\n", to_mermaid(table));
  return out;
}

std::string to_text(const Lifecycle& table) {
  std::size_t width = 0;
  for (const State& s : table.states) width = std::max(width, s.name.size());
  std::string out = fmt::format("{}\n", table.name);
  for (const State& s : table.states) {
    out += fmt::format("  {:<{}}  {}", s.name, width, end_text(s));
    std::string exits;
    for (const Move& m : table.moves)
      if (m.from.contains(s.name))
        exits += fmt::format("{}{} > {}", exits.empty() ? "" : ", ", name(m.on), m.to);
    const std::size_t gap = 2 + kEndWidth - end_text(s).size();
    out += exits.empty() ? "\n" : fmt::format("{:{}}{}\n", "", gap, exits);
  }
  return out;
}

}  // namespace haul
