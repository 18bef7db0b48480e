#pragma once
// A daemon that gives the answers a test scripts and records what it is asked.

#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/remote/remote.h"

namespace haul::testing {

// A clock that moves only when the test says so.
class ApiClock final : public Clock {
 public:
  Time now() const override { return from_unix_ms(1'800'000'000'000) + passed_; }
  Steady steady() const override { return Steady{Millis{5'000'000}} + passed_; }
  void pass(Millis time) { passed_ += time; }

 private:
  Millis passed_{0};
};

class FakeApi final : public cli::ApiClient {
 public:
  // Sets the answer to an ask such as "GET /api/v1/jobs". Several answers to one ask are given in
  // turn, and the last one repeats.
  FakeApi& on(const std::string& ask, int status, const std::string& body) {
    answers_[ask].push_back({status, body});
    return *this;
  }
  // Scripts one connection: its events, then silence until a timeout, or a break at once.
  enum class Then { silence, breaks };
  FakeApi& tells(std::vector<cli::LiveEvent> events, Then then = Then::silence) {
    streams_.push_back({std::move(events), then});
    return *this;
  }
  FakeApi& away() {
    is_away = true;
    return *this;
  }

  Result<cli::ApiAnswer> ask(const cli::ApiRequest& request) override {
    asked += request.method + " " + request.path +
             (request.body.empty() ? "" : " " + request.body) +
             (request.idempotency_key.empty() ? "" : " key=" + request.idempotency_key) + "\n";
    if (is_away) return std::unexpected{silence()};
    const auto found = answers_.find(request.method + " " + request.path);
    if (found == answers_.end())
      return cli::ApiAnswer{404, R"({"code":"not_found","detail":"the test has set no answer"})"};
    cli::ApiAnswer answer = found->second.front();
    if (found->second.size() > 1) found->second.pop_front();
    return answer;
  }

  Result<cli::ApiAnswer> listen(const std::string& path, const std::string& last_id,
                                const OnEvent& on_event) override {
    asked += "LISTEN " + path + (last_id.empty() ? "" : " from " + last_id) + "\n";
    if (is_away || streams_.empty()) return std::unexpected{silence()};
    const Stream stream = streams_.front();
    streams_.pop_front();
    if (on_event({}) == cli::Listening::enough) return cli::ApiAnswer{200, ""};
    for (const cli::LiveEvent& event : stream.events)
      if (on_event(event) == cli::Listening::enough) return cli::ApiAnswer{200, ""};
    constexpr int kSilent = 100;
    for (int i = 0; stream.then == Then::silence && i < kSilent; ++i) {
      if (clock) clock->pass(Millis{100});
      if (on_event({}) == cli::Listening::enough) return cli::ApiAnswer{200, ""};
      if (i > 5) ctrl_c += interrupt_in_silence ? 1 : 0;
    }
    return std::unexpected{Fault{FaultKind::retryable, "connection_lost", "it broke"}};
  }

  Result<cli::ApiAnswer> fetch(const std::string& path, const OnBytes& on_bytes) override {
    asked += "FETCH " + path + "\n";
    if (is_away) return std::unexpected{silence()};
    const auto found = answers_.find("FETCH " + path);
    if (found == answers_.end())
      return cli::ApiAnswer{404, R"({"code":"not_found","detail":"the test has set no answer"})"};
    if (found->second.front().status != 200) return found->second.front();
    std::string_view body = found->second.front().body;
    constexpr std::size_t kPiece = 5;
    while (!body.empty() && on_bytes(body.substr(0, kPiece)))
      body.remove_prefix(std::min(kPiece, body.size()));
    return cli::ApiAnswer{200, ""};
  }

  int interrupts() override { return ctrl_c; }
  void wait(Millis time) override {
    ++waits;
    if (clock) clock->pass(time);
  }
  std::string address() const override { return "http://127.0.0.1:4285"; }
  std::string key_from() const override { return key_file; }

  std::string asked;
  std::string key_file = "/data/admin.key";
  bool is_away = false;
  bool interrupt_in_silence = false;
  int ctrl_c = 0;
  int waits = 0;
  ApiClock* clock = nullptr;

 private:
  struct Stream {
    std::vector<cli::LiveEvent> events;
    Then then;
  };
  static Fault silence() { return {FaultKind::environment, "cannot_connect", "refused"}; }

  std::map<std::string, std::deque<cli::ApiAnswer>> answers_;
  std::deque<Stream> streams_;
};

// The environment of a command, and what it prints.
struct Desk {
  FakeApi api{};
  ApiClock clock{};
  std::ostringstream out{};
  std::ostringstream err{};
  std::size_t columns = 0;
  cli::OutputForm form = cli::OutputForm::text;
  cli::Colour colour = cli::Colour::off;

  cli::Remote remote() {
    api.clock = &clock;
    return {api, clock, {out, err}, form, colour, columns};
  }
  cli::Remote json() {
    form = cli::OutputForm::json;
    return remote();
  }
  std::string printed() const { return "\n" + out.str(); }
};

}  // namespace haul::testing
