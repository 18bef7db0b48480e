#pragma once
// The Telegram bot with an event loop of its own, on the thread of its duty.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "app/config/relay.h"
#include "app/duty_thread.h"
#include "app/log.h"
#include "bot/bot.h"
#include "engine/yandexdisk/settings.h"
#include "flow/worker/lifecycle_work.h"
#include "flow/worker/own_duties.h"

namespace haul::app {

struct BotServiceSettings {
  BotConfig bot;
  ChatConfig chat;
  std::optional<yandexdisk::DiskSettings> disk{};  // Without it the catalogue stays as it is.
  std::filesystem::path key_file{};                // Of the key that seals the disk's tokens.
  Millis lease{30'000};                            // Of relays.
};
// Nothing if the bot is off. Reads the environment, so call it before other threads start.
std::optional<BotServiceSettings> bot_service_settings(const Config& config,
                                                       const std::filesystem::path& data);

// All of them outlive the bot.
struct BotServiceParts {
  Store& store;
  const Clock& clock;
  const Log& log;
  flow::OwnDuties& duties;
  std::span<const flow::LifecycleWork> work;
  bot::BytesOf bytes;
  std::function<void()> wake;  // Called when a job was added.
};

class BotService {
 public:
  virtual ~BotService() = default;
  virtual void begin() = 0;
  // Returns within two seconds.
  virtual void end() = 0;
};
std::unique_ptr<BotService> make_bot_service(BotServiceParts parts,
                                             const BotServiceSettings& settings);

}  // namespace haul::app
