// Several connections for one file, if the file is large enough and the server allows ranges.

#include <algorithm>

#include "engine/http/download.h"

namespace haul::http {
namespace {

constexpr std::int64_t kWorthSplitting = std::int64_t{32} << 20U;
constexpr std::int64_t kPieceMin = std::int64_t{1} << 20U;
constexpr std::size_t kSegmentsMax = 16;  // If the request does not say how many.
constexpr Millis kTryMoreEvery{250};

}  // namespace

void Download::split_up() {
  split_main();
  take_sides();
}

// If the request sets a number of segments, opens all at once, in pieces of the same size.
// Otherwise opens them one by one, as the host's limit leaves slots.
void Download::split_main() {
  if (!served_.takes_ranges || connections_ == Connections::one || is_unproven()) return;
  if (!served_.version.size || !served_.version.is_strong()) return;
  Segment& first = segments_.begin()->second;
  const std::int64_t left = first.range.to - first.next;
  if (left < kWorthSplitting) return;
  if (job_->request.segments == 0) return after(kTryMoreEvery, &Download::take_more);
  const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(job_->request.segments),
                                            static_cast<std::size_t>(left / kPieceMin));
  std::size_t slots = 1;
  while (slots < wanted && env_.gate.more(order_.start)) ++slots;
  const std::vector<Range> pieces = split({first.next, first.range.to}, slots);
  first.range.to = pieces.front().to;
  for (std::size_t i = 1; i < pieces.size(); ++i) ask(pieces[i]);
  if (slots < wanted) after(kTryMoreEvery, &Download::take_more);
}

// Opens one more connection, for the second half of the longest remaining range.
void Download::take_more() {
  if (connections_ == Connections::one || segments_.empty()) return;
  const int by_hand = job_->request.segments;
  const std::size_t most = by_hand > 0 ? static_cast<std::size_t>(by_hand) : kSegmentsMax;
  const auto longest = std::ranges::max_element(
      segments_, {}, [](const auto& each) { return each.second.range.to - each.second.next; });
  Segment& segment = longest->second;
  const std::int64_t rest = segment.range.to - segment.next;
  if (rest >= 2 * kPieceMin && segment.accepted && segments_.size() < most &&
      env_.gate.more(order_.start)) {
    const Range second = split({segment.next, segment.range.to}, 2).back();
    segment.range.to = second.from;
    ask(second);
  }
  if (rest >= 2 * kPieceMin) after(kTryMoreEvery, &Download::take_more);
}

// The server refuses this many connections. Another connection will fetch this range.
io::Go Download::refuse_segment(int call) {
  segments_.at(call).accepted = false;
  connections_ = Connections::one;
  return io::Go::stop;
}

void Download::end_segment(int call, const io::HttpEnd& end) {
  const auto found = segments_.find(call);
  if (found == segments_.end()) return;
  const Segment segment = found->second;
  segments_.erase(found);
  sent(segment);
  if (segment.source != main_) return end_side(segment);
  switch (judge_end({.is_accepted = segment.accepted,
                     .is_whole = segment.next == segment.range.to,
                     .is_broken = end.fault.has_value(),
                     .is_stopped = end.stopped,
                     .is_size_known = served_.version.size.has_value(),
                     .is_last = segments_.empty()})) {
    case EndStep::learn_size:
      served_.version.size = segment.next;
      return go_on();
    case EndStep::stay_few:
      connections_ = Connections::one;
      [[fallthrough]];
    case EndStep::give_slot:
      env_.gate.less(order_.start);
      return go_on();
    case EndStep::go_on:
      return go_on();
    case EndStep::fail:
      break;
  }
  fail(end.fault.value_or(Fault{FaultKind::retryable, "truncated", "the body ended too early"}));
}

// Requests a range that no connection fetches. If nothing is missing, the file is fetched.
void Download::go_on() {
  Ranges taken = done_;
  for (const auto& [call, segment] : segments_) taken.add(segment.range);
  const std::vector<Range> gaps = taken.gaps(served_.version.size.value_or(0));
  if (segments_.empty()) return gaps.empty() ? fetched() : ask_again();
  const bool may_split = connections_ == Connections::several;
  if (!gaps.empty() && may_split && env_.gate.more(order_.start)) ask(gaps.front());
}

}  // namespace haul::http
