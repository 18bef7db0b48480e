#pragma once
// One thread moves the bytes of all HTTP requests of the process (libcurl multi). Users live on
// that thread: they start their requests there and get their callbacks there.

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
#include "io/web/address.h"
#include "io/web/throttle.h"

namespace haul::io {

struct HttpHead {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // Names in lower case, in order.

  // The first header of this name. Empty if there is none.
  std::string_view find(std::string_view name) const;
};

// Where the bytes of an upload come from. The loop calls it on its thread, and no more once the
// call has ended or the server has answered with an error.
class HttpSource {
 public:
  virtual ~HttpSource() = default;

  struct Given {
    enum class Is : std::uint8_t {
      more,    // `size` bytes, at least one.
      none,    // None now: HttpLoop::resume() when there are.
      end,     // All bytes were given.
      failed,  // There will be no more; see `fault`.
    } is = Is::end;
    std::size_t size = 0;
    Fault fault{};
  };
  // `into` has room for at least one byte.
  virtual Given read(std::span<std::byte> into) = 0;
};

enum class IpVersion : std::uint8_t { any, v4, v6 };

struct HttpRequest {
  std::string method = "GET";  // Or HEAD, POST, PUT or DELETE.
  std::string url;
  std::vector<std::string> headers;         // "Name: value"
  std::string body;                         // Of a POST or PUT.
  std::shared_ptr<HttpSource> upload;       // The body instead, as it comes. Not of a GET or HEAD.
  std::optional<std::int64_t> upload_size;  // Its length: the loop reads no byte beyond it. If
                                            // unknown, the upload is sent in chunks.
  Millis answer_timeout{600'000};           // For the head, from the last byte of `upload`: a
                                            // server may process it long.
  std::string user;                         // From the URL. If empty, libcurl looks in netrc_file.
  std::string password;
  std::string user_agent;
  std::string proxy;
  bool direct = false;      // Uses no proxy, not even one from the environment.
  std::string cookie_file;  // Read only. A cookie goes only to the host it belongs to.
  std::string netrc_file;
  std::string ca_file;    // Trusted certificates. Empty for those of the system.
  std::string no_proxy;   // Hosts that are reached without a proxy, as in curl; "*" for all.
  bool insecure = false;  // Accepts any certificate.
  IpVersion ip = IpVersion::any;
  Millis connect_timeout{20'000};
  Millis head_timeout{60'000};   // For the whole head: a server may send it byte by byte. With
                                 // `upload`, answer_timeout counts instead.
  Millis stall_timeout{30'000};  // No byte for this long is a fault.
  SpeedRule speed;               // Of the answer; uploads have no limit. To wait is not a stall.
  bool decode = false;           // Asks for a compressed body and decodes it.
  std::int64_t read_max = std::int64_t{512} * 1'024;  // Bytes to read at once. Each call has a
                                                      // buffer of this size.
  Reach reach;                                        // Which addresses it may connect to.
};

// `pause` takes the head or the bytes and gets nothing more until HttpLoop::resume(), not even the
// end.
enum class Go : std::uint8_t { on, pause, stop };
enum class Direction : std::uint8_t { up, down };

struct HttpEnd {
  std::optional<Fault> fault;  // Empty if the answer is complete or its user stopped it.
  bool stopped = false;        // Its user returned Go::stop.
  bool was_public = true;      // The server's address is public.
};

// Callbacks of calls, on the loop's thread.
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

  // From any thread: runs `work` on the loop's thread soon.
  virtual void post(std::function<void()> work) = 0;

  // Call the functions below on the loop's thread only. begin() returns the call's number, which
  // the callbacks carry. The user must outlive the call.
  virtual int begin(const HttpRequest& request, HttpUser& user) = 0;
  // Ends a call; its user gets no more callbacks.
  virtual void end(int call) = 0;
  // Goes on with a call that was paused in that direction, down by Go::pause and up by a source
  // that had no bytes. Calls back later, never from within.
  virtual void resume(int call, Direction direction) = 0;
  virtual void after(Millis wait, std::function<void()> work) = 0;
};

std::unique_ptr<HttpLoop> make_http_loop(const Clock& clock);

}  // namespace haul::io
