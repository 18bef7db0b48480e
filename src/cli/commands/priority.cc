// `haul priority`: which of a user's jobs in a lane begins first.

#include <fmt/core.h>

#include <ostream>

#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

struct PriorityWord {
  std::string_view word;
  std::string_view number;
  int priority;
};
constexpr PriorityWord kWords[] = {{"low", "-1", -1}, {"normal", "0", 0}, {"high", "1", 1}};

std::string_view word_of(int priority) {
  for (const PriorityWord& each : kWords)
    if (each.priority == priority) return each.word;
  return "";
}

}  // namespace

std::optional<int> priority_named(std::string_view text) {
  for (const PriorityWord& each : kWords)
    if (text == each.word || text == each.number) return each.priority;
  return std::nullopt;
}

std::string wrong_priority(const std::string& text) {
  if (priority_named(text)) return "";
  return fmt::format("\"{}\" is no priority: expected low, normal or high", text);
}

int run_priority(const PriorityOptions& options, Remote remote) {
  const auto priority = priority_named(options.priority);
  if (!priority) return tell(wrong_usage("PRIORITY: expected low, normal or high"), remote);
  int code = 0;
  for (const std::int64_t id : options.ids) {
    const auto answer = ask(remote, {.method = "POST",
                                     .path = job_path(id, "/priority"),
                                     .body = fmt::format(R"({{"priority":{}}})", *priority)});
    if (!answer) {
      code = tell(answer.error(), remote, remote.is_json() ? "" : fmt::format("job {}: ", id));
      continue;
    }
    if (remote.is_json())
      remote.terminal.out << safe_json(answer->body) << "\n";
    else
      remote.terminal.out << fmt::format("Job {} has {} priority\n", id, word_of(*priority));
  }
  return code;
}

}  // namespace haul::cli
