#pragma once
// A media server's adapter with a fake in memory and a clock that the test turns.

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "seam/media_server.h"
#include "support/io/fake_loop.h"

namespace haul::testing {

class MediaServerBench {
 public:
  using Make = std::function<std::unique_ptr<MediaServer>(io::HttpLoop&, const Clock&)>;

  MediaServerBench(FakeServer fake, const Make& make) {
    loop.server = std::move(fake);
    server = make(loop, clock);
  }
  ~MediaServerBench() { end(); }
  MediaServerBench(const MediaServerBench&) = delete;
  MediaServerBench& operator=(const MediaServerBench&) = delete;

  HandClock clock;
  FakeLoop loop{clock};
  std::vector<std::string> answers;  // In the order they came.
  std::unique_ptr<MediaServer> server;

  // Asks, and leaves the question open.
  std::unique_ptr<ServerQuestion> ask_tell(std::vector<std::string> folders) {
    return server->tell(std::move(folders), [this](const Result<void>& answer) {
      answers.push_back(answer ? "told" : name_of(answer.error()));
    });
  }
  std::unique_ptr<ServerQuestion> ask_find(FindFiles wanted) {
    return server->find(std::move(wanted), [this](const Result<std::vector<PlacedFile>>& answer) {
      answers.push_back(answer ? name_of(*answer) : name_of(answer.error()));
    });
  }
  // Asks, and returns what answered() says.
  std::string tell(std::vector<std::string> folders) {
    const auto question = ask_tell(std::move(folders));
    return answered();
  }
  std::string find(FindFiles wanted) {
    const auto question = ask_find(std::move(wanted));
    return answered();
  }
  std::string find_film(const std::string& title, std::vector<WantedFile> files) {
    return find({.kind = "movie", .title = title, .season = {}, .files = std::move(files)});
  }
  // The answers that are there now: "told", "/srv/a.mkv 10", "none" or "environment
  // server_unreachable".
  std::string answered() {
    loop.run();
    std::string text;
    for (const std::string& answer : std::exchange(answers, {}))
      text += (text.empty() ? "" : " | ") + answer;
    return text;
  }
  std::string after(Millis time) {
    clock.pass(time);
    return answered();
  }
  // The server is gone; the loop goes on.
  void end() {
    loop.is_closing = true;
    server.reset();
    loop.is_closing = false;
  }

 private:
  static std::string name_of(const Fault& fault) {
    constexpr std::string_view kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                           "cancelled"};
    return fmt::format("{} {}", kKinds[static_cast<std::size_t>(fault.kind)], fault.code);
  }
  static std::string name_of(const std::vector<PlacedFile>& files) {
    std::string text;
    for (const PlacedFile& file : files)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", file.path, file.size);
    return text.empty() ? "none" : text;
  }
};

}  // namespace haul::testing
