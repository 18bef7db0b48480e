#include "app/get_plan.h"

#include <future>
#include <memory>
#include <utility>

#include "base/environment.h"
#include "base/host.h"
#include "engine/http/head_look.h"
#include "io/web/http.h"
#include "lifecycle/tables.h"
#include "store/refusal.h"
#include "store/rules/request_check.h"

namespace haul::app {
namespace {

using Tell = std::function<void(const cli::GetPlanned&)>;

// Looks at the URLs one after the other, on the loop's thread.
class GetPlanner {
 public:
  GetPlanner(io::HttpLoop& loop, const Clock& clock, const cli::GetCommand& command,
             const engine::GetRequest& request, const http::HttpSettings& settings,
             const Tell& tell)
      : loop_{loop},
        clock_{clock},
        command_{command},
        request_{request},
        tell_{tell},
        look_{loop, request, settings} {}

  std::future<void> done() { return done_.get_future(); }

  void next() {
    if (at_ == request_.urls.size()) return done_.set_value();
    const std::size_t position = at_++;
    const std::string& url = request_.urls[position];
    if (const std::string reason =
            engine::skip_reason(request_.filters, {.name = io::url_name(url), .date = {}});
        !reason.empty()) {
      tell_({.url = url, .path = {}, .reason = "skipped: " + reason});
      return loop_.post([this] { next(); });
    }
    const bool is_same_host = std::exchange(host_, host_of(url)) == host_of(url);
    loop_.after(is_same_host ? command_.delay : Millis{0}, [this, position] { ask(position); });
  }

 private:
  void ask(std::size_t position) {
    look_.look(position, clock_.now(), [this, position](const http::HeadSeenOf& seen) {
      report(request_.urls[position], seen);
      loop_.post([this] { next(); });
    });
  }

  void report(const std::string& url, const http::HeadSeenOf& seen) {
    cli::GetPlanned file{.url = url, .path = {}, .size = seen.size};
    if (seen.fault) {
      file.reason = "fails: " + seen.fault->code;
      return tell_(file);
    }
    const std::string skip = engine::skip_reason(
        request_.filters, {.name = seen.name, .size = seen.size, .date = seen.date});
    if (!skip.empty()) file.reason = "skipped: " + skip;
    file.path = (command_.folder / seen.name).string();
    tell_(file);
  }

  io::HttpLoop& loop_;
  const Clock& clock_;
  const cli::GetCommand& command_;
  const engine::GetRequest& request_;
  const Tell& tell_;
  http::HeadLook look_;
  std::size_t at_ = 0;
  std::string host_;
  std::promise<void> done_;
};

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

}  // namespace

Result<void> plan_get(const cli::GetCommand& command, const Clock& clock, const Tell& tell) {
  if (const auto refusal = rules::check_request(kBatch, command.request))
    return std::unexpected{Fault{FaultKind::rejected, refusal->code, refusal->detail}};
  const auto request = engine::read_get_request(command.request);
  if (!request) return std::unexpected{request.error()};
  if (request->discover) return refuse("--dry-run reads no pages, so it cannot list --discover");
  const http::HttpSettings settings{.ca_file = environment("SSL_CERT_FILE")};
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  auto planner = std::make_unique<GetPlanner>(*loop, clock, command, *request, settings, tell);
  const std::future<void> done = planner->done();
  loop->post([&planner] { planner->next(); });
  done.wait();
  std::promise<void> cleared;
  loop->post([&planner, &cleared] {
    planner.reset();
    cleared.set_value();
  });
  cleared.get_future().wait();
  return {};
}

}  // namespace haul::app
