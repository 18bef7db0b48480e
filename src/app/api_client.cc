#include "app/api_client.h"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <fstream>

#include "app/signals.h"
#include "base/ascii.h"
#include "io/web/event_stream.h"
#include "io/web/http_call.h"

namespace haul::app {
namespace {

constexpr Millis kLookForSignals{100};
constexpr std::size_t kKeyMax = 512;

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

// The "host:port" of an address.
std::string host_part(std::string_view url) {
  const std::size_t begin = url.find("://") + 3;
  return std::string{url.substr(begin, url.find_first_of("/?#", begin) - begin)};
}

Result<std::string> base_of(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  const std::string start = lower(url.substr(0, 8));
  const bool is_web = start.starts_with("http://") || start.starts_with("https://");
  const bool is_plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!is_web || !is_plain || host_part(url).empty() ||
      url.find_first_of("?#") != std::string_view::npos)
    return refuse("--url (or HAUL_URL): expected a URL such as http://127.0.0.1:4285");
  // A password would be visible in the process list and in messages.
  if (host_part(url).find('@') != std::string::npos)
    return refuse(
        "--url (or HAUL_URL): must not contain a user name or password; set the key in HAUL_KEY");
  return std::string{url};
}

bool is_this_machine(const std::string& base) {
  const std::string host = lower(host_part(base));
  const auto is = [&](std::string_view name) {
    return host == name || host.starts_with(std::string{name} + ":");
  };
  return is("localhost") || is("[::1]") || host.starts_with("127.");
}

struct Key {
  std::string text;
  std::string from;
};

// admin.key opens the daemon of this machine. Another machine gets it only if the user named the
// data folder.
Result<Key> key_for(const cli::ApiAddress& address, const std::string& base) {
  Key key{address.key, "HAUL_KEY"};
  if (key.text.empty()) {
    if (!is_this_machine(base) && !address.data_given) return Key{};
    const std::filesystem::path file = address.data / "admin.key";
    std::ifstream in{file};
    if (!std::getline(in, key.text)) return Key{{}, fmt::format("{} (not there)", file.string())};
    key.from = file.string();
  }
  key.text = trimmed(key.text);
  const bool is_fit = key.text.size() <= kKeyMax &&
                      std::ranges::all_of(key.text, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!is_fit) return refuse(fmt::format("{} does not contain a valid API key", key.from));
  return key;
}

class HttpApi final : public cli::ApiClient {
 public:
  HttpApi(std::string base, Key key) : base_{std::move(base)}, key_{std::move(key)} {}

  Result<cli::ApiAnswer> ask(const cli::ApiRequest& request) override {
    io::HttpCall made = call_for(request.path);
    made.method = request.method;
    made.body = request.body;
    if (request.method == "POST") made.headers.emplace_back("Content-Type: application/json");
    if (!request.idempotency_key.empty()) {
      if (!is_fit_for_header(request.idempotency_key))
        return refuse("--key: must not contain control characters");
      made.headers.push_back("Idempotency-Key: " + request.idempotency_key);
    }
    auto answer = io::call(made);
    if (!answer) return std::unexpected{answer.error()};
    return cli::ApiAnswer{answer->status, std::move(answer->body)};
  }

  Result<cli::ApiAnswer> listen(const std::string& path, const std::string& last_id,
                                const OnEvent& on_event) override {
    io::HttpCall made = call_for(path);
    made.headers.emplace_back("Accept: text/event-stream");
    if (!last_id.empty() && is_fit_for_header(last_id))
      made.headers.push_back("Last-Event-ID: " + last_id);
    io::EventStream events;
    bool enough = false;
    std::string id = last_id;
    const auto answer = io::stream(made, [&](std::string_view bytes) {
      if (!events.take(bytes)) return false;
      while (auto event = events.next()) {
        if (!event->id.empty()) id = event->id;
        enough = on_event({event->name, id, event->data}) == cli::Listening::enough;
        if (enough) return false;
      }
      if (bytes.empty())
        enough = on_event({.name = {}, .id = id, .data = {}}) == cli::Listening::enough;
      return !enough;
    });
    if (!answer) return std::unexpected{answer.error()};
    if (answer->status == 200 && !enough)
      return std::unexpected{Fault{FaultKind::retryable, "connection_lost", "the stream ended"}};
    return cli::ApiAnswer{answer->status, answer->body};
  }

  Result<cli::ApiAnswer> fetch(const std::string& path, const OnBytes& on_bytes) override {
    auto answer = io::stream(call_for(path), on_bytes);
    if (answer && !answer->redirect.empty())
      answer = io::stream({.url = answer->redirect, .headers = {}, .body = {}}, on_bytes);
    if (!answer) return std::unexpected{answer.error()};
    return cli::ApiAnswer{answer->status, std::move(answer->body)};
  }

  int interrupts() override {
    if (!signals_) signals_.emplace();
    return signals_->count();
  }
  void wait(Millis time) override {
    for (; time > Millis{0} && interrupts() == 0; time -= kLookForSignals)
      ::poll(nullptr, 0, static_cast<int>(kLookForSignals.count()));
  }
  std::string address() const override { return base_; }
  std::string key_from() const override { return key_.from; }

 private:
  static bool is_fit_for_header(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c != '\x7f'; });
  }
  io::HttpCall call_for(const std::string& path) const {
    io::HttpCall made{.url = base_ + path, .headers = {}, .body = {}};
    if (!key_.text.empty()) made.headers.push_back("X-Api-Key: " + key_.text);
    return made;
  }

  const std::string base_;
  const Key key_;
  std::optional<Signals> signals_;
};

}  // namespace

Result<std::unique_ptr<cli::ApiClient>> open_api_client(const cli::ApiAddress& address) {
  const auto base = base_of(address.url);
  if (!base) return std::unexpected{base.error()};
  auto key = key_for(address, *base);
  if (!key) return std::unexpected{key.error()};
  return std::make_unique<HttpApi>(*base, *std::move(key));
}

}  // namespace haul::app
