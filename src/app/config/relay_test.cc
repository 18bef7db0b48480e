#include "app/config/relay.h"

#include <doctest/doctest.h>

#include "app/config/config.h"

namespace haul::app {
namespace {

using namespace std::chrono_literals;

Config config_with(const Config::Environment& environment) {
  const auto config = Config::read({}, environment);
  REQUIRE_MESSAGE(config.has_value(), (config ? "" : config.error().detail));
  return *config;
}

// Why the configuration is refused. Empty if it is valid.
std::string refusal_of(const Config::Environment& environment) {
  const auto config = Config::read({}, environment);
  if (!config) return config.error().detail;
  const auto checked = relay_area().check(*config);
  return checked ? "" : checked.error().detail;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Z-30: without tokens there is no disk, no chat and no bot") {
  const Config config = config_with({});
  CHECK_FALSE(disk_settings(config));
  CHECK_FALSE(chat_settings(config));
  CHECK_FALSE(bot_settings(config));
}

TEST_CASE("the disk and the chat have Yandex's and Telegram's addresses unless told otherwise") {
  const Config config =
      config_with({{"HAUL__RELAY__YANDEX_TOKEN", "y0"}, {"HAUL__RELAY__TELEGRAM_TOKEN", "1:a"}});
  const auto disk = disk_settings(config);
  const auto chat = chat_settings(config);
  REQUIRE(disk);
  REQUIRE(chat);
  CHECK(disk->url == "https://cloud-api.yandex.net");
  CHECK(disk->oauth_url == "https://oauth.yandex.ru");
  CHECK(disk->token == "y0");
  CHECK(chat->url == "https://api.telegram.org");
  CHECK(chat->token == "1:a");
}

TEST_CASE("A3-6: the largest file is the smaller of the setting and what the Bot API accepts") {
  const auto max_with = [](Config::Environment environment) {
    environment["HAUL__RELAY__TELEGRAM_TOKEN"] = "1:a";
    environment["HAUL__RELAY__YANDEX_TOKEN"] = "y0";
    const Config config = config_with(environment);
    CHECK(disk_settings(config)->max_size == chat_settings(config)->max_size);
    return chat_settings(config)->max_size;
  };
  const std::string own = "http://127.0.0.1:8081/";
  CHECK(max_with({}) == 50'000'000);
  CHECK(max_with({{"HAUL__RELAY__MAX_SIZE", "10M"}}) == 10 << 20);
  CHECK(max_with({{"HAUL__RELAY__MAX_SIZE", "1G"}}) == 50'000'000);
  CHECK(max_with({{"HAUL__RELAY__TELEGRAM_URL", own}}) == 2'097'152'000);
  CHECK(max_with({{"HAUL__RELAY__TELEGRAM_URL", own}, {"HAUL__RELAY__MAX_SIZE", "4G"}}) ==
        2'097'152'000);
  CHECK(has(refusal_of({{"HAUL__RELAY__MAX_SIZE", "0"}}), "at least 1 byte"));
}

TEST_CASE("A3-5: heartbeat and timeout are 5 s and 30 s; a timeout has at least three heartbeats") {
  const RelayLease lease = relay_lease(config_with({}));
  CHECK(lease.heartbeat == 5s);
  CHECK(lease.timeout == 30s);
  CHECK(refusal_of({{"HAUL__RELAY__TIMEOUT", "15s"}}).empty());
  CHECK(has(refusal_of({{"HAUL__RELAY__TIMEOUT", "14999ms"}}), "three times"));
  CHECK(has(refusal_of({{"HAUL__RELAY__HEARTBEAT", "11s"}}), "three times"));
}

TEST_CASE("Z-27, A3-10, S3-20: what happens to unknown outcomes, and the limits of the queue") {
  const Config plain = config_with({});
  CHECK(relay_settings(plain).on_unknown == flow::OnUnknown::resend);
  CHECK(relay_queue(plain).most == 1'000);
  CHECK(relay_queue(plain).most_per_user == 20);
  CHECK(relay_queue(plain).ttl == 0s);
  CHECK(relay_settings(plain).limits.at_once == 100);
  CHECK(relay_settings(plain).limits.per_owner == 25);  // Others have room when one user waits.

  const auto on_unknown = [](const char* word) {
    return relay_settings(config_with({{"HAUL__RELAY__ON_UNKNOWN", word}})).on_unknown;
  };
  CHECK(on_unknown("pause") == flow::OnUnknown::pause);
  CHECK(on_unknown("give_up") == flow::OnUnknown::give_up);
  CHECK(relay_queue(config_with({{"HAUL__RELAY__TTL", "24h"}})).ttl == 24h);
}

TEST_CASE("Z-14: a refresh token needs the application's id and secret") {
  Config::Environment environment{{"HAUL__RELAY__YANDEX_REFRESH_TOKEN", "r"}};
  CHECK(has(refusal_of(environment), "relay.yandex_client_id is required"));
  environment["HAUL__RELAY__YANDEX_CLIENT_ID"] = "id";
  CHECK(has(refusal_of(environment), "relay.yandex_client_secret is required"));
  environment["HAUL__RELAY__YANDEX_CLIENT_SECRET"] = "secret";
  CHECK(refusal_of(environment).empty());
  CHECK(disk_settings(config_with(environment))->refresh_token == "r");
}

TEST_CASE("the bot needs its token and an admin's chat") {
  Config::Environment environment{{"HAUL__RELAY__BOT", "true"}};
  CHECK(has(refusal_of(environment), "relay.telegram_token is required"));
  environment["HAUL__RELAY__TELEGRAM_TOKEN"] = "1:a";
  CHECK(has(refusal_of(environment), "relay.bot_admin is required"));
  environment["HAUL__RELAY__BOT_ADMIN"] = "x";
  CHECK(has(refusal_of(environment), "not the number of a user"));
  for (const char* group : {"-100123", "0"}) {
    environment["HAUL__RELAY__BOT_ADMIN"] = group;
    CHECK(has(refusal_of(environment), "not the number of a user"));
  }
  environment["HAUL__RELAY__BOT_ADMIN"] = "100123";
  CHECK(refusal_of(environment).empty());
  CHECK(bot_settings(config_with(environment))->admin == 100'123);
}

TEST_CASE("the bot's folder is one of the disk, which the catalogue can list") {
  CHECK(refusal_of({{"HAUL__RELAY__BOT_FOLDER", "disk:/Books"}}).empty());
  CHECK(refusal_of({{"HAUL__RELAY__BOT_FOLDER", "disk:/"}}).empty());
  CHECK(refusal_of({{"HAUL__RELAY__BOT_FOLDER", "disk:/Books/"}}).empty());
  CHECK(has(refusal_of({{"HAUL__RELAY__BOT_FOLDER", "app:/Books"}}), "not a folder of the disk"));
  CHECK(has(refusal_of({{"HAUL__RELAY__BOT_FOLDER", "disk:/Books/../Secret"}}), "a dot segment"));
  CHECK(has(refusal_of({{"HAUL__RELAY__BOT_FOLDER", "disk:/Books//"}}), "an empty name"));
}

}  // namespace haul::app
