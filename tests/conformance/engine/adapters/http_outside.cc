#include "conformance/engine/adapters/http_outside.h"

#include <fmt/core.h>

namespace haul::conformance {

std::string HttpOutside::answer(std::string_view path) {
  if (path.starts_with("/held")) {
    ++held_;
    over_.wait();
    return {};
  }
  if (is_lost_) return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  return testing::canned(std::string(kSize, 'x'), "ETag: \"1\"\r\nAccept-Ranges: bytes\r\n");
}

std::string HttpOutside::request(const std::string& urls, const std::string& more) const {
  return fmt::format(R"({{"urls":[{}],"folder":"{}","engine":"http"{}}})", urls,
                     folder_.path().string(), more);
}

// A page has to be read before its items are known; a list of files does not.
Order HttpOutside::listing(Pace pace) {
  Order order{.store = kStore, .job = JobId{1}, .fence = 1, .start = -1};
  order.request =
      pace == Pace::held
          ? request(fmt::format(R"("{}")", server_.url("/held")), R"(,"discover":true)")
          : request(fmt::format(R"("{}","{}")", server_.url("/a.bin"), server_.url("/b.bin")), "");
  return order;
}

Order HttpOutside::item(Pace pace) {
  Order order{.store = kStore, .job = JobId{1}, .item = 1, .fence = 1, .start = 1};
  order.url = server_.url(pace == Pace::held ? "/held.bin" : "/a.bin");
  order.key = order.url;
  order.request = request(fmt::format(R"("{}")", order.url), "");
  return order;
}

void HttpOutside::await_hold(const Order&) {
  ++awaited_;
  until([this] { return held_ >= awaited_; }, kPatience);
}

}  // namespace haul::conformance
