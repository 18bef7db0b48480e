#pragma once
// The connection of a command to the daemon. An interface, so that tests can replace it.

#include <functional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"

namespace haul::cli {

struct ApiRequest {
  std::string method = "GET";
  std::string path;  // With its query: "/api/v1/jobs?limit=5".
  std::string body{};
  std::string idempotency_key{};
};

struct ApiAnswer {
  int status = 0;
  std::string body;

  bool is_good() const { return status >= 200 && status < 300; }
};

// An event of the stream. An empty name means that the connection is alive and nothing happened.
struct LiveEvent {
  std::string name;
  std::string id;  // The last id seen, from which a new connection continues.
  std::string data;
};

enum class Listening : std::uint8_t { on, enough };

class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // Waits at most 30 s. A fault means that no answer came; a refusal is an answer.
  virtual Result<ApiAnswer> ask(const ApiRequest& request) = 0;

  // Calls `on_event` until it returns `enough` or the connection breaks, which is a fault. Calls it
  // at least ten times a second, first as soon as the stream is open and no event can be missed. An
  // empty `last_id` means from now on. Returns a reply that is not an event stream as it is.
  using OnEvent = std::function<Listening(const LiveEvent&)>;
  virtual Result<ApiAnswer> listen(const std::string& path, const std::string& last_id,
                                   const OnEvent& on_event) = 0;

  // Passes the bytes of a file to `on_bytes` as they come, until it returns false. Follows one
  // redirect, and does not send the key there. Returns any answer but 200 as ask() does.
  using OnBytes = std::function<bool(std::string_view)>;
  virtual Result<ApiAnswer> fetch(const std::string& path, const OnBytes& on_bytes) = 0;

  // How often the user pressed Ctrl-C. From the first call on, Ctrl-C no longer ends the process.
  virtual int interrupts() = 0;
  // Waits for `time`, or until Ctrl-C.
  virtual void wait(Millis time) = 0;

  // For error messages.
  virtual std::string address() const = 0;
  virtual std::string key_from() const = 0;  // "HAUL_KEY", a file name, or empty without a key.
};

}  // namespace haul::cli
