#include <doctest/doctest.h>
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

// A running batch whose first item has landed with this evidence; its second is in transfer.
struct LandedItem {
  ApiBench b;
  JobId id = b.add_for("adder");

  explicit LandedItem(const std::string& evidence) {
    const WorkerId worker = b.store().workers().enlist("test", b.clock.now());
    const auto claims =
        b.store().jobs().claim({.lifecycle = &kBatch, .worker = worker, .limit = 1}, b.clock.now());
    const Hold hold{id, worker, claims.front().version.fence};
    const std::vector<NewItem> found{{.key = "http://h/1", .url = "http://h/1"},
                                     {.key = "http://h/2", .url = "http://h/2"}};
    REQUIRE(b.store().items().add(hold, found, Enumeration::complete, b.clock.now()));
    b.clock.pass(5s);
    const std::vector<ItemMove> moves{{.n = 1, .from = "PENDING", .on = On::start},
                                      {.n = 2, .from = "PENDING", .on = On::start},
                                      {.n = 1,
                                       .from = "DOWNLOADING",
                                       .on = On::landed,
                                       .path = "/in/1",
                                       .size = 200,
                                       .proof = {Proof::evidence, evidence},
                                       .holds = {Guard::file_exists}}};
    for (const ItemAnswer& answer : b.store().items().move(hold, moves, b.clock.now()))
      REQUIRE(answer);
  }
  json items() {
    const WebReply reply = b.get(fmt::format("/api/v1/jobs/{}/items", id.value));
    REQUIRE(reply.status == 200);
    return json::parse(reply.body)["items"];
  }
};

}  // namespace

TEST_CASE("the items of a job have their receipts, with the time of the landing") {
  LandedItem s{R"({"kind":"etag","etag":"\"v1\"","size":200,)"
               R"("last_modified":"Mon, 01 Jan 2024 00:00:00 GMT",)"
               R"("url":"http://cdn/1?token=canary","sha256":"9f86","ranges":[[0,90],[90,200]]})"};
  const std::string landed_at = to_iso(s.b.clock.now());
  s.b.clock.pass(1min);

  const json items = s.items();

  const json& receipt = items[0]["evidence"];
  CHECK(receipt["kind"] == "etag");
  CHECK(receipt["etag"] == "\"v1\"");
  CHECK(receipt["size"] == 200);
  CHECK(receipt["last_modified"] == "Mon, 01 Jan 2024 00:00:00 GMT");
  CHECK(receipt["sha256"] == "9f86");
  CHECK(receipt["ranges"].dump() == "[[0,90],[90,200]]");
  CHECK(receipt["landed_at"] == landed_at);
  CHECK(receipt["url"].get<std::string>().starts_with("http://cdn/1"));
  CHECK(receipt.dump().find("canary") == std::string::npos);
  CHECK(items[1]["evidence"].is_null());
}

TEST_CASE("OpenAPI describes the receipt of an item; only its time is always there") {
  ApiBench b;
  const json schemas = json::parse(b.get("/api/v1/openapi.json").body)["components"]["schemas"];

  CHECK(schemas["Item"]["properties"]["evidence"].dump().find("#/components/schemas/Receipt") !=
        std::string::npos);
  const json& fields = schemas["Receipt"]["properties"];
  for (const char* name :
       {"kind", "size", "landed_at", "sha256", "etag", "last_modified", "url", "ranges"})
    CHECK_MESSAGE(fields.contains(name), name);
  CHECK(schemas["Receipt"]["required"].dump() == R"(["landed_at"])");
}

}  // namespace haul::testing
