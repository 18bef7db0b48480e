#include "api/live/meter.h"

#include <fmt/core.h>

namespace haul::api {
namespace {

constexpr std::size_t kReasonsMax = 500;
constexpr std::size_t kReasonLengthMax = 64;

// Reasons are snake_case. Other characters are replaced, so that no reason can break a line.
std::string label(std::string_view reason) {
  std::string out{reason.substr(0, kReasonLengthMax)};
  for (char& c : out)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) c = '_';
  return out;
}

std::string head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}
std::string one(std::string_view name, std::string_view type, std::string_view help,
                std::uint64_t value) {
  return head(name, type, help) + fmt::format("{} {}\n", name, value);
}

}  // namespace

void Histogram::see(std::int64_t value) {
  std::size_t bucket = 0;
  while (bucket < kBoundsMs.size() && value > kBoundsMs.at(bucket)) ++bucket;
  const Lock lock{mutex_};
  ++counts_.at(bucket);
  sum_ += static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

std::string Histogram::text(std::string_view name, std::string_view help, double scale) const {
  const Lock lock{mutex_};
  std::string out = fmt::format("# HELP {0} {1}\n# TYPE {0} histogram\n", name, help);
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < kBoundsMs.size(); ++i) {
    so_far += counts_.at(i);
    out += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name,
                       static_cast<double>(kBoundsMs.at(i)) / scale, so_far);
  }
  so_far += counts_.back();
  out += fmt::format("{0}_bucket{{le=\"+Inf\"}} {1}\n{0}_sum {2}\n{0}_count {1}\n", name, so_far,
                     static_cast<double>(sum_) / scale);
  return out;
}

void Meter::see(const Committed& committed) {
  if (committed.log_length) log_pages_ = *committed.log_length;
  rescues_ += committed.rescues;
  commit_ms_.see(committed.took.count());
  group_commands_.see(static_cast<std::int64_t>(committed.commands));
  if (!committed.moves.empty()) count_moves(committed.moves);
}

// Consecutive moves are mostly alike, so it keeps the last counter.
void Meter::count_moves(std::span<const CommittedMove> moves) {
  for (const CommittedMove& move : moves)
    if (!move.reason.empty()) see_fault(move.reason);
  const Lock lock{mutex_};
  Edge last;
  std::uint64_t* count = nullptr;
  for (const CommittedMove& move : moves) {
    const Edge edge{move.lifecycle, move.from, move.to};
    if (count == nullptr || edge != last) count = &moves_[last = edge];
    ++*count;
    if (move.outcome) ++outcomes_[{move.lifecycle->name, *move.outcome}];
  }
}

void Meter::see_arrived(std::int64_t bytes) { bytes_ += static_cast<std::uint64_t>(bytes); }

void Meter::see_fault(std::string_view reason) {
  const std::string known_as = label(reason);
  const Lock lock{mutex_};
  const bool is_known = faults_.contains(known_as);
  ++faults_[is_known || faults_.size() < kReasonsMax ? known_as : "other"];
}

std::string Meter::text() const {
  std::string out =
      answers_ms.text("haul_api_seconds", "How long the API took to answer.", 1'000) +
      commit_ms_.text("haul_commit_seconds", "How long a commit took, with its flush.", 1'000) +
      group_commands_.text("haul_commit_commands", "Commands that shared a commit.", 1);
  out += one("haul_log_pages", "gauge", "Pages of 4 KiB in the write-ahead log.",
             static_cast<std::uint64_t>(log_pages_.load())) +
         one("haul_spool_bytes", "gauge", "Bytes of files that relays keep in the spool.",
             static_cast<std::uint64_t>(spool_.load())) +
         one("haul_bytes_total", "counter", "Bytes of files that arrived.", bytes_.load()) +
         one("haul_rescues_total", "counter", "Jobs taken from lost workers.", rescues_.load());
  const Lock lock{mutex_};
  out += head("haul_moves_total", "counter", "Moves of jobs since the start.");
  for (const auto& [edge, count] : moves_)
    out += fmt::format("haul_moves_total{{lifecycle=\"{}\",from=\"{}\",to=\"{}\"}} {}\n",
                       edge.lifecycle->name, edge.from, edge.to, count);
  out += head("haul_outcomes_total", "counter", "Jobs that ended, by how much of them arrived.");
  for (const auto& [key, count] : outcomes_)
    out += fmt::format("haul_outcomes_total{{lifecycle=\"{}\",outcome=\"{}\"}} {}\n", key.first,
                       name(key.second), count);
  out += head("haul_faults_total", "counter", "Items and jobs that failed, by reason.");
  for (const auto& [reason, count] : faults_)
    out += fmt::format("haul_faults_total{{reason=\"{}\"}} {}\n", reason, count);
  return out;
}

}  // namespace haul::api
