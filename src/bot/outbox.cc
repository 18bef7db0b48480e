#include "bot/outbox.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"

namespace haul::bot {
namespace {

constexpr Millis kFirstWait{2'000};
constexpr Millis kLastWait{60'000};

Millis wait_after(int tries) {
  Millis wait = kFirstWait;
  for (int i = 1; i < tries && wait < kLastWait; ++i) wait *= 2;
  return std::min(wait, kLastWait);
}

// Only a new message is seen twice when it is sent twice.
bool is_harmless(const OutCall& call) { return call.call.method != "sendMessage"; }

constexpr int kAnswerLanes = 8;

// Answers a click, which waits for it a few seconds only.
bool is_answer(const OutCall& call) { return call.chat == 0; }

}  // namespace

// An answer gets the emptiest of its lanes, so that one that hangs holds up no other.
Outbox::Lane& Outbox::lane_for(const OutCall& call) {
  Lane* lane = &lanes_[{call.chat, 0}];
  for (int i = 1; is_answer(call) && i < kAnswerLanes; ++i)
    if (Lane& other = lanes_[{0, i}]; other.waiting.size() < lane->waiting.size()) lane = &other;
  return *lane;
}

bool Outbox::add(OutCall call, JobId job) {
  Lane& lane = lane_for(call);
  if (call.message != 0)
    for (Waiting& each : lane.waiting) {
      const bool is_open = lane.open != 0 && &each == &lane.waiting.front();
      if (is_open || each.call.message != call.message) continue;
      each = {std::move(call), job ? job : each.job};
      return true;
    }
  if (lane.waiting.size() >= limits_.per_chat || size_ >= limits_.in_all) return false;
  lane.waiting.push_back({std::move(call), job});
  ++size_;
  return true;
}

std::optional<OutboxDue> Outbox::next(Steady now) {
  if (now < free_at_ || size_ == 0) return std::nullopt;
  std::erase_if(lanes_, [&](const auto& each) {
    return each.second.waiting.empty() && each.second.free_at <= now;
  });
  const auto is_ready = [&](const auto& each) {
    return !each.second.waiting.empty() && each.second.open == 0 && each.second.free_at <= now;
  };
  // Lanes take turns.
  const auto next_lane = [&](const auto& may) {
    const auto after = lanes_.upper_bound(last_lane_);
    const auto later = std::find_if(after, lanes_.end(), may);
    if (later != lanes_.end()) return later;
    const auto early = std::find_if(lanes_.begin(), after, may);
    return early == after ? lanes_.end() : early;
  };
  // Answers first, because a click waits for its answer a few seconds only.
  auto lane = next_lane([&](const auto& each) { return each.first.first == 0 && is_ready(each); });
  if (lane == lanes_.end()) lane = next_lane(is_ready);
  if (lane == lanes_.end()) return std::nullopt;
  Lane& found = lane->second;
  last_lane_ = lane->first;
  found.open = ++last_number_;
  ++found.waiting.front().tries;
  open_.emplace(found.open, lane->first);
  free_at_ = now + limits_.any_gap;
  return OutboxDue{found.open, found.waiting.front().call.call};
}

std::optional<Steady> Outbox::due() const {
  std::optional<Steady> first;
  for (const auto& [key, lane] : lanes_) {
    if (lane.waiting.empty() || lane.open != 0) continue;
    const Steady at = std::max(lane.free_at, free_at_);
    first = std::min(first.value_or(at), at);
  }
  return first;
}

OutboxEnd Outbox::settle(std::int64_t number, const telegram::BotReply& reply, Steady now) {
  const auto open = open_.extract(number);
  ensure(!open.empty(), "a call is settled once");
  Lane& lane = lanes_.at(open.mapped());
  const bool answers = is_answer(lane.waiting.front().call);
  lane.open = 0;
  lane.free_at = now + (answers ? Millis{0} : limits_.chat_gap);
  if (reply || reply.error().fault.code == telegram::kNotModified)
    return end(lane, OutboxEnd::Is::done, {});
  const telegram::ChatFault& fault = reply.error();
  const Waiting& first = lane.waiting.front();
  if (fault.outcome_unknown && !is_harmless(first.call))
    return end(lane, OutboxEnd::Is::unknown, fault.fault);
  if (answers) lane.free_at = now + fault.wait;
  if (answers || fault.fault.kind == FaultKind::permanent || first.tries >= limits_.tries_max)
    return end(lane, OutboxEnd::Is::failed, fault.fault);
  lane.free_at = now + std::max(fault.wait, fault.wait > Millis{0} ? limits_.chat_gap
                                                                   : wait_after(first.tries));
  return {OutboxEnd::Is::again, first.call.chat, first.job, fault.fault};
}

OutboxEnd Outbox::end(Lane& lane, OutboxEnd::Is is, Fault fault) {
  const OutboxEnd ended{is, lane.waiting.front().call.chat, lane.waiting.front().job,
                        std::move(fault)};
  lane.waiting.pop_front();
  --size_;
  return ended;
}

}  // namespace haul::bot
