#pragma once
// Collects whole answers over the HTTP loop, for short requests that need no stream. Lives on the
// loop's thread.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "io/web/http.h"

namespace haul::io {

struct HttpWhole {
  HttpHead head;
  std::string body;
  bool was_public = true;  // The server's address is public.
};

struct HttpBounds {
  std::size_t body_max = std::size_t{1} << 20U;  // More is the fault `too_long`.
  Millis within{30'000};                         // For the whole answer, however slowly it comes.
};

class HttpFetcher final : public HttpUser {
 public:
  using Then = std::function<void(Result<HttpWhole>)>;

  explicit HttpFetcher(HttpLoop& loop) : loop_{loop} {}
  // Ends open requests without calling their `then`.
  ~HttpFetcher() override;
  HttpFetcher(const HttpFetcher&) = delete;
  HttpFetcher& operator=(const HttpFetcher&) = delete;

  // Calls `then` once, with the whole answer or a fault.
  void fetch(const HttpRequest& request, HttpBounds bounds, Then then);

  Go on_head(int call, const HttpHead& head) override;
  Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const HttpEnd& end) override;

 private:
  struct PendingFetch {
    HttpBounds bounds;
    Then then;
    HttpWhole answer;
    bool too_long = false;
  };
  void give_up(int call);

  HttpLoop& loop_;
  std::map<int, PendingFetch> pending_;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace haul::io
