#include "app/config/image_rules.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/config/config.h"
#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

flow::ImageRules rules_of(const Config::Environment& set) {
  return image_rules(Config::read({}, set).value());
}

}  // namespace

TEST_CASE("A4-2, A4-5, A4-13: an image costs 1, has 3 attempts, and a block is not refunded") {
  const flow::ImageRules rules = rules_of({});
  CHECK(rules.price == 1);
  CHECK(rules.prompt.length_max == 4'000);
  CHECK(rules.quota.open_max == 20);
  CHECK(rules.quota.per_minute == 10);
  CHECK(rules.limits.at_once == 2);
  CHECK(rules.limits.per_owner == 1);
  CHECK(rules.retries_max == 3);
  CHECK(rules.on_unknown == flow::UnknownCall::retry);
  CHECK_FALSE(rules.refund_rejected);
}

TEST_CASE("A4-5, S3-24: no more attempts than the table has, and no wait beyond the flow's") {
  const auto is_taken = [](const char* name, const char* value) {
    return Config::read({}, {{name, value}}).has_value();
  };
  CHECK(is_taken("HAUL__IMAGE__RETRIES_MAX", "3"));
  CHECK_FALSE(is_taken("HAUL__IMAGE__RETRIES_MAX", "4"));
  CHECK(is_taken("HAUL__IMAGE__TIMEOUT", "10m"));
  CHECK_FALSE(is_taken("HAUL__IMAGE__TIMEOUT", "601s"));
}

TEST_CASE("A4-2, A4-13: the configuration sets what an image does after a block or a lost answer") {
  const flow::ImageRules rules = rules_of({{"HAUL__IMAGE__PRICE", "0"},
                                           {"HAUL__IMAGE__ON_UNKNOWN", "give_up"},
                                           {"HAUL__IMAGE__REFUND_REJECTED", "true"},
                                           {"HAUL__IMAGE__RETRIES_MAX", "1"}});
  CHECK(rules.price == 0);
  CHECK(rules.on_unknown == flow::UnknownCall::give_up);
  CHECK(rules.refund_rejected);
  CHECK(rules.retries_max == 1);
}

TEST_CASE("S4-2: the blocklist is read at the start, and one that cannot be read stops it") {
  const testing::TempFolder folder;
  const std::string file = folder.path() / "blocked.txt";
  const Config::Environment set{{"HAUL__IMAGE__BLOCKLIST", file}};
  CHECK(Config::read({}, set).error().detail.find("cannot be read") != std::string::npos);

  std::ofstream{file} << "fine\n/(/\n";
  CHECK(Config::read({}, set).error().detail.find("line 2") != std::string::npos);

  std::ofstream{file} << "nude\n";
  CHECK(rules_of(set).prompt.blocklist->blocks("NUDE"));
  const Config config = Config::read({}, set).value();
  std::filesystem::remove(file);
  CHECK_THROWS(image_rules(config));
}

}  // namespace haul::app
