#pragma once
// Handles one update: loads what the decision needs, decides, and carries the decision out. All
// effects are safe to repeat, so an update that is delivered again does nothing new.

#include <expected>
#include <functional>
#include <map>
#include <vector>

#include "base/clock.h"
#include "bot/decide.h"
#include "flow/user/user.h"

namespace haul::bot {

// Adds a relay job for a user, by the rules that hold for every relay.
using AddRelay = std::function<std::expected<Added, Refusal>(const flow::AddRequest&, Time now)>;

struct ReceptionSettings {
  DecideSettings decide{};
  std::size_t guests_max = 10'000;
  Millis lease{30'000};  // A worker that is silent for longer has lost its relays.
};

// What the caller does after an update.
struct Received {
  std::vector<OutCall> calls{};
  bool refresh = false;
};

class Reception {
 public:
  Reception(Store& store, const Clock& clock, AddRelay add, ReceptionSettings settings)
      : store_{store}, clock_{clock}, add_{std::move(add)}, settings_{settings} {}

  Received handle(const telegram::BotUpdate& update);
  // Ends the access of guests whose time is over, and tells them.
  std::vector<OutCall> end_access();
  // Warns guests a day before their access ends, once for each end. An access of a day or less ends
  // without a warning.
  std::vector<OutCall> warn_of_end();

 private:
  BotFacts load(const telegram::BotUpdate& update, const BotCommand& command);
  void load_catalogue(const BotCommand& command, BotFacts& facts);
  void load_admin(const BotCommand& command, BotFacts& facts);
  bool change(const GuestChange& change);
  void add_job(const telegram::BotUpdate& update, const BotFacts& facts, const BotEntry& file,
               std::vector<OutCall>& calls);

  // Z-16: writes down that the administrator has approved or blocked the guest.
  void audit_decided(const BotGuest& guest);
  // Writes down that a user tried to do what only the administrator may, once an hour.
  void audit_denied(std::int64_t from, UserId user);

  Store& store_;
  const Clock& clock_;
  const AddRelay add_;
  const ReceptionSettings settings_;
  std::map<std::int64_t, Steady> audited_;  // When each user's attempt was last written down.
};

// The name of the user of haul who stands for a guest.
std::string user_name_of(std::int64_t guest);

// What /status tells. A relay is stuck if its worker has been silent for longer than `lease`.
BotStatus status_of(Store& store, Time now, Millis lease);

}  // namespace haul::bot
