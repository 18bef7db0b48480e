#pragma once
// Asks a server for the head of a file, through its redirects, and for nothing else. Lives on the
// loop's thread.

#include <functional>
#include <optional>
#include <string>

#include "engine/get_request.h"
#include "engine/http/make_request.h"
#include "engine/http/reply.h"
#include "io/web/http_fetcher.h"

namespace haul::http {

struct HeadSeenOf {
  std::string name;                    // Safe. From the server, the URL or the request.
  std::optional<std::int64_t> size{};  // If the server says it.
  std::string date{};                  // Of its Last-Modified: "2026-01-31", or empty.
  std::optional<Fault> fault{};        // What a download would fail with now.
};

class HeadLook {
 public:
  using Then = std::function<void(HeadSeenOf)>;

  // The loop, the request and the settings outlive it.
  HeadLook(io::HttpLoop& loop, const engine::GetRequest& request, const HttpSettings& settings)
      : request_{request}, settings_{settings}, fetcher_{loop} {}

  // Looks at one given address at a time, by the position of its URL in the request. `then` runs
  // once, and may look again.
  void look(std::size_t position, Time now, Then then);

 private:
  void ask();
  void see(const Result<io::HttpWhole>& answer);
  void hop(const std::string& location, bool came_from_public);
  void end(HeadSeenOf seen);
  std::string name_for(const Reply& reply) const;

  const engine::GetRequest& request_;
  const HttpSettings& settings_;
  io::HttpFetcher fetcher_;
  std::string at_;   // The given address.
  std::string key_;  // Of its item.
  Url url_;          // Where its redirects have led.
  Origin origin_ = Origin::given;
  io::Reach reach_;
  int hops_ = 0;
  Time now_;
  Then then_;
};

}  // namespace haul::http
