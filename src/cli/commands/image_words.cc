#include "cli/commands/image_words.h"

#include <fmt/core.h>

#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "cli/draw/job_lines.h"

namespace haul::cli {
namespace {

struct NextStep {
  std::string_view code;
  std::string_view next;
};
constexpr NextStep kSteps[] = {
    {"prompt_too_long", "shorten the prompt; nothing was paid"},
    {"prompt_empty", "say what the image shows; nothing was paid"},
    {"prompt_blocked", "change the prompt; nothing was paid"},
    {"no_credit", "an admin can grant credits: haul credits USER grant AMOUNT"},
    {"too_many_open",
     "wait until one of your images ends: haul jobs --lifecycle image --end open lists them"},
    {"too_fast", "wait a minute, then run the same command again; nothing was paid"},
    {"safety_block", "change the prompt: the provider refuses this one"},
};

}  // namespace

std::string next_step(std::string_view code) {
  for (const NextStep& step : kSteps)
    if (step.code == code) return std::string{step.next};
  return {};
}

Failure with_next_step(Failure failure) {
  const auto error = JsonView::read(failure.json);
  const std::string next = error ? next_step(error->text("code")) : "";
  if (!next.empty()) failure.line += "; " + next;
  return failure;
}

Failure no_image(const JsonView& job) {
  const std::string reason = job.text("reason");
  const std::string detail = job.text("detail");
  std::string why = fmt::format("job {} is {}", job.text("id"), state_of(job));
  if (!detail.empty()) why += ": " + detail;
  std::string next = next_step(reason);
  if (next.empty() && !job.list("allowed").empty())
    next = fmt::format(
        "haul why {0} explains it; haul retry {0} tries again as a new job, which is paid again",
        job.text("id"));
  std::string line = printable(why);
  if (!reason.empty()) line += fmt::format(" ({})", printable(reason));
  if (!next.empty()) line += "; " + printable(next);
  return {.line = std::move(line),
          .json = fmt::format(R"({{"code":{},"detail":{},"job":{}}})",
                              json_quoted(reason.empty() ? "no_image" : reason), json_quoted(why),
                              job.number("id").value_or(0))};
}

std::string later_command(std::int64_t job, const std::string& output) {
  std::string command = fmt::format("haul image --job {}", job);
  if (!output.empty()) command += " -o " + output;
  return command;
}

}  // namespace haul::cli
