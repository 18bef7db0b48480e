#include "cli/remote/watch_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/draw/job_lines.h"

namespace haul::cli {
namespace {

std::optional<std::chrono::seconds> eta_of(const JsonView& view, std::string_view name = "eta") {
  const auto eta = view.number(name);
  return eta ? std::optional{std::chrono::seconds{*eta}} : std::nullopt;
}

}  // namespace

std::string base_name(const std::string& path) {
  const std::size_t end = path.find_last_not_of('/');
  if (end == std::string::npos) return path;
  const std::size_t slash = path.find_last_of('/', end);
  return path.substr(slash == std::string::npos ? 0 : slash + 1,
                     end - (slash == std::string::npos ? 0 : slash + 1) + 1);
}

std::vector<FileView> files_of(const JsonView& progress) {
  std::vector<FileView> files;
  for (const std::string& text : progress.list("items")) {
    const auto item = JsonView::read(text);
    if (!item) continue;
    files.push_back({.item = item->number("n").value_or(0),
                     .name = item->text("name"),
                     .have = item->number("have").value_or(0),
                     .size = item->number("size"),
                     .speed = static_cast<double>(item->number("speed").value_or(0)),
                     .eta = eta_of(*item),
                     .status = item->text("status"),
                     .retries = item->number("retry_in").has_value()});
  }
  return files;
}

GetView view_of_job(const JsonView& job, const JsonView& progress) {
  const JsonView counts = job.object("counts");
  // While a job is paused, the last progress event tells of what is over.
  const bool is_live = !progress.is_empty() && !job.flag("paused");
  const JsonView sums = is_live ? progress : job.object("progress");
  GetView view{.active = is_live ? files_of(progress) : std::vector<FileView>{},
               .total = counts.number("total").value_or(0),
               .downloaded = counts.number("downloaded").value_or(0),
               .skipped = counts.number("skipped").value_or(0),
               .failed = counts.number("failed").value_or(0),
               .enumerated = counts.json("enumerated") != "false",
               .have_bytes = sums.number("have").value_or(0),
               .size_bytes = sums.number("size"),
               .speed = static_cast<double>(sums.number("speed").value_or(0)),
               .eta = eta_of(sums),
               .size_least = sums.number("size_least"),
               .eta_least = eta_of(sums, "eta_least")};
  if (view.total == 0) {  // A job without items counts as one file.
    view.total = 1;
    view.enumerated = true;
    if (view.active.empty())
      view.active.push_back({.name = title_of(job),
                             .have = view.have_bytes,
                             .size = view.size_bytes,
                             .speed = view.speed,
                             .eta = view.eta,
                             .status = view.speed > 0 ? "" : state_of(job)});
  }
  const std::string reason = job.text("reason");
  if (job.flag("paused"))
    view.remark = fmt::format("Paused: haul resume {} continues it", job.text("id"));
  else if (const std::string host = sums.text("waits_for"); !host.empty())
    view.remark = "Waiting for " + host;
  else if (view.active.empty() && !reason.empty())
    view.remark = "Waiting: " + reason;
  return view;
}

ItemEnd end_of(const JsonView& note, const std::map<std::string, std::int64_t>& sizes) {
  const JsonView data = note.object("data");
  const std::string path = data.text("file_path");
  const std::string name = base_name(path.empty() ? data.text("file_id") : path);
  const auto size = sizes.find(name);
  return {.name = name,
          .url = {},
          .ok = data.flag("success"),
          .size = size == sizes.end() ? -1 : size->second};
}

ItemEnd failure_of_item(const JsonView& item) {
  const std::string path = item.text("path");
  return {.name = base_name(path.empty() ? item.text("url") : path),
          .url = item.text("url"),
          .reason = item.text("reason"),
          .detail = item.text("detail")};
}

GetSummary summary_of(const JsonView& job) {
  const JsonView counts = job.object("counts");
  const std::string end = job.text("end");
  GetSummary summary{.total = counts.number("total").value_or(0),
                     .downloaded = counts.number("downloaded").value_or(0),
                     .skipped = counts.number("skipped").value_or(0),
                     .failed = counts.number("failed").value_or(0),
                     .bytes = -1};
  const std::vector<std::string> allowed = job.list("allowed");
  const bool may_retry = std::ranges::find(allowed, "retry") != allowed.end();
  summary.again = may_retry ? fmt::format("haul retry {}", job.text("id")) : "";
  if (end == "stopped") summary.ending = GetEnding::cancelled;
  const bool is_one = summary.total == 0 && job.text("outcome") == "whole";  // It has no items.
  if (is_one) summary.total = summary.downloaded = 1;
  if (end == "bad") {
    summary.failed = std::max<std::int64_t>(summary.failed, 1);
    summary.failures.push_back({.name = "the whole job",
                                .url = {},
                                .reason = job.text("reason"),
                                .detail = job.text("detail")});
  }
  return summary;
}

}  // namespace haul::cli
