#pragma once
// What commands need of a running daemon, so that tests can answer in its place.

#include <functional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"

namespace haul {

struct ApiAsk {
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

// Something that happened; without a name nothing did for a moment, and the connection stands.
struct LiveEvent {
  std::string name;
  std::string id;  // Of the last event that had one: where to go on from.
  std::string data;
};

enum class Listening : std::uint8_t { on, enough };

class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // Waits half a minute at most. A fault only if no answer came; a refusal is an answer.
  virtual Result<ApiAnswer> ask(const ApiAsk& ask) = 0;

  // Tells events until it is enough or the connection breaks, which is a fault; called at least
  // ten times a second, the first time as soon as nothing can be missed any more. `last_id` empty:
  // from now on. An answer that is not a stream of events is given back as it is.
  using OnEvent = std::function<Listening(const LiveEvent&)>;
  virtual Result<ApiAnswer> listen(const std::string& path, const std::string& last_id,
                                   const OnEvent& on_event) = 0;

  // How often somebody pressed Ctrl-C. From the first call on that no longer ends the process.
  virtual int interrupts() = 0;
  // Waits so long, or until Ctrl-C.
  virtual void wait(Millis time) = 0;

  // For the person who reads why it did not work.
  virtual std::string address() const = 0;
  virtual std::string key_from() const = 0;  // "HAUL_KEY", a file's name, or empty: there is none.
};

}  // namespace haul
