// haul_seventh: the lifecycle of errand.h in a process of its own, with a store on disk, a worker,
// the API and the page over HTTP, put together as in the daemon. Its first line is its address and
// an admin's key:
//
//   http://127.0.0.1:PORT/ KEY
//
// Then it prints what the handler is asked, such as "begin 1" or "stop 1", and reads the handler's
// answers, one per line: "finished 1", "failed 1" or "stopped 1". Ends when its standard input
// closes.

#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "api/api.h"
#include "app/admin_key.h"
#include "app/listen.h"
#include "app/web_files.h"
#include "app/wiring/server.h"
#include "base/clock.h"
#include "base/lent.h"
#include "base/random.h"
#include "seventh/errand.h"
#include "store/open.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

void say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// The parts are in the order of app::Daemon, and for the same reasons.
class Seventh {
 public:
  std::string address() const { return app::shown_address(at_.listen, server_.port()); }
  std::string key() { return app::ensure_admin_key(*store_, folder_.path(), clock_.now()).text; }

  // False if there is no such answer or no such job.
  bool answer(const std::string& line) {
    std::istringstream words{line};
    std::string name;
    std::int64_t id = 0;
    words >> name >> id;
    const auto what = answer_called(name);
    if (!what || !store_->reader().find(JobId{id})) return false;
    tell(worker_, *store_, JobId{id}, *what);
    return true;
  }

 private:
  static std::optional<What> answer_called(const std::string& name) {
    if (name == "finished") return Finished{.path = "/there", .size = 1, .evidence = "{}"};
    if (name == "failed")
      return Failed{.fault = {FaultKind::permanent, "broken", "It fell off the cart."},
                    .checkpoint = {}};
    if (name == "stopped") return Stopped{};
    return std::nullopt;
  }
  StoreOptions store_options() {
    StoreOptions options;
    options.clock = &clock_;
    options.on_commit = [this](const Committed& committed) {
      meter_.see(committed);
      lent_live_.use([](api::Live& live) { live.ring(); });
    };
    return options;
  }
  api::ApiParts api_parts() {
    return {.store = *store_,
            .clock = clock_,
            .settings = {},
            .live = live_,
            .progress = progress_,
            .meter = meter_,
            .spare = &worker_.spare(),
            .wake = [this] { worker_.wake(); },
            .files = app::web_files(),
            .allowed_hosts = {},
            .folder = folder_.path().string(),
            .work = worker_.all_work(),
            .version = "test"};
  }
  void work(const std::stop_token& stop) {
    static constexpr Millis kTick{50};
    while (!stop.stop_requested()) {
      worker_.tick();
      worker_.wait(kTick);
    }
    (void)worker_.wind_down();
    worker_.stop();
  }

  const OwnLifecycle registered_{kErrand};
  const TempFolder folder_;
  const Clock& clock_ = system_clock();
  const app::ServerConfig at_{
      .listen = {"127.0.0.1", 0}, .allowed_hosts = {}, .trusted_proxies = {}};
  api::Meter meter_;
  api::LiveProgress progress_;
  Lent<api::Live> lent_live_;
  Lent<io::HttpServer> lent_server_;
  const std::unique_ptr<Store> store_ =
      open_store(store_url(folder_.path()), store_options(), clock_.now());
  api::Live live_{*store_, clock_, [this] {
                    lent_server_.use([](io::HttpServer& server) { server.wake_streams(); });
                  }};
  const Lent<api::Live>::Loan live_loan_ = lent_live_.lend(live_);
  SeededRandom random_{1};
  flow::Worker worker_{*store_,  std::vector{errand_work(say)}, clock_, random_, flow::Settings{},
                       "seventh"};
  api::Api api_{api_parts()};
  std::jthread works_{[this](const std::stop_token& stop) { work(stop); }};
  app::ApiServer server_{api_, at_, lent_server_};
};

int serve() {
  Seventh seventh;
  say(fmt::format("{} {}", seventh.address(), seventh.key()));
  for (std::string line; std::getline(std::cin, line);) {
    if (seventh.answer(line)) continue;
    fmt::print(stderr, "haul_seventh: cannot answer \"{}\"\n", line);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace haul::testing

int main() {
  std::signal(SIGPIPE, SIG_IGN);  // A reader that is gone closes our standard input, too.
  try {
    return haul::testing::serve();
  } catch (const std::exception& why) {
    fmt::print(stderr, "haul_seventh: {}\n", why.what());
    return 1;
  }
}
