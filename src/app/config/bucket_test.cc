#include "app/config/bucket.h"

#include <doctest/doctest.h>

#include "app/config/config.h"

namespace haul::app {
namespace {

using Environment = Config::Environment;

Result<Config> read(const Environment& environment) { return Config::read({}, environment); }

Environment s3() {
  return {{"HAUL__BUCKET__KIND", "s3"},
          {"HAUL__BUCKET__ENDPOINT", "https://s3.example.org/"},
          {"HAUL__BUCKET__BUCKET", "pictures"},
          {"HAUL__BUCKET__ACCESS_KEY", "AK"},
          {"HAUL__BUCKET__SECRET_KEY", "secret"}};
}

}  // namespace

TEST_CASE("images are kept in a folder of the data folder, or where a user says") {
  const auto plain = read({});
  REQUIRE(plain);
  CHECK(std::get<bucket::FolderBucketSettings>(bucket_settings(*plain, "/srv/haul")).root ==
        "/srv/haul/bucket");

  const auto moved = read({{"HAUL__BUCKET__ROOT", "/mnt/images"}});
  REQUIRE(moved);
  CHECK(std::get<bucket::FolderBucketSettings>(bucket_settings(*moved, "/srv/haul")).root ==
        "/mnt/images");
}

TEST_CASE("an S3 bucket has an address without a path, and a prefix that ends in a slash") {
  Environment environment = s3();
  environment["HAUL__BUCKET__PREFIX"] = "haul/images";
  const auto config = read(environment);
  REQUIRE(config);

  const auto settings = std::get<bucket::S3Settings>(bucket_settings(*config, "/srv/haul"));

  CHECK(settings.endpoint == "https://s3.example.org");
  CHECK(settings.prefix == "haul/images/");
  CHECK(settings.region == "us-east-1");
  CHECK(settings.path_style);
  CHECK(settings.link_for == std::chrono::seconds{600});
}

TEST_CASE("an S3 bucket that lacks a key, or has a wrong one, is refused by its name") {
  for (const char* name : {"ENDPOINT", "BUCKET", "ACCESS_KEY", "SECRET_KEY"}) {
    CAPTURE(name);
    Environment environment = s3();
    environment.erase(std::string{"HAUL__BUCKET__"} + name);
    CHECK_FALSE(read(environment));
  }
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"ENDPOINT", "https://s3.example.org/path"},
                                                        {"ENDPOINT", "s3.example.org"},
                                                        {"BUCKET", "Pictures"},
                                                        {"BUCKET", "a/b"},
                                                        {"REGION", "eu west"},
                                                        {"PREFIX", "/haul"},
                                                        {"PREFIX", "a//b"},
                                                        {"PREFIX", "a/../b"},
                                                        {"LINK_FOR", "4m"},
                                                        {"LINK_FOR", "11m"},
                                                        {"KIND", "tape"}}) {
    CAPTURE(name);
    CAPTURE(value);
    Environment environment = s3();
    environment["HAUL__BUCKET__" + name] = value;
    CHECK_FALSE(read(environment));
  }
}

}  // namespace haul::app
