#include "app/config/relay.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/config/config.h"
#include "app/config/value.h"
#include "base/environment.h"
#include "base/size.h"
#include "base/url.h"
#include "engine/yandexdisk/disk_path.h"
#include "sink/telegram/settings.h"

namespace haul::app {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kYandexUrl = "relay.yandex_url";
constexpr std::string_view kYandexToken = "relay.yandex_token";
constexpr std::string_view kRefreshToken = "relay.yandex_refresh_token";
constexpr std::string_view kClientId = "relay.yandex_client_id";
constexpr std::string_view kClientSecret = "relay.yandex_client_secret";
constexpr std::string_view kOauthUrl = "relay.yandex_oauth_url";
constexpr std::string_view kTelegramUrl = "relay.telegram_url";
constexpr std::string_view kTelegramToken = "relay.telegram_token";
constexpr std::string_view kHeartbeat = "relay.heartbeat";
constexpr std::string_view kTimeout = "relay.timeout";
constexpr std::string_view kMaxSize = "relay.max_size";
constexpr std::string_view kOnUnknown = "relay.on_unknown";
constexpr std::string_view kSpool = "relay.spool";
constexpr std::string_view kSpoolMax = "relay.spool_max";
constexpr std::string_view kSpoolTtl = "relay.spool_ttl";
constexpr std::string_view kBot = "relay.bot";
constexpr std::string_view kBotAdmin = "relay.bot_admin";
constexpr std::string_view kBotFolder = "relay.bot_folder";
constexpr std::string_view kBotAccess = "relay.bot_access";

constexpr std::string_view kUnknowns[] = {"resend", "pause", "give_up"};

// What Telegram documents: uploads to its own servers, and to a Bot API server of one's own.
constexpr std::int64_t kCloudMax = std::int64_t{50} * 1'000 * 1'000;
constexpr std::int64_t kOwnServerMax = std::int64_t{2'000} << 20U;
constexpr std::string_view kCloudHost = "api.telegram.org";

std::string wrong_with_address(const std::string& text) {
  if (!server_address(text).empty()) return {};
  return "not an http or https address (expected e.g. https://cloud-api.yandex.net)";
}

std::string wrong_with_spool(const std::string& text) {
  if (text.empty() || text.starts_with('/')) return {};
  return "not an absolute path (expected e.g. /var/tmp/haul)";
}

std::string wrong_with_spool_max(const std::string& text) {
  if (read_size(text).value_or(0) >= 1) return {};
  return "expected at least 1 byte, such as 4G";
}

std::string wrong_with_max_size(const std::string& text) {
  if (text.empty() || read_size(text).value_or(0) >= 1) return {};
  return "expected at least 1 byte, such as 50M, or an empty value";
}

std::string wrong_with_user(const std::string& text) {
  if (text.empty() || whole_number(text).value_or(0) > 0) return {};
  return "not the number of a user (expected e.g. 123456789)";
}

std::string wrong_with_folder(const std::string& text) {
  constexpr const char* kWanted = "not a folder of the disk (expected e.g. disk:/Books)";
  if (!text.starts_with("disk:/")) return kWanted;
  if (const auto folder = yandexdisk::disk_folder(text); !folder) return folder.error().detail;
  return {};
}

constexpr ConfigKey kKeys[] = {
    {.name = kYandexUrl,
     .kind = ConfigKind::text,
     .default_value = "https://cloud-api.yandex.net",
     .about = "URL of Yandex Disk's API",
     .check = wrong_with_address},
    {.name = kYandexToken,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "OAuth token for Yandex Disk. Set it through a file or the environment",
     .is_secret = true},
    {.name = kRefreshToken,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Refresh token. With it haul gets a new token when the old one expires",
     .is_secret = true},
    {.name = kClientId,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Id of the OAuth application. Required with a refresh token"},
    {.name = kClientSecret,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Secret of the OAuth application. Required with a refresh token",
     .is_secret = true},
    {.name = kOauthUrl,
     .kind = ConfigKind::text,
     .default_value = "https://oauth.yandex.ru",
     .about = "URL of Yandex's OAuth server",
     .check = wrong_with_address},
    {.name = kTelegramUrl,
     .kind = ConfigKind::text,
     .default_value = "https://api.telegram.org",
     .about = "URL of the Bot API. A server of your own accepts files of up to 2000 MiB",
     .check = wrong_with_address},
    {.name = kTelegramToken,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Token of the bot. Set it through a file or the environment",
     .is_secret = true},
    {.name = kHeartbeat,
     .kind = ConfigKind::duration,
     .default_value = "5s",
     .about = "How often a worker shows that it is alive. It does so every 2 s, or more often if "
              "this is shorter",
     .range = between(100ms, 1min)},
    {.name = kTimeout,
     .kind = ConfigKind::duration,
     .default_value = "30s",
     .about = "A worker that is silent for longer loses its relays. At least three heartbeats",
     .range = between(300ms, 10min)},
    {.name = kMaxSize,
     .kind = ConfigKind::size,
     .default_value = "",
     .about = "Largest file to relay. Default, and at most: 50 MB through api.telegram.org, "
              "2000 MiB through a Bot API server of your own",
     .check = wrong_with_max_size},
    {.name = "relay.ttl",
     .kind = ConfigKind::duration,
     .default_value = "0",
     .about = "A relay that is queued for longer expires, such as 24h. 0: never",
     .range = between(0ms, 24h * 365)},
    {.name = kOnUnknown,
     .kind = ConfigKind::text,
     .default_value = "resend",
     .about = "If a message may have arrived and its answer is lost: resend, pause or give_up",
     .words = kUnknowns},
    {.name = "relay.queue_max",
     .kind = ConfigKind::number,
     .default_value = "1000",
     .about = "Relays that may be open at once",
     .range = ConfigRange{1, 1'000'000}},
    {.name = "relay.queue_per_user",
     .kind = ConfigKind::number,
     .default_value = "20",
     .about = "Relays of one user that may be open at once",
     .range = ConfigRange{1, 1'000'000}},
    {.name = kSpool,
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Folder for a file whose download broke off while it was sent: the next try keeps "
              "the whole file there before it sends it. Empty: every try streams",
     .check = wrong_with_spool},
    {.name = kSpoolMax,
     .kind = ConfigKind::size,
     .default_value = "4G",
     .about = "Most bytes that the spool takes. A file that does not fit is streamed",
     .check = wrong_with_spool_max},
    {.name = kSpoolTtl,
     .kind = ConfigKind::duration,
     .default_value = "1h",
     .about = "A file of haul in the spool that was not written to for longer is removed",
     .range = between(1min, 24h * 7)},
    {.name = kBot,
     .kind = ConfigKind::boolean,
     .default_value = "false",
     .about = "Whether haul answers as the Telegram bot"},
    {.name = kBotAdmin,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Telegram's number of the user who approves guests of the bot",
     .check = wrong_with_user},
    {.name = kBotFolder,
     .kind = ConfigKind::text,
     .default_value = "disk:/",
     .about = "Folder of the disk that the bot shows",
     .check = wrong_with_folder},
    {.name = kBotAccess,
     .kind = ConfigKind::duration,
     .default_value = "30d",
     .about = "How long an approved guest may use the bot. 0: without an end",
     .range = between(0ms, 24h * 3'650)},
};

// Says where the value comes from that makes the configuration invalid.
std::unexpected<Fault> refuse(const Config& config, std::string_view key, std::string_view why) {
  return bad_config(config.from(key), fmt::format("{}: {}", key, why));
}

Result<void> check_disk(const Config& config) {
  if (config.text(kRefreshToken).empty()) return {};
  for (const std::string_view key : {kClientId, kClientSecret})
    if (config.text(key).empty())
      return refuse(config, kRefreshToken, fmt::format("{} is required, too", key));
  return {};
}

Result<void> check_lease(const Config& config) {
  const auto [heartbeat, timeout] = relay_lease(config);
  if (timeout >= 3 * heartbeat) return {};
  const std::string_view key = config.from(kTimeout) == kDefault ? kHeartbeat : kTimeout;
  return refuse(config, key,
                fmt::format("{} ({}) is shorter than three times {} ({})", kTimeout,
                            config.text(kTimeout), kHeartbeat, config.text(kHeartbeat)));
}

Result<void> check_bot(const Config& config) {
  if (!config.is_on(kBot)) return {};
  for (const std::string_view key : {kTelegramToken, kBotAdmin})
    if (config.text(key).empty())
      return refuse(config, kBot, fmt::format("{} is required, too", key));
  return {};
}

Result<void> check(const Config& config) {
  for (const auto rule : {check_disk, check_lease, check_bot})
    if (const auto valid = rule(config); !valid) return valid;
  return {};
}

flow::OnUnknown on_unknown_named(std::string_view word) {
  if (word == "pause") return flow::OnUnknown::pause;
  return word == "give_up" ? flow::OnUnknown::give_up : flow::OnUnknown::resend;
}

std::int64_t max_size(const Config& config) {
  const std::int64_t accepted = chat_size_max(config.text(kTelegramUrl));
  return std::min(config.size(kMaxSize).value_or(accepted), accepted);
}

}  // namespace

ConfigArea relay_area() { return {.keys = kKeys, .check = check}; }

std::optional<yandexdisk::DiskSettings> disk_settings(const Config& config) {
  if (config.text(kYandexToken).empty() && config.text(kRefreshToken).empty()) return std::nullopt;
  yandexdisk::DiskSettings settings;
  settings.url = server_address(config.text(kYandexUrl));
  settings.token = config.text(kYandexToken);
  settings.refresh_token = config.text(kRefreshToken);
  settings.client_id = config.text(kClientId);
  settings.client_secret = config.text(kClientSecret);
  settings.oauth_url = server_address(config.text(kOauthUrl));
  settings.max_size = max_size(config);
  settings.ca_file = environment("SSL_CERT_FILE");
  if (const std::string folder = config.text(kSpool); !folder.empty())
    settings.spool = io::SpoolSettings{.folder = folder,
                                       .max_bytes = config.size(kSpoolMax).value_or(0),
                                       .ttl = config.duration(kSpoolTtl),
                                       .store = {}};
  return settings;
}

std::optional<ChatConfig> chat_settings(const Config& config) {
  if (config.text(kTelegramToken).empty()) return std::nullopt;
  return ChatConfig{.url = server_address(config.text(kTelegramUrl)),
                    .token = config.text(kTelegramToken),
                    .max_size = max_size(config),
                    .ca_file = environment("SSL_CERT_FILE")};
}

flow::RelaySettings relay_settings(const Config& config) {
  const RelayQueue queue = relay_queue(config);
  const std::string token = config.text(kTelegramToken);
  flow::RelaySettings settings;
  settings.on_unknown = on_unknown_named(config.text(kOnUnknown));
  settings.sender = token.substr(0, token.find(':'));  // The bot's number, which is no secret.
  settings.quota.open_in_all = static_cast<std::size_t>(queue.most);
  settings.quota.open_max = static_cast<std::size_t>(queue.most_per_user);
  settings.limits.at_once = telegram::kUploadsMax;
  settings.limits.per_owner = telegram::kUploadsMax / 4;  // One chat's flood wait leaves room.
  settings.expires_after = queue.ttl;
  return settings;
}

RelayLease relay_lease(const Config& config) {
  return {.heartbeat = config.duration(kHeartbeat), .timeout = config.duration(kTimeout)};
}

RelayQueue relay_queue(const Config& config) {
  return {.most = config.number("relay.queue_max"),
          .most_per_user = config.number("relay.queue_per_user"),
          .ttl = config.duration("relay.ttl")};
}

std::optional<BotConfig> bot_settings(const Config& config) {
  if (!config.is_on(kBot)) return std::nullopt;
  return BotConfig{.admin = whole_number(config.text(kBotAdmin)).value_or(0),
                   .folder = config.text(kBotFolder),
                   .access_for = config.duration(kBotAccess)};
}

std::int64_t chat_size_max(const std::string& telegram_url) {
  const auto url = parse_url(telegram_url);
  return url && url->host == kCloudHost ? kCloudMax : kOwnServerMax;
}

}  // namespace haul::app
