// `haul jobs` and `haul stuck`.

#include <fmt/core.h>

#include <ostream>
#include <ranges>

#include "api/json/job_csv.h"
#include "base/text.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

std::string list_path(const JobsOptions& options) {
  std::string query;
  const auto filter = [&query](std::string_view name, const std::string& value) {
    if (!value.empty())
      query += fmt::format("{}{}={}", query.empty() ? '?' : '&', name, url_encoded(value));
  };
  filter("lifecycle", options.lifecycle);
  filter("state", options.state);
  filter("end", options.end);
  filter("outcome", options.outcome);
  filter("owner", options.owner ? std::to_string(*options.owner) : "");
  filter("stuck", options.stuck ? "true" : "");
  filter("category", options.category);
  filter("q", options.search);
  filter("sort", options.sort);
  return "/api/v1/jobs" + query;
}

int print_jobs(Remote remote, const Walk& what, std::string_view none) {
  if (remote.is_json()) return print_list(remote, what);
  Table table = jobs_table(remote);
  ShownItems listed;
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const std::string& item : page.items)
      if (const auto job = JsonView::read(item)) add_job(table, *job);
    listed.add(page);
    if (!page.items.empty()) remote.terminal.out << table.text();
  });
  if (!next) return tell(next.error(), remote);
  if (!next->empty())
    remote.terminal.out << more_line(what, listed, "jobs");
  else if (listed.shown == 0)
    remote.terminal.out << none << "\n";
  return 0;
}

// A value of a job as a cell. Only text can be a formula; a number such as -1 is none.
std::string cell_of(const JsonView& view, std::string_view name) {
  const std::string json = view.json(name);
  if (json.starts_with('"')) return api::csv_cell(printable(view.text(name)));
  return json.starts_with('{') ? api::csv_cell(printable(json)) : json;
}

std::string csv_line(const JsonView& job) {
  const JsonView counts = job.object("counts");
  std::string line;
  for (const auto part : std::views::split(api::kCsvHead, ',')) {
    const std::string_view name{part};
    const std::string_view count = name == "items" ? "total" : name;
    line += (line.empty() ? "" : ",") +
            (counts.json(count).empty() ? cell_of(job, name) : counts.json(count));
  }
  return line + "\r\n";
}

// The columns of the API's CSV.
int print_csv(Remote remote, const Walk& what) {
  remote.terminal.out << api::kCsvHead << "\r\n";
  ShownItems listed;
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const std::string& item : page.items)
      if (const auto job = JsonView::read(item)) remote.terminal.out << csv_line(*job);
    listed.add(page);
  });
  if (!next) return tell(next.error(), remote);
  if (!next->empty()) remote.terminal.err << more_line(what, listed, "jobs");
  return 0;
}

}  // namespace

int run_jobs(const JobsOptions& options, Remote remote) {
  const Walk what{.path = list_path(options), .page = options.page};
  return options.csv ? print_csv(remote, what) : print_jobs(remote, what, "No jobs found.");
}

int run_stuck(const PageOptions& options, Remote remote) {
  return print_jobs(remote, {.path = "/api/v1/stuck", .page = options, .default_limit = 100},
                    "Nothing is stuck.");
}

}  // namespace haul::cli
