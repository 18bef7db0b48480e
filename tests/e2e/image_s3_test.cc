// Images that a real daemon keeps in a real S3 server.

#include "support/process/image_daemon.h"
#include "support/server/s3_server.h"

using namespace haul;
using namespace haul::testing;
using nlohmann::json;

namespace {

std::vector<std::string> settings_for(const S3Server& server) {
  return {"HAUL__BUCKET__KIND=s3", "HAUL__BUCKET__ENDPOINT=" + server.settings.endpoint,
          "HAUL__BUCKET__BUCKET=" + server.settings.bucket,
          "HAUL__BUCKET__ACCESS_KEY=" + server.settings.access_key,
          "HAUL__BUCKET__SECRET_KEY=" + server.settings.secret_key};
}

}  // namespace

TEST_CASE("S4-5, A4-11: an image lands in S3, and its signed link leads to it without a key") {
  if (!has_s3_packages()) return;
  const S3Server server;
  ImageDaemon b{settings_for(server)};
  const std::string id = b.add("a cat");
  REQUIRE(b.comes_to(id, "completed"));
  const json asset = b.get("/jobs/" + id + "/result")["assets"][0];

  const RawReply whole = b.daemon.get(asset["url"]);

  CHECK(whole.status() == 302);
  CHECK(whole.header("Cache-Control") == "no-store");
  const std::string link{whole.header("Location")};
  const std::string store =
      Sql{b.daemon.data() / "haul.db"}.ask("SELECT value FROM meta WHERE name = 'store_id'");
  CHECK(link.starts_with(
      fmt::format("{}/pictures/originals/{}/1/0.png?", server.settings.endpoint, store)));
  CHECK(link.find("X-Amz-Expires=600") != std::string::npos);
  const auto fetched = io::call({.url = link});
  REQUIRE(fetched);
  CHECK(fetched->status == 200);
  CHECK(fetched->body == b.api.image);
  const auto small =
      io::call({.url = std::string{b.daemon.get(asset["thumbnail_url"]).header("Location")}});
  REQUIRE(small);
  CHECK(small->body.starts_with("\xff\xd8\xff"));
  b.check_store();
}

TEST_CASE("S4-5: haul image saves a picture that is in S3") {
  if (!has_s3_packages()) return;
  const S3Server server;
  ImageDaemon b{settings_for(server)};
  const std::filesystem::path file = b.pictures / "cat.png";

  const testing::Finished made = b.haul({"image", "a cat", "-o", file.string()});

  CHECK_MESSAGE(made.code == 0, made.out << made.err);
  CHECK(read_file(file) == b.api.image);
  CHECK(b.wallet() == "19 0 1");
}
