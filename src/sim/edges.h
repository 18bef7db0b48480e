#pragma once
// The edges of the five documents and their settlements, written down a second time on purpose: the
// oracle must not read the tables it checks.

#include <compare>
#include <string_view>

namespace haul::sim {

struct Edge {
  std::string_view lifecycle;
  std::string_view from;
  std::string_view to;
};

// clang-format off
inline constexpr Edge kEdges[] = {
    {"book", "queued", "downloading"},      {"book", "queued", "failed"},
    {"book", "queued", "canceled"},         {"book", "downloading", "completed"},
    {"book", "downloading", "failed"},      {"book", "downloading", "canceled"},
    {"media", "queued", "downloading"},     {"media", "queued", "failed"},
    {"media", "downloading", "completed"},  {"media", "downloading", "failed"},
    {"media", "completed", "imported"},     {"media", "completed", "failed"},
    {"media", "imported", "cleaned"},       {"media", "imported", "failed"},
    {"media", "failed", "queued"},
    {"batch", "PENDING", "RUNNING"},        {"batch", "PENDING", "CANCELLED"},
    {"batch", "RUNNING", "COMPLETED"},      {"batch", "RUNNING", "FAILED"},
    {"batch", "RUNNING", "CANCELLED"},      {"batch", "RUNNING", "PENDING"},
    {"relay", "QUEUED", "CLAIMED"},         {"relay", "QUEUED", "CANCELLED"},
    {"relay", "QUEUED", "EXPIRED"},         {"relay", "CLAIMED", "DOWNLOADING"},
    {"relay", "CLAIMED", "FAILED"},         {"relay", "CLAIMED", "QUEUED"},
    {"relay", "DOWNLOADING", "STREAMING"},  {"relay", "DOWNLOADING", "QUEUED"},
    {"relay", "DOWNLOADING", "FAILED"},     {"relay", "STREAMING", "DELIVERED"},
    {"relay", "STREAMING", "QUEUED"},       {"relay", "STREAMING", "FAILED"},
    {"image", "queued", "running"},         {"image", "queued", "rejected"},
    {"image", "running", "completed"},      {"image", "running", "failed"},
    {"image", "running", "rejected"},       {"image", "failed", "queued"},
    {"image", "failed", "dead_letter"},
};
// clang-format on

struct StateOf {
  std::string_view lifecycle;
  std::string_view state;
  auto operator<=>(const StateOf&) const = default;
};

// The states in which a job has ended. A failed media job counts, although a user may retry it.
inline constexpr StateOf kEnds[] = {
    {"book", "completed"},  {"book", "failed"},     {"book", "canceled"},
    {"media", "cleaned"},   {"media", "failed"},    {"batch", "COMPLETED"},
    {"batch", "FAILED"},    {"batch", "CANCELLED"}, {"relay", "DELIVERED"},
    {"relay", "FAILED"},    {"relay", "CANCELLED"}, {"relay", "EXPIRED"},
    {"image", "completed"}, {"image", "rejected"},  {"image", "dead_letter"},
};

inline constexpr std::string_view kItemEnds[] = {"COMPLETED", "FAILED", "SKIPPED", "CANCELLED"};

constexpr bool is_end(std::string_view lifecycle, std::string_view state) {
  for (const StateOf& end : kEnds)
    if (end == StateOf{lifecycle, state}) return true;
  return false;
}

constexpr bool is_item_end(std::string_view state) {
  for (const std::string_view end : kItemEnds)
    if (end == state) return true;
  return false;
}

}  // namespace haul::sim
