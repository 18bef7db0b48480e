#include "api/json/job_csv.h"

#include <fmt/core.h>

#include "lifecycle/category.h"
#include "store/outcome.h"

namespace haul::api {
namespace {

std::string time_cell(const std::optional<Time>& at) { return at ? to_iso(*at) : std::string{}; }

std::string line_of(const JobView& view) {
  const Job& job = view.job;
  const auto outcome = outcome_of(job, view.counts);
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", job.version.id.value,
      csv_cell(job.version.lifecycle->name), csv_cell(job.version.state), name(job.state().end),
      outcome ? name(*outcome) : std::string_view{}, job.owner.value, to_iso(job.created_at),
      time_cell(job.started_at), to_iso(job.moved_at), time_cell(job.ended_at), job.version.attempt,
      job.paused, job.priority, csv_cell(job.reason), csv_cell(job.detail), view.counts.total,
      view.counts.downloaded, view.counts.skipped, view.counts.failed, view.counts.bytes,
      csv_cell(shown_request(*job.version.lifecycle, view.request, view.viewer)),
      csv_cell(category_of(job.version.lifecycle->request, view.request)));
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool is_formula = !text.empty() && std::string_view{"=+-@\t\r"}.contains(text.front());
  std::string cell = is_formula ? "'" : "";
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

std::string to_csv(const std::vector<JobView>& jobs) {
  std::string csv = std::string{kCsvHead} + "\r\n";
  for (const JobView& view : jobs) csv += line_of(view);
  return csv;
}

}  // namespace haul::api
