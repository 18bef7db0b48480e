#pragma once
// SX-4: which state may follow which, copied by hand from the five documents and the settlements.
// Nothing here is derived from src/lifecycle: the pair tests prove that the two agree.

#include <algorithm>
#include <span>
#include <string_view>

namespace haul::testing {

// One allowed pair. For a job, `by` lists everyone who may make the move, in the order user,
// worker, system, timer. The system may act for a worker or a timer, never for a user. For an item,
// `by` lists the causes: `item` is the item's own move, all others are moves of its job.
struct Edge {
  std::string_view from;
  std::string_view to;
  std::string_view by;
};

struct Pairs {
  std::string_view lifecycle;
  std::span<const std::string_view> states;  // The initial one first.
  std::span<const Edge> edges;

  // Who may move a job from one state to the other. Empty if the pair is forbidden.
  constexpr std::string_view by(std::string_view from, std::string_view to) const {
    const auto found =
        std::ranges::find_if(edges, [&](const Edge& e) { return e.from == from && e.to == to; });
    return found == edges.end() ? std::string_view{} : found->by;
  }
};

// clang-format off
constexpr std::string_view kBookStates[] = {"queued", "downloading", "completed", "failed",
                                            "canceled"};
constexpr Edge kBookEdges[] = {
    {"queued",      "downloading", "worker system"},  // 000 §3, §4: the engine reports it active
    {"queued",      "failed",      "worker system"},  // 000 §3, §4; Z-1, Z-3
    {"queued",      "canceled",    "user"},           // 000 §3, §4: user cancel; S0-12
    {"downloading", "completed",   "worker system"},  // 000 §3, §4: finished, asset persisted; Z-2
    {"downloading", "failed",      "worker system"},  // 000 §3, §4, §5; Z-1, Z-3
    {"downloading", "canceled",    "user"},           // 000 §3, §4: user cancel; S0-12
};

constexpr std::string_view kMediaStates[] = {"queued", "downloading", "completed", "imported",
                                             "cleaned", "failed"};
constexpr Edge kMediaEdges[] = {
    {"queued",      "downloading", "worker system"},       // 001 Valid Transitions
    {"queued",      "failed",      "user worker system"},  // 001 Valid Transitions; A1-7: a cancel
    {"downloading", "completed",   "worker system"},       // 001 Valid Transitions
    {"downloading", "failed",      "user worker system"},  // 001 Valid Transitions; A1-7
    {"completed",   "imported",    "worker system"},       // 001 Cleanup Flow; Z-18: leased
    {"completed",   "failed",      "user worker system"},  // 001 Valid Transitions; A1-7
    {"imported",    "cleaned",     "worker system"},       // 001 Cleanup Flow; A1-2
    {"imported",    "failed",      "user worker system"},  // 001 Valid Transitions; A1-7
    {"failed",      "queued",      "user"},                // 001 Valid Transitions: retry; A1-1
};

constexpr std::string_view kBatchStates[] = {"PENDING", "RUNNING", "COMPLETED", "FAILED",
                                             "CANCELLED"};
constexpr Edge kBatchEdges[] = {
    {"PENDING", "RUNNING",   "worker"},         // 002 Job Transition Rules: mark_started()
    {"PENDING", "CANCELLED", "user"},           // 002 Job Transition Rules; Z-8: always
    {"RUNNING", "COMPLETED", "worker system"},  // 002 Job Transition Rules; A2-1, A2-7
    {"RUNNING", "FAILED",    "worker system"},  // 002 Job Transition Rules; Z-7: the fifth loss
    {"RUNNING", "CANCELLED", "user"},           // 002 Job Transition Rules: user cancellation
    {"RUNNING", "PENDING",   "system"},         // 002 Crash Recovery; A2-4: system only; Z-8
};

constexpr std::string_view kItemStates[] = {"PENDING", "DOWNLOADING", "COMPLETED", "FAILED",
                                            "SKIPPED", "CANCELLED"};
constexpr Edge kItemEdges[] = {
    {"PENDING",     "DOWNLOADING", "crash item"},       // 002 Item Transition Rules; Z-7
    {"PENDING",     "SKIPPED",     "item"},             // 002 Item Transition Rules; Z-7
    {"PENDING",     "CANCELLED",   "cancel fail"},      // A2-3; Z-7: its job ended
    {"DOWNLOADING", "COMPLETED",   "item"},             // 002 Item Transition Rules; Z-7
    {"DOWNLOADING", "FAILED",      "crash item"},       // 002 Item Transition Rules; Z-7
    {"DOWNLOADING", "CANCELLED",   "cancel fail"},      // 002 Cancellation Contract; Z-7
    {"DOWNLOADING", "PENDING",     "lost release"},     // Z-7: lost, release; S2-28
};

constexpr std::string_view kRelayStates[] = {"QUEUED",    "CLAIMED", "DOWNLOADING", "STREAMING",
                                             "DELIVERED", "FAILED",  "CANCELLED",   "EXPIRED"};
constexpr Edge kRelayEdges[] = {
    {"QUEUED",      "CLAIMED",     "worker"},         // 003 §1: worker_claim
    {"QUEUED",      "CANCELLED",   "user"},           // 003 §1: user_cancel; A3-8: only here
    {"QUEUED",      "EXPIRED",     "system timer"},   // 003 §1: ttl_expired; A3-10
    {"CLAIMED",     "DOWNLOADING", "worker system"},  // 003 §1: start_download; §2
    {"CLAIMED",     "QUEUED",      "system"},         // 003 §1: heartbeat_timeout; A3-9: release
    {"CLAIMED",     "FAILED",      "worker system"},  // A3-1; 003 §5
    {"DOWNLOADING", "STREAMING",   "worker system"},  // 003 §1: stream_to_local_api; A3-11
    {"DOWNLOADING", "QUEUED",      "worker system"},  // 003 §1: retryable_error; A3-2, A3-9
    {"DOWNLOADING", "FAILED",      "worker system"},  // 003 §1: non_retryable_error; A3-4
    {"STREAMING",   "DELIVERED",   "worker system"},  // 003 §1: telegram_ack; S3-13
    {"STREAMING",   "QUEUED",      "worker system"},  // 003 §1: retryable_error; A3-2, A3-9
    {"STREAMING",   "FAILED",      "worker system"},  // 003 §1: non_retryable_error; A3-4
};

constexpr std::string_view kImageStates[] = {"queued",    "running",  "completed",
                                             "failed",    "rejected", "dead_letter"};
constexpr Edge kImageEdges[] = {
    {"queued",  "running",     "worker"},  // 004 §1, §2B
    {"queued",  "rejected",    "worker system"},  // 004 §1; A4-1: the worker's own re-check
    {"running", "completed",   "worker system"},  // 004 §1, §2C
    {"running", "failed",      "worker system"},  // 004 §1, §2D; S4-15: also a lost worker
    {"running", "rejected",    "worker system"},  // 004 §2E; A4-1
    {"failed",  "queued",      "system timer"},   // 004 §1, §2D; A4-3: the timer does it
    {"failed",  "dead_letter", "system timer"},   // 004 §1, §2D; A4-3
};
// clang-format on

constexpr Pairs kBookPairs{"book", kBookStates, kBookEdges};
constexpr Pairs kMediaPairs{"media", kMediaStates, kMediaEdges};
constexpr Pairs kBatchPairs{"batch", kBatchStates, kBatchEdges};
constexpr Pairs kItemPairs{"item", kItemStates, kItemEdges};
constexpr Pairs kRelayPairs{"relay", kRelayStates, kRelayEdges};
constexpr Pairs kImagePairs{"image", kImageStates, kImageEdges};

}  // namespace haul::testing
