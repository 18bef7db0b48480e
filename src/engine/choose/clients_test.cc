#include "engine/choose/clients.h"

#include <doctest/doctest.h>

#include "support/io/fake_loop.h"

namespace haul::choose {
namespace {

// Writes down what it is asked, and lacks what the test says.
class Client final : public RemoteEngine {
 public:
  void start(Order order, Inbox&) override { note("start", order); }
  void look(std::span<const Order> orders, Inbox&) override {
    asked += "look";
    for (const Order& order : orders) asked += " " + std::to_string(order.job.value);
    asked += "; ";
  }
  void stop(const Order& order, Leftovers, Inbox&) override { note("stop", order); }
  void list(const Order& order, Inbox&) override { note("list", order); }
  void release(const Order& order, Inbox&) override { note("release", order); }
  Lack not_ready(std::string_view) const override { return {lacks}; }

  std::string asked;
  std::string lacks;

 private:
  void note(const std::string& what, const Order& order) {
    asked += what + " " + std::to_string(order.job.value) + "; ";
  }
};

struct Both {
  Client torrents;
  Client web;
  testing::Letters letters;
  std::unique_ptr<RemoteEngine> all =
      make_choosing_client({{"qbittorrent", torrents}, {"http", web}});

  static Order order(std::int64_t job, const std::string& request) {
    return {.job = JobId{job}, .fence = 3, .start = 5, .request = request};
  }
  // Calls every function with a request.
  void call_all(const std::string& request) {
    const Order its = order(1, request);
    all->start(its, letters);
    all->look({&its, 1}, letters);
    all->stop(its, Leftovers::remove, letters);
    all->list(its, letters);
    all->release(its, letters);
  }
};

constexpr const char* kAll = "start 1; look 1; stop 1; list 1; release 1; ";

}  // namespace

TEST_CASE("an order goes to the client that its request names, and to the first without a name") {
  for (const char* request :
       {"{}", R"({"engine":null})", R"({"engine":""})", "no JSON", R"({"engine":"qbittorrent"})"}) {
    Both b;
    b.call_all(request);
    CHECK(b.torrents.asked == kAll);
    CHECK(b.web.asked.empty());
  }
  Both b;
  b.call_all(R"({"engine":"http"})");
  CHECK(b.torrents.asked.empty());
  CHECK(b.web.asked == kAll);
  CHECK(b.letters.sights.empty());
}

TEST_CASE("one look asks each client once, about its own orders") {
  Both b;
  const std::string web = R"({"engine":"http"})";
  const std::vector<Order> orders{Both::order(1, "{}"), Both::order(2, web), Both::order(3, "{}"),
                                  Both::order(4, web)};
  b.all->look(orders, b.letters);
  CHECK(b.torrents.asked == "look 1 3; ");
  CHECK(b.web.asked == "look 2 4; ");
}

TEST_CASE("an order for a client that haul does not have fails, whatever is asked") {
  Both b;
  b.call_all(R"({"engine":"ftp"})");

  CHECK(b.torrents.asked.empty());
  CHECK(b.web.asked.empty());
  REQUIRE(b.letters.sights.size() == 5);
  for (const Sight& sight : b.letters.sights) {
    CHECK(sight.fence == 3);
    CHECK(sight.start == 5);
    const auto* failed = std::get_if<Failed>(&sight.what);
    REQUIRE(failed != nullptr);
    CHECK(failed->fault.code == "unknown_engine");
    CHECK((failed->fault.kind == FaultKind::permanent));
  }
}

TEST_CASE("Z-30: what is lacking depends on the client that a request names") {
  Both b;
  b.torrents.lacks = "configure engine.qbittorrent.url";

  CHECK(b.all->not_ready("").text == b.torrents.lacks);
  CHECK(b.all->not_ready("qbittorrent").text == b.torrents.lacks);
  CHECK(b.all->not_ready("http").text.empty());
  b.web.lacks = "configure importer.download_root";
  CHECK(b.all->not_ready("http").text == b.web.lacks);
  CHECK((b.all->not_ready("ftp").remedy == Lack::Remedy::none));
}

}  // namespace haul::choose
