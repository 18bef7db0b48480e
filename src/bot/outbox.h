#pragma once
// The calls of the bot that wait for their turn. Calls to one chat go out one by one, in order and
// at most one a second; a chat that Telegram told to wait gets nothing before its wait is over.
// Answers to clicks name no chat: they go first, up to eight at once, and none is repeated.
// Holds no clock and sends nothing itself.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "base/id.h"
#include "bot/screen.h"

namespace haul::bot {

struct OutboxLimits {
  Millis chat_gap{1'000};
  Millis any_gap{40};  // Between calls to any two chats.
  std::size_t per_chat = 50;
  std::size_t in_all = 10'000;
  int tries_max = 8;
};

struct OutboxDue {
  std::int64_t number = 0;
  telegram::BotCall call;
};

// What became of a call.
struct OutboxEnd {
  enum class Is : std::uint8_t {
    done,
    again,  // It waits for another try. It has had no effect, or is harmless to repeat.
    failed,
    unknown,  // A new message that may have arrived. It is not sent again.
  };
  Is is = Is::done;
  std::int64_t chat = 0;
  JobId job{};  // As given to add().
  Fault fault{};
};

class Outbox {
 public:
  explicit Outbox(OutboxLimits limits = {}) : limits_{limits} {}

  // False if too many calls wait. An edit replaces a waiting edit of the same message. `job` is
  // returned at the end of the call.
  bool add(OutCall call, JobId job = {});
  // The next call that may go out now. The caller sends it and reports its reply to settle().
  std::optional<OutboxDue> next(Steady now);
  // When the next call may go out. Nothing if none waits for its time.
  std::optional<Steady> due() const;
  OutboxEnd settle(std::int64_t number, const telegram::BotReply& reply, Steady now);
  std::size_t size() const { return size_; }

 private:
  struct Waiting {
    OutCall call;
    JobId job{};
    int tries = 0;
  };
  struct Lane {
    std::deque<Waiting> waiting;
    Steady free_at{};
    std::int64_t open = 0;  // The number of the first one, while it is under way.
  };
  using LaneKey = std::pair<std::int64_t, int>;  // The chat. Zero has several lanes.
  Lane& lane_for(const OutCall& call);
  OutboxEnd end(Lane& lane, OutboxEnd::Is is, Fault fault);

  const OutboxLimits limits_;
  std::map<LaneKey, Lane> lanes_;
  std::map<std::int64_t, LaneKey> open_;  // The lanes of calls that are under way.
  std::int64_t last_number_ = 0;
  LaneKey last_lane_{};
  std::size_t size_ = 0;
  Steady free_at_{};
};

}  // namespace haul::bot
