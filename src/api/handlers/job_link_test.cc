#include <doctest/doctest.h>
#include <fmt/core.h>

#include "flow/batch/relink.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

std::vector<flow::LifecycleWork> batch_work() {
  return {{.lifecycle = &kBatch, .make_handler = {}, .relink = flow::relink}};
}

// A running batch: its first item failed, its second landed, its third is in transfer.
struct Linked {
  ApiBench b{open_test_store(Bench::kStart), batch_work()};
  JobId id = b.add_for("adder");

  Linked() {
    const WorkerId worker = b.store().workers().enlist("test", b.clock.now());
    const auto claims =
        b.store().jobs().claim({.lifecycle = &kBatch, .worker = worker, .limit = 1}, b.clock.now());
    const Hold hold{id, worker, claims.front().version.fence};
    std::vector<NewItem> found;
    for (int n = 1; n <= 3; ++n)
      found.push_back({.key = fmt::format("http://h/{}?token=canary", n),
                       .url = fmt::format("http://h/{}?token=canary", n)});
    REQUIRE(b.store().items().add(hold, found, Enumeration::complete, b.clock.now()));
    std::vector<ItemMove> moves;
    for (int n = 1; n <= 3; ++n) moves.push_back({.n = n, .from = "PENDING", .on = On::start});
    moves.push_back({.n = 1,
                     .from = "DOWNLOADING",
                     .on = On::fail,
                     .checkpoint = R"({"part":"a.part"})",
                     .reason = "http_403"});
    moves.push_back({.n = 2,
                     .from = "DOWNLOADING",
                     .on = On::landed,
                     .path = "/in/2",
                     .proof = {Proof::evidence, "{}"},
                     .holds = {Guard::file_exists}});
    for (const ItemAnswer& answer : b.store().items().move(hold, moves, b.clock.now()))
      REQUIRE(answer);
  }
  WebReply replace(const std::string& item, const std::string& body,
                   const std::string& who = "adder") {
    return b.as(who, "POST", fmt::format("/api/v1/jobs/{}/items/{}/url", id.value, item), body);
  }
  static std::string refusal(const WebReply& reply) {
    return fmt::format("{} {}", reply.status, member(reply, "code"));
  }
};

const std::string kNew = R"({"url":"http://h/new?token=canary2"})";

}  // namespace

TEST_CASE("S2-31: a new link for a failed item is a new job, and the same link is that job") {
  Linked s;

  const WebReply first = s.replace("1", kNew);
  CHECK(first.status == 201);
  CHECK(header_of(first, "Location") == "/api/v1/jobs/" + member(first, "id"));
  CHECK(member(first, "retry_of") == std::to_string(s.id.value));
  const WebReply again = s.replace("1", kNew);
  CHECK(again.status == 200);
  CHECK(member(again, "id") == member(first, "id"));
}

TEST_CASE("S2-31: a new link is refused for an item that has none to replace") {
  Linked s;

  CHECK(Linked::refusal(s.replace("2", kNew)) == "409 item_done");
  CHECK(Linked::refusal(s.replace("3", kNew)) == "409 item_open");
  for (const char* none : {"4", "0", "-1", "x"})
    CHECK(Linked::refusal(s.replace(none, kNew)) == "404 no_such_item");
}

TEST_CASE("S2-31: a new link is checked like the URL of a new job, and the error names url") {
  Linked s;

  const WebReply wrong = s.replace("1", R"({"url":"ftp://h/a"})");
  CHECK(wrong.status == 422);
  CHECK(member(wrong, "code") == "bad_url_scheme");
  CHECK(member(wrong, "detail").starts_with("url: "));
  for (const char* body : {"{}", R"({"url":7})", R"({"url":""})", R"({"url":"http://h/a","x":1})"})
    CHECK(s.replace("1", body).status == 400);
}

TEST_CASE("F52: who may not see a job replaces no link of it, and no event shows the address") {
  Linked s;
  CHECK(s.replace("1", kNew, "viewer").status == 403);
  const WebReply added = s.replace("1", kNew, "boss");
  REQUIRE(added.status == 201);

  const std::string path = "/api/v1/jobs/" + member(added, "id");
  const std::string events = s.b.as("adder", "GET", path + "/events").body;
  CHECK(events.find("LINK_REPLACED") != std::string::npos);
  CHECK(events.find("canary2") == std::string::npos);
  const std::string audit = s.b.get("/api/v1/audit").body;
  CHECK(audit.find("LINK_REPLACED") != std::string::npos);
  CHECK(audit.find("canary2") == std::string::npos);
}

}  // namespace haul::testing
