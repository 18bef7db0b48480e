#include "io/web/traced_loop.h"

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/redact.h"
#include "base/text.h"

namespace haul::io {
namespace {

std::string in_words(const HttpRequest& request) {
  constexpr std::string_view kRange = "range: ";
  std::string line = request.method + " " + request.url;
  for (const std::string& header : request.headers)
    if (lower(header).starts_with(kRange)) line += ", " + header.substr(kRange.size());
  if (request.decode) line += ", compressed";
  if (!request.proxy.empty()) line += ", through " + request.proxy;
  return safe_detail(line);
}

std::string in_words(const HttpHead& head, const std::string& url) {
  std::string line = fmt::format("{} from {}", head.status, url);
  for (const char* name : {"location", "content-length", "content-range", "retry-after"})
    if (const std::string_view value = head.find(name); !value.empty())
      line += fmt::format(", {}: {}", name, value);
  return safe_detail(line);
}

// Stands between the loop and each user, to see the heads.
class TracedLoop final : public HttpLoop, public HttpUser {
 public:
  TracedLoop(std::unique_ptr<HttpLoop> loop, Trace trace)
      : trace_{std::move(trace)}, loop_{std::move(loop)} {}

  void post(std::function<void()> work) override { loop_->post(std::move(work)); }
  int begin(const HttpRequest& request, HttpUser& user) override {
    trace_(in_words(request));
    const int call = loop_->begin(request, *this);
    calls_[call] = {.user = &user, .url = request.url};
    return call;
  }
  void end(int call) override {
    calls_.erase(call);
    loop_->end(call);
  }
  void resume(int call, Direction direction) override { loop_->resume(call, direction); }
  void after(Millis wait, std::function<void()> work) override {
    loop_->after(wait, std::move(work));
  }

  Go on_head(int call, const HttpHead& head) override {
    const auto found = calls_.find(call);
    if (found == calls_.end()) return Go::stop;
    trace_(in_words(head, found->second.url));
    return found->second.user->on_head(call, head);
  }
  Go on_body(int call, std::span<const std::byte> bytes) override {
    const auto found = calls_.find(call);
    return found == calls_.end() ? Go::stop : found->second.user->on_body(call, bytes);
  }
  void on_end(int call, const HttpEnd& end) override {
    const auto found = calls_.extract(call);
    if (found.empty()) return;
    if (end.fault)
      trace_(safe_detail(
          fmt::format("{} from {}: {}", end.fault->code, found.mapped().url, end.fault->detail)));
    found.mapped().user->on_end(call, end);
  }

 private:
  struct Traced {
    HttpUser* user = nullptr;
    std::string url;
  };

  const Trace trace_;
  std::map<int, Traced> calls_;     // Used only on the loop's thread.
  std::unique_ptr<HttpLoop> loop_;  // Destroyed first: it may call back until it has ended.
};

}  // namespace

std::unique_ptr<HttpLoop> make_traced_loop(std::unique_ptr<HttpLoop> loop, Trace trace) {
  return std::make_unique<TracedLoop>(std::move(loop), std::move(trace));
}

}  // namespace haul::io
