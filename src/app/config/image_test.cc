#include "app/config/image.h"

#include <doctest/doctest.h>

#include <fstream>

#include "app/config/config.h"
#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

using Set = Config::Environment;

Result<std::optional<imageapi::ImageSettings>> settings_of(const Set& set) {
  const auto config = Config::read({}, set);
  if (!config) return std::unexpected{config.error()};
  return image_engine_settings(*config, "/data");
}

std::string refusal(const Set& set) {
  const auto settings = settings_of(set);
  return settings ? std::string{} : settings.error().detail;
}

}  // namespace

TEST_CASE("no provider, no settings; a provider has its usual address and the defaults") {
  REQUIRE(settings_of({}));
  CHECK_FALSE(settings_of({})->has_value());

  const auto settings =
      settings_of({{"HAUL__IMAGE__PROVIDER", "openai"}, {"HAUL__IMAGE__API_KEY", "k"}}).value();
  REQUIRE(settings);
  CHECK(settings->url == "https://api.openai.com");
  CHECK(settings->api_key == "k");
  CHECK(settings->timeout == Millis{180'000});
  CHECK(settings->max_size == std::int64_t{32} << 20U);
  CHECK(settings->staging == "/data/images");
  CHECK_FALSE(settings->reach.private_too);
}

TEST_CASE("each provider says which setting it needs") {
  CHECK(refusal({{"HAUL__IMAGE__PROVIDER", "openai"}}).find("openai needs image.api_key") !=
        std::string::npos);
  CHECK(refusal({{"HAUL__IMAGE__PROVIDER", "replicate"}, {"HAUL__IMAGE__API_KEY", "k"}})
            .find("replicate needs image.model") != std::string::npos);
  CHECK(refusal({{"HAUL__IMAGE__PROVIDER", "comfyui"}}).find("comfyui needs image.workflow") !=
        std::string::npos);
  CHECK(refusal({{"HAUL__IMAGE__PROVIDER", "dalle"}}).find("is no provider") != std::string::npos);

  // A server of the operator's own may let haul in without a key.
  CHECK(
      refusal({{"HAUL__IMAGE__PROVIDER", "openai"}, {"HAUL__IMAGE__URL", "http://127.0.0.1:8080/"}})
          .empty());
  CHECK(refusal({{"HAUL__IMAGE__PROVIDER", "automatic1111"}}).empty());
}

TEST_CASE("a workflow is read from its file, and refused if it has no place for the prompt") {
  const testing::TempFolder folder;
  const std::string path = folder / "flow.json";
  const Set set{{"HAUL__IMAGE__PROVIDER", "comfyui"}, {"HAUL__IMAGE__WORKFLOW", path}};

  CHECK(refusal(set).find("cannot be read") != std::string::npos);
  std::ofstream{path} << R"({"6":{"class_type":"C","inputs":{"text":"a cat"}}})";
  CHECK(refusal(set).find("has no {{prompt}}") != std::string::npos);
  std::ofstream{path} << R"({"6":{"class_type":"C","inputs":{"text":"{{prompt}}"}}})";
  CHECK(settings_of(set).value()->workflow.find("{{prompt}}") != std::string::npos);
}

TEST_CASE("the largest image is 1 byte to 64M") {
  for (const char* good : {"1", "64M"}) CHECK(Config::read({}, {{"HAUL__IMAGE__MAX_SIZE", good}}));
  for (const char* bad : {"0", "65M", ""})
    CHECK_FALSE(Config::read({}, {{"HAUL__IMAGE__MAX_SIZE", bad}}));
}

}  // namespace haul::app
