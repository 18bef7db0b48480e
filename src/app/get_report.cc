#include "app/get_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "api/live/job_sum.h"
#include "app/progress.h"
#include "base/metalink.h"
#include "base/receipt.h"

namespace haul::app {
namespace {

constexpr std::size_t kFailuresTold = 1'000;

// The kind of evidence. The engine writes it as the first member.
std::string kind_of_evidence(std::string_view evidence) {
  constexpr std::string_view kKind = R"({"kind":")";
  if (!evidence.starts_with(kKind)) return {};
  evidence.remove_prefix(kKind.size());
  return std::string{evidence.substr(0, evidence.find('"'))};
}

// Whether the receipt may have this member. Most receipts do not, and a search is far faster than
// reading one. It leaves out the quote before the name, because a receipt is full of quotes.
bool may_have(std::string_view evidence, std::string_view member) {
  return evidence.find(member) != std::string_view::npos;
}

// Why the bytes of a former link are not in the file. Empty if they are, or there were none.
std::string why_over(std::string_view evidence) {
  if (!may_have(evidence, "started_over")) return {};
  const ReceiptFacts facts = read_receipt(evidence);
  if (facts.kind == kAlreadyHere || facts.started_over.empty()) return {};
  return fmt::format("started over: {}", facts.started_over);
}

// What haul decided about an older version of the file. Empty if there is none.
std::string why_beside(std::string_view evidence) {
  if (may_have(evidence, "compared") && read_receipt(evidence).compared)
    return "fetched and compared: the bytes are those of the file that is here, which stays";
  if (!may_have(evidence, "beside")) return {};
  const ReceiptFacts facts = read_receipt(evidence);
  const std::string older = facts.kind == kAlreadyHere ? "" : facts.beside;  // Said before.
  return older.empty() ? ""
                       : fmt::format("the server has a new version; the old file stays: {}",
                                     std::filesystem::path{older}.filename().string());
}

std::optional<std::int64_t> left_of(const flow::TransferView& view) {
  return view.size ? std::optional{*view.size - view.have} : std::nullopt;
}

}  // namespace

void GetReport::see(const flow::ItemEnded& item) {
  if (item.job != job_) return;
  if (item.reason == kIsMetalink) return metalinks_.push_back(item.url);
  cli::ItemEnd end{.name = name_of(item.path, item.url),
                   .key = item.key,
                   .url = item.url,
                   .ok = item.on == On::landed,
                   .skipped = item.on == On::skip,
                   .size = item.size,
                   .reason = item.reason,
                   .detail = item.detail,
                   .evidence = kind_of_evidence(item.evidence)};
  if (end.ok) end.detail = why_beside(item.evidence);
  if (end.ok && end.detail.empty()) end.detail = why_over(item.evidence);
  if (end.ok && end.evidence != kAlreadyHere) landed_bytes_ += item.size;
  received_ = std::max(received_, item.received);
  if (item.on == On::fail && failures_.size() < kFailuresTold) {
    failures_.push_back(end);
    failures_.back().is_told = true;  // Its line is printed with the next take_ended().
  }
  ended_.push_back(std::move(end));
}

cli::GetView GetReport::view(const flow::Worker& worker) {
  const Counts counts = store_.items().counts(job_);
  const std::int64_t not_files = std::ssize(metalinks_);
  cli::GetView view{.total = counts.total - not_files,
                    .downloaded = counts.downloaded,
                    .skipped = counts.skipped,
                    .failed = counts.failed - not_files,
                    .enumerated = counts.enumerated};
  const Steady now = clock_.steady();
  std::map<std::int64_t, Speed> speeds;
  for (const flow::TransferView& each : worker.transfers(job_)) {
    Speed& speed = speeds[each.item] = std::move(speeds_[each.item]);
    speed.see(now, each.received);
    view.active.push_back({.item = each.item,
                           .name = name_of(each.path, each.url),
                           .url = each.url,
                           .path = each.path,
                           .have = each.have,
                           .size = each.size,
                           .speed = speed.per_second(),
                           .eta = eta(left_of(each), speed.per_second()),
                           .status = status_of(each),
                           .retries = each.retry_in.has_value()});
  }
  speeds_ = std::move(speeds);
  const flow::OpenItems open = worker.open_items(job_).value_or(flow::OpenItems{});
  total_.see(now, open.received);
  view.speed = total_.per_second();
  const api::JobSum sum = api::sum_of(counts, open, view.speed);
  view.have_bytes = sum.have;
  view.size_bytes = sum.size;
  view.eta = sum.eta;
  view.size_least = sum.size_least;
  view.eta_least = sum.eta_least;
  view.remark = waits_because(worker);
  if (view.remark.empty() && !open.waits_for.empty())
    view.remark = fmt::format("Waiting for {}", open.waits_for);
  return view;
}

std::vector<cli::ItemEnd> GetReport::take_ended() { return std::exchange(ended_, {}); }

cli::GetSummary GetReport::summary(cli::GetEnding ending) {
  const Counts counts = store_.items().counts(job_);
  const auto job = store_.reader().find(job_);
  const std::int64_t not_files = std::ssize(metalinks_);
  cli::GetSummary summary{.ending = ending,
                          .total = counts.total - not_files,
                          .downloaded = counts.downloaded,
                          .skipped = counts.skipped,
                          .failed = counts.failed - not_files,
                          .bytes = landed_bytes_,
                          .resumed = std::max<std::int64_t>(landed_bytes_ - received_, 0),
                          .passed = clock_.steady() - began_,
                          .failures = failures_};
  if (job && job->state().end == End::stopped) summary.ending = cli::GetEnding::cancelled;
  if (job && job->state().end == End::bad) {
    summary.failed = std::max<std::int64_t>(summary.failed, 1);
    summary.failures.push_back(
        {.name = "the whole job", .url = {}, .reason = job->reason, .detail = job->detail});
  }
  return summary;
}

std::string GetReport::waits_because(const flow::Worker& worker) const {
  if (const auto& outage = worker.outage())
    return fmt::format("Waiting: {}", outage->code == "disk_full"
                                          ? "the disk of haul's own state is full"
                                          : "haul's own state is locked by another process");
  if (worker.held() > 0) return {};
  const auto job = store_.reader().find(job_);
  if (!job || job->reason.empty() || !job->state().is_open()) return {};
  if (job->detail.empty()) return fmt::format("Waiting: {}", job->reason);
  return fmt::format("Waiting: {}: {}", job->reason, job->detail);
}

}  // namespace haul::app
