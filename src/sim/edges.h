#pragma once
// The edges of the five documents and their settlements, written down a second time on purpose: the
// oracle must not read the tables it checks.

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

}  // namespace haul::sim
