// `haul cancel --state FAILED` and the like: one action on all jobs that match a filter.

#include <fmt/core.h>

#include <ostream>

#include "base/json.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

constexpr int kCallsMax = 10'000;  // With 100 jobs each.

std::string filter_json(const MatchOptions& match) {
  std::string json;
  const auto add = [&json](std::string_view name, const std::string& value) {
    json += fmt::format("{}{}:{}", json.empty() ? "" : ",", json_quoted(name), value);
  };
  const auto text = [&add](std::string_view name, const std::string& value) {
    if (!value.empty()) add(name, json_quoted(value));
  };
  text("lifecycle", match.lifecycle);
  text("state", match.state);
  text("end", match.end);
  text("outcome", match.outcome);
  text("reason", match.reason);
  text("category", match.category);
  text("q", match.search);
  if (match.owner) add("owner", std::to_string(*match.owner));
  if (match.stuck) add("stuck", "true");
  return "{" + json + "}";
}

std::string body_of(JobAct act, const MatchOptions& match, const std::string& cursor) {
  std::string body = fmt::format(R"({{"action":"{}","filter":{},"dry_run":{})", verb_of(act),
                                 filter_json(match), match.dry_run);
  if (!cursor.empty()) body += fmt::format(R"(,"cursor":{})", json_quoted(cursor));
  return body + "}";
}

// "Job 7 (PENDING): cancel done", "Job 8 (COMPLETED): cancel refused: the job is COMPLETED".
std::string line_of(JobAct act, const JsonView& job) {
  const std::string id = cell_text(job.text("id"));
  const std::string state = cell_text(job.text("state"));
  const std::string outcome = job.text("outcome");
  const std::string begin = fmt::format("Job {} ({}): {}", id, state, verb_of(act));
  if (outcome == "would") return begin + " is possible";
  if (outcome == "accepted" || outcome == "done") return begin + " " + outcome;
  const std::string detail = cell_text(job.text("detail"));
  return begin + " refused" + (detail.empty() ? "" : ": ") + detail;
}

struct Sum {
  std::int64_t matched = 0;
  std::int64_t acted = 0;
};

std::string summary(JobAct act, const MatchOptions& match, const Sum& sum) {
  if (sum.matched == 0) return "No jobs match.";
  if (match.dry_run)
    return fmt::format("{} of {} matching jobs would be acted on by {}; nothing was changed",
                       sum.acted, sum.matched, verb_of(act));
  return fmt::format("{} of {} matching jobs: {} done or accepted", sum.acted, sum.matched,
                     verb_of(act));
}

std::string json_of(JobAct act, const MatchOptions& match, const Sum& sum,
                    const std::string& items) {
  return fmt::format(
      R"({{"items":[{}],"next":null,"action":"{}","dry_run":{},"matched":{},"acted":{}}})", items,
      verb_of(act), match.dry_run, sum.matched, sum.acted);
}

bool is_given(const MatchOptions& match) {
  return match.every || match.owner || match.stuck || !match.lifecycle.empty() ||
         !match.state.empty() || !match.end.empty() || !match.outcome.empty() ||
         !match.reason.empty() || !match.search.empty() || !match.category.empty();
}

}  // namespace

int run_act_matching(JobAct act, const MatchOptions& match, Remote remote) {
  Sum sum;
  std::string items;  // JSON, for --json.
  std::string cursor;
  for (int call = 0; call < kCallsMax; ++call) {
    const auto answer = ask(remote, {.method = "POST",
                                     .path = "/api/v1/jobs/actions",
                                     .body = body_of(act, match, cursor)});
    if (!answer) return tell(answer.error(), remote);
    const ListView part = read_list(answer->body).value_or(ListView{});
    const JsonView whole = JsonView::read(answer->body).value_or(JsonView{});
    sum.matched += whole.number("matched").value_or(0);
    sum.acted += whole.number("acted").value_or(0);
    for (const std::string& item : part.items) {
      items += (items.empty() ? "" : ",") + item;
      if (const auto job = JsonView::read(item); job && !remote.is_json())
        remote.terminal.out << line_of(act, *job) << "\n";
    }
    if (part.next.empty() || part.next == cursor) break;
    cursor = part.next;
  }
  if (remote.is_json())
    remote.terminal.out << safe_json(json_of(act, match, sum, items)) << "\n";
  else
    remote.terminal.out << summary(act, match, sum) << "\n";
  return match.dry_run || sum.acted == sum.matched ? 0 : 1;
}

int run_act_on(JobAct act, const ActOptions& options, Remote remote) {
  const bool by_filter = is_given(options.match);
  if (by_filter == !options.ids.empty())
    return tell(wrong_usage(by_filter ? "give job ids or a filter, not both"
                                      : "give job ids, or a filter such as --state; --every is all "
                                        "jobs"),
                remote);
  if (options.match.dry_run && !by_filter)
    return tell(wrong_usage("--dry-run: give a filter instead of job ids"), remote);
  return by_filter ? run_act_matching(act, options.match, remote)
                   : run_act(act, options.ids, remote);
}

}  // namespace haul::cli
