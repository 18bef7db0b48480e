#pragma once
// One thread that moves the bytes of all HTTP requests of the process (libcurl multi). Users live
// on that thread: everything they are told and everything they begin happens there.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fault.h"
#include "io/address.h"
#include "io/throttle.h"

namespace haul {

struct HttpHead {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // Names in lower case, in order.

  // The first of a name; empty if there is none.
  std::string_view find(std::string_view name) const;
};

struct HttpAsk {
  std::string method = "GET";  // Or HEAD, or POST.
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;                  // Of a POST, which always goes over a connection of its own.
  std::string user;                  // Of the address or of a netrc file.
  std::string password;
  std::string user_agent;
  std::string proxy;
  bool direct = false;      // Through no proxy, not even that of the environment.
  std::string cookie_file;  // Read only; a cookie goes where it belongs, and nowhere else.
  std::string netrc_file;
  std::string ca_file;  // Whom to trust; empty: whom the system trusts.
  Millis connect_timeout{20'000};
  Millis head_timeout{60'000};   // The whole head must be here by then: one may drip for ever.
  Millis stall_timeout{30'000};  // No byte for this long is a fault.
  SpeedRule speed;               // Time spent waiting for it is no stall.
  bool decode = false;           // Let a coded body be decoded on the way.
  Reach reach;                   // Which addresses may be connected to.
};

enum class Go : std::uint8_t { on, stop };

struct HttpEnd {
  std::optional<Fault> fault;  // None: the answer came to its end, or its user stopped it.
  bool stopped = false;        // By its user's answer.
  bool was_public = true;      // The address it came from.
};

class HttpUser {
 public:
  virtual ~HttpUser() = default;
  virtual Go on_head(int call, const HttpHead& head) = 0;
  virtual Go on_body(int call, std::span<const std::byte> bytes) = 0;
  virtual void on_end(int call, const HttpEnd& end) = 0;
};

class HttpLoop {
 public:
  virtual ~HttpLoop() = default;

  // From any thread: runs on the loop, soon.
  virtual void post(std::function<void()> work) = 0;

  // On the loop only. The number names the call to its user, who must outlive it.
  virtual int begin(const HttpAsk& ask, HttpUser& user) = 0;
  // Nothing is told of this call any more.
  virtual void end(int call) = 0;
  virtual void after(Millis wait, std::function<void()> work) = 0;
};

std::unique_ptr<HttpLoop> make_http_loop(const Clock& clock);

}  // namespace haul
