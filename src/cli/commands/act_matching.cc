// `haul cancel --state FAILED` and the like: one action on all jobs that match a filter.

#include <fmt/core.h>

#include <ostream>

#include "base/json.h"
#include "cli/draw/bytes.h"
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

std::string body_of(JobAct act, const ActOptions& options, const std::string& cursor) {
  std::string body = fmt::format(R"({{"action":"{}","filter":{},"dry_run":{})", verb_of(act),
                                 filter_json(options.match), options.match.dry_run);
  if (options.files) body += R"(,"files":true)";
  if (!cursor.empty()) body += fmt::format(R"(,"cursor":{})", json_quoted(cursor));
  return body + "}";
}

// "2 files (1.5 KiB)"
std::string files_text(std::int64_t files, std::int64_t bytes) {
  return fmt::format("{} file{} ({})", count_text(files), files == 1 ? "" : "s", bytes_text(bytes));
}

// "Job 7 (PENDING): cancel done", "Job 8 (COMPLETED): cancel refused: the job is COMPLETED".
std::string line_of(JobAct act, const JsonView& job) {
  const std::string id = cell_text(job.text("id"));
  const std::string state = cell_text(job.text("state"));
  const std::string outcome = job.text("outcome");
  const std::string begin = fmt::format("Job {} ({}): {}", id, state, verb_of(act));
  const auto files = job.number("files");
  const std::string more =
      files ? fmt::format(", with {}", files_text(*files, job.number("bytes").value_or(0))) : "";
  if (outcome == "would") return begin + " is possible" + more;
  if (outcome == "accepted" || outcome == "done") return begin + " " + outcome + more;
  const std::string detail = cell_text(job.text("detail"));
  return begin + " refused" + (detail.empty() ? "" : ": ") + detail;
}

struct Sum {
  std::int64_t matched = 0;
  std::int64_t acted = 0;
  std::int64_t files = 0;
  std::int64_t bytes = 0;
};

std::string summary(JobAct act, const ActOptions& options, const Sum& sum) {
  if (sum.matched == 0) return "No jobs match.";
  const std::string files =
      options.files ? fmt::format(", with {}", files_text(sum.files, sum.bytes)) : "";
  if (options.match.dry_run)
    return fmt::format("{} of {} matching jobs would be acted on by {}{}; nothing was changed",
                       sum.acted, sum.matched, verb_of(act), files);
  return fmt::format("{} of {} matching jobs: {} done or accepted{}", sum.acted, sum.matched,
                     verb_of(act), files);
}

std::string json_of(JobAct act, const ActOptions& options, const Sum& sum,
                    const std::string& items) {
  const std::string files =
      options.files ? fmt::format(R"(,"files":{},"bytes":{})", sum.files, sum.bytes) : "";
  return fmt::format(
      R"({{"items":[{}],"next":null,"action":"{}","dry_run":{},"matched":{},"acted":{}{}}})", items,
      verb_of(act), options.match.dry_run, sum.matched, sum.acted, files);
}

bool is_given(const MatchOptions& match) {
  return match.every || match.owner || match.stuck || !match.lifecycle.empty() ||
         !match.state.empty() || !match.end.empty() || !match.outcome.empty() ||
         !match.reason.empty() || !match.search.empty() || !match.category.empty();
}

// In as many requests as it takes.
int run_act_matching(JobAct act, const ActOptions& options, Remote remote) {
  Sum sum;
  std::string items;  // JSON, for --json.
  std::string cursor;
  for (int call = 0; call < kCallsMax; ++call) {
    const auto answer = ask(
        remote,
        {.method = "POST", .path = "/api/v1/jobs/actions", .body = body_of(act, options, cursor)});
    if (!answer) return tell(answer.error(), remote);
    const ListView part = read_list(answer->body).value_or(ListView{});
    const JsonView whole = JsonView::read(answer->body).value_or(JsonView{});
    sum.matched += whole.number("matched").value_or(0);
    sum.acted += whole.number("acted").value_or(0);
    sum.files += whole.number("files").value_or(0);
    sum.bytes += whole.number("bytes").value_or(0);
    for (const std::string& item : part.items) {
      items += (items.empty() ? "" : ",") + item;
      if (const auto job = JsonView::read(item); job && !remote.is_json())
        remote.terminal.out << line_of(act, *job) << "\n";
    }
    if (part.next.empty() || part.next == cursor) break;
    cursor = part.next;
  }
  if (remote.is_json())
    remote.terminal.out << safe_json(json_of(act, options, sum, items)) << "\n";
  else
    remote.terminal.out << summary(act, options, sum) << "\n";
  return options.match.dry_run || sum.acted == sum.matched ? 0 : 1;
}

}  // namespace

int run_act_on(JobAct act, const ActOptions& options, Remote remote) {
  const bool by_filter = is_given(options.match);
  if (by_filter == !options.ids.empty())
    return tell(wrong_usage(by_filter ? "give job ids or a filter, not both"
                                      : "give job ids, or a filter such as --state; --every is all "
                                        "jobs"),
                remote);
  if (options.match.dry_run && !by_filter)
    return tell(wrong_usage("--dry-run: give a filter instead of job ids"), remote);
  return by_filter
             ? run_act_matching(act, options, remote)
             : run_act(act, options.ids, remote, options.files ? JobFiles::remove : JobFiles::keep);
}

}  // namespace haul::cli
