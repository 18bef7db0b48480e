#pragma once
// Serves a fake of the Bot API on a port of loopback, with uploads of any size: it keeps the digest
// of a file, not its bytes. One request per connection.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/server/fake_telegram.h"
#include "support/server/form_reader.h"

namespace haul::testing {

// What the fake does with requests that send a file.
struct UploadMood {
  enum class Is : std::uint8_t {
    well,
    loses_reply,    // Delivers the file and closes the connection.
    cuts,           // Resets the connection after `after` bytes of the body.
    hangs,          // Reads no more after `after` bytes of the body.
    processes,      // Answers and delivers when the test calls go().
    answers,        // Reads the whole body, delivers nothing and sends `reply`.
    answers_early,  // Sends `reply` after `after` bytes of the body.
  };
  Is is = Is::well;
  std::int64_t after = 0;
  FakeReply reply{};
  int times = 1 << 30;  // This many requests, then all is well.
};

class FakeTelegramUpload {
 public:
  // Use `telegram` only through with() from then on.
  explicit FakeTelegramUpload(FakeTelegram& telegram);
  ~FakeTelegramUpload();
  FakeTelegramUpload(const FakeTelegramUpload&) = delete;
  FakeTelegramUpload& operator=(const FakeTelegramUpload&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Runs `use` while the fake answers nothing, so that a test may read and change it.
  void with(const std::function<void(FakeTelegram&)>& use);
  void set(const UploadMood& mood);
  // Lets one request go on that is processed, or will be.
  void go();
  // A larger file is refused.
  void set_file_max(std::int64_t size);

  std::vector<FakeDocument> delivered() const;
  // Requests that ended before their body was whole.
  int unfinished() const;
  // Requests with a whole body.
  int whole() const;
  // Bytes of all bodies so far.
  std::int64_t came() const;
  // The heads of all requests that send a file.
  std::vector<std::string> heads() const;

 private:
  struct Request;
  class Connection;

  void accept_all();
  void serve(int socket);
  void serve_send(Connection& connection, const Request& request);
  void serve_other(Connection& connection, const Request& request);
  UploadMood next_mood();
  // The answer to a whole request, delivering the file unless it is refused.
  std::optional<FakeReply> act(const Request& request, const FormReader& form,
                               const std::string& body);
  void count(std::int64_t bytes);
  void wait_go();

  FakeTelegram& telegram_;  // Under the lock.
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  UploadMood mood_;
  int goes_ = 0;
  bool closing_ = false;
  std::int64_t file_max_ = std::int64_t{2'000} << 20U;
  std::vector<std::string> heads_;
  int unfinished_ = 0;
  int whole_ = 0;
  std::int64_t came_ = 0;
  std::list<int> sockets_;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace haul::testing
