#include "app/config/stuck.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "app/config/areas.h"
#include "app/config/config.h"

namespace haul::app {
namespace {

// "queued 3600, downloading 86400": the rules of films. Or why the configuration is refused.
std::string rules_with(const Config::Environment& environment) {
  const auto config = Config::read({}, environment);
  if (!config) return config.error().detail;
  std::string text;
  for (const StuckRule& rule : stuck_rules(*config))
    if (rule.lifecycle == "media")
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rule.state, rule.after.count());
  return text;
}

}  // namespace

TEST_CASE("S1-13: without a setting, the thresholds are those of the tables, and each has a key") {
  const auto config = Config::read({}, {});
  REQUIRE(config.has_value());
  CHECK(stuck_rules(*config) == default_stuck_rules());
  for (const StuckRule& rule : default_stuck_rules())
    CHECK(find_key(fmt::format("stuck.{}.{}", rule.lifecycle, rule.state)) != nullptr);
}

TEST_CASE("an image counts as stuck only after the longest wait for its provider") {
  const auto running = [](const Config& config) {
    for (const StuckRule& rule : stuck_rules(config))
      if (rule.lifecycle == "image" && rule.state == "running") return rule.after;
    return std::chrono::seconds{0};
  };
  const auto usual = Config::read({}, {});
  REQUIRE(usual);
  CHECK(running(*usual) == std::chrono::hours{1});
  CHECK(running(*usual) > usual->duration("image.wait_max"));
  const auto longer = Config::read({}, {{"HAUL__STUCK__IMAGE__RUNNING", "3h"}});
  REQUIRE(longer);
  CHECK(running(*longer) == std::chrono::hours{3});
}

TEST_CASE("S1-13: each state has a threshold of its own, and 0s means never") {
  CHECK(rules_with({{"HAUL__STUCK__MEDIA__DOWNLOADING", "90m"}}) ==
        "queued 3600, downloading 5400, completed 3600, imported 86400");
  CHECK(rules_with(
            {{"HAUL__STUCK__MEDIA__QUEUED", "0s"}, {"HAUL__STUCK__MEDIA__IMPORTED", "365d"}}) ==
        "downloading 86400, completed 3600, imported 31536000");
  CHECK(rules_with({{"HAUL__STUCK__MEDIA__QUEUED", "1s"}}).starts_with("queued 1,"));
}

TEST_CASE("S1-13: a threshold that is no duration, too long or not whole seconds is refused") {
  const auto refused = [](const char* text) {
    return rules_with({{"HAUL__STUCK__MEDIA__QUEUED", text}});
  };
  CHECK(refused("soon").find("stuck.media.queued: expected a duration") != std::string::npos);
  CHECK(refused("366d").find("out of range") != std::string::npos);
  CHECK(refused("999ms").find("not whole seconds") != std::string::npos);
  CHECK(rules_with({{"HAUL__STUCK__MEDIA__CLEANED", "1h"}}).find("unknown key") !=
        std::string::npos);
}

}  // namespace haul::app
