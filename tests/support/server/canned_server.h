#pragma once
// A server on loopback that answers every request with bytes the test provides. One request per
// connection.

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace haul::testing {

class CannedServer {
 public:
  // Maps a path to the whole answer, head and body. Called on the server's threads.
  using Answer = std::function<std::string(std::string_view path)>;

  explicit CannedServer(Answer answer);
  ~CannedServer();
  CannedServer(const CannedServer&) = delete;
  CannedServer& operator=(const CannedServer&) = delete;

  std::string url(std::string_view path) const;

 private:
  void serve(int connection) const;

  const Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::mutex mutex_;
  std::list<int> connections_;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

// A 200 answer with Content-Length, and with `headers`, each of which ends with its own CRLF.
std::string canned(const std::string& body, const std::string& headers = "");

}  // namespace haul::testing
