#pragma once
// [relay]: the cloud disk that relays read, the chat that they deliver to, and the bot.

#include <cstdint>
#include <optional>
#include <string>

#include "app/config/key.h"
#include "engine/yandexdisk/settings.h"
#include "flow/relay/settings.h"

namespace haul::app {

ConfigArea relay_area();

// Nullopt if no token for the disk is configured. Reads the environment, so call it before other
// threads start. The same for chat_settings.
std::optional<yandexdisk::DiskSettings> disk_settings(const Config& config);

// How haul reaches the Bot API.
struct ChatConfig {
  std::string url;    // "https://api.telegram.org"
  std::string token;  // Secret. It is part of every address.
  std::int64_t max_size = 0;
  std::string ca_file{};
};
// Nullopt if no bot token is configured.
std::optional<ChatConfig> chat_settings(const Config& config);

flow::RelaySettings relay_settings(const Config& config);

// A3-5: how often a worker beats, and after how much silence it loses its jobs.
struct RelayLease {
  Millis heartbeat{5'000};
  Millis timeout{30'000};
};
RelayLease relay_lease(const Config& config);

// S3-20: how many relays may wait, in total and of one user. A3-10: for how long; zero is for ever.
struct RelayQueue {
  std::int64_t most = 0;
  std::int64_t most_per_user = 0;
  Millis ttl{0};
};
RelayQueue relay_queue(const Config& config);

struct BotConfig {
  std::int64_t admin = 0;  // The chat of the person who approves guests.
  std::string folder{};    // Of the disk, that the bot shows.
  Millis access_for{0};    // How long an approval lasts. Zero: without an end.
};
// Nullopt if the bot is off.
std::optional<BotConfig> bot_settings(const Config& config);

// A3-6: what the Bot API at this address accepts.
std::int64_t chat_size_max(const std::string& telegram_url);

// What a user configures first.
inline constexpr const char* kConfigureDisk = "configure relay.yandex_token";
inline constexpr const char* kConfigureChat = "configure relay.telegram_token";

}  // namespace haul::app
