// What `haul get` has no option for, tested on the engine itself: a stall, whose default timeout is
// half a minute, and addresses that a remote user's job may not reach.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <vector>

#include "base/mutex.h"
#include "engine/http/http.h"
#include "support/io/open_gate.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

class Mail final : public Inbox {
 public:
  void push(Sight sight) override {
    const Lock lock{mutex_};
    sights_.push_back(std::move(sight));
    came_.notify_all();
  }
  // How the transfer of this start failed. Empty if it has not failed within ten seconds.
  std::optional<Failed> failed(std::int64_t start) {
    const Lock lock{mutex_};
    const Failed* found = nullptr;
    came_.wait_for(mutex_, 10'000ms, [&]() REQUIRES(mutex_) {
      for (const Sight& sight : sights_)
        if (sight.start == start && !found) found = std::get_if<Failed>(&sight.what);
      return found != nullptr;
    });
    return found ? std::optional{*found} : std::nullopt;
  }

 private:
  Mutex mutex_;
  Condition came_;
  std::vector<Sight> sights_ GUARDED_BY(mutex_);
};

struct EngineBench {
  explicit EngineBench(http::HttpSettings settings)
      : engine{http::make_http_engine(*loop, gate, system_clock(), std::move(settings),
                                      io::Durability::off)} {}

  void start(std::int64_t number, const std::string& url) {
    Order order{.job = JobId{1}, .item = number, .fence = 1, .start = number};
    order.request = fmt::format(R"({{"urls":["{}"],"folder":"{}"}})", url, folder.path().string());
    order.url = url;
    engine->start(order, mail);
  }
  std::string failure(std::int64_t number) {
    const auto failed = mail.failed(number);
    return failed ? failed->fault.code : "none";
  }

  TempFolder folder;
  OpenGate gate;
  Mail mail;
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(system_clock());
  std::unique_ptr<ItemEngine> engine;
};

}  // namespace

TEST_CASE("S2-30: no byte for the read time-out is a fault that is tried again, not a freeze") {
  const FaultServer server;
  EngineBench b{{.stall_timeout = Millis{1'000}}};
  b.start(1, server.url("/f/body?size=100000&stall_after=500"));
  b.start(2, server.url("/f/start?stall_after=0"));
  b.start(3, server.url("/f/head?stall_after=head"));

  CHECK(b.failure(1) == "stalled");
  CHECK(b.failure(2) == "stalled");
  CHECK(b.failure(3) == "timeout");
  CHECK(b.mail.failed(1)->fault.kind == FaultKind::retryable);
  CHECK(b.mail.failed(1)->checkpoint.find("\"here\":\"0-500\"") != std::string::npos);
}

TEST_CASE("U9, U31: a job that may reach public addresses only reaches no other, by no way") {
  const FaultServer server;
  EngineBench b{{.reach = {.private_too = false, .allowed = {}}}};
  b.start(1, server.url("/f/a"));
  b.start(2, fmt::format("http://localhost:{}/f/a", server.port()));
  b.start(3, fmt::format("http://2130706433:{}/f/a", server.port()));
  b.start(4, fmt::format("http://[::ffff:127.0.0.1]:{}/f/a", server.port()));

  for (const int number : {1, 2, 3, 4}) {
    CHECK(b.failure(number) == "private_address");
    CHECK(b.mail.failed(number)->fault.kind == FaultKind::rejected);
  }
  CHECK(server.log().empty());
}

TEST_CASE("U31: a redirect leads to no address that the job may not reach") {
  const FaultServer allowed;
  const FaultServer inside{"127.0.0.2"};
  http::HttpSettings settings{.reach = {.private_too = false, .allowed = {}}};
  settings.reach.allowed.push_back(*io::Network::parse("127.0.0.1"));
  EngineBench b{std::move(settings)};
  b.start(1, allowed.url("/f/a?redirect=" + inside.url("/f/secret")));

  CHECK(b.failure(1) == "private_address");
  CHECK(allowed.log().size() == 1);
  CHECK(inside.log().empty());
}
