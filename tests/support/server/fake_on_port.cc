#include "support/server/fake_on_port.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"

namespace haul::testing {
namespace {

io::HttpRequest as_sent(const WebRequest& request) {
  io::HttpRequest sent{.method = request.method, .url = "http://127.0.0.1", .body = request.body};
  for (const std::string& segment : request.target.segments) sent.url += "/" + segment;
  char mark = '?';
  for (const auto& [name, value] : request.target.query) {
    sent.url += fmt::format("{}{}={}", mark, percent_encoded(name), percent_encoded(value));
    mark = '&';
  }
  for (const auto& [name, value] : request.headers) sent.headers.push_back(name + ": " + value);
  return sent;
}

// The server itself writes the length of an answer, so that of a HEAD has a body of the length that
// the fake says, which is not sent.
std::string body_of_length(std::vector<std::pair<std::string, std::string>>& headers) {
  const auto length = std::ranges::find(
      headers, "content-length", [](const auto& header) { return std::string_view{header.first}; });
  if (length == headers.end()) return {};
  std::string body(std::stoul(length->second), ' ');
  headers.erase(length);
  return body;
}

}  // namespace

FakeOnPort::FakeOnPort(FakeServer fake) : fake_{std::move(fake)} {
  io::ServerSettings settings;
  settings.body_max = [](std::string_view, std::string_view) { return std::size_t{1} << 20U; };
  server_ = io::make_http_server(
      std::move(settings),
      [this](WebRequest request, const io::WebAnswer& then) { answer(std::move(request), then); },
      [](int status, std::string_view detail) {
        return WebReply{.status = status, .headers = {}, .body = std::string{detail}, .stream = {}};
      });
}

std::string FakeOnPort::url() const { return fmt::format("http://127.0.0.1:{}", server_->port()); }

void FakeOnPort::serve(FakeServer fake) {
  const Lock lock{mutex_};
  fake_ = std::move(fake);
}

void FakeOnPort::with(const std::function<void()>& use) {
  const Lock lock{mutex_};
  use();
}

void FakeOnPort::answer(WebRequest request, const io::WebAnswer& then) {
  std::optional<FakeReply> reply;
  {
    const Lock lock{mutex_};
    reply = fake_(as_sent(request));
  }
  if (!reply) return;  // Silence.
  if (request.method == "HEAD") reply->body = body_of_length(reply->headers);
  if (reply->fault) return then({.status = 502, .headers = {}, .body = {}, .stream = {}});
  then({.status = reply->status,
        .headers = std::move(reply->headers),
        .body = std::move(reply->body),
        .stream = {}});
}

}  // namespace haul::testing
