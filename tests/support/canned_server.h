#pragma once
// A server on this machine that answers every request with the bytes a test gives it, for as long
// as it lives. Each connection has one request.

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace haul::testing {

class CannedServer {
 public:
  // From the path to the whole answer, head and body. Called on threads of the server's.
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

// An answer with its length, and these further headers, each with its line end.
std::string canned(const std::string& body, const std::string& headers = "");

}  // namespace haul::testing
