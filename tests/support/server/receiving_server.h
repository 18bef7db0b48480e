#pragma once
// A server on loopback that receives uploads. The test provides a script, which reads and answers
// each request. One request per connection.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace haul::testing {

// One request, as far as the script has read it.
struct Received {
  std::string head;       // With the empty line.
  std::string wire;       // The bytes after the head, as they came.
  std::string body;       // The same without the framing of chunks.
  bool is_whole = false;  // The body came to its end.
  bool has_left = false;  // The client closed the connection before that.

  // The value of a header by its exact name. Empty if it is absent.
  std::string header(const std::string& name) const {
    const std::size_t found = head.find("\r\n" + name + ": ");
    if (found == std::string::npos) return "";
    const std::size_t from = found + name.size() + 4;
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

class ReceivingServer {
 public:
  // A request on its connection, for the script. Lives on a thread of the server.
  class Exchange {
   public:
    Exchange(ReceivingServer& server, int connection, Received& received)
        : server_{server}, connection_{connection}, received_{received} {}

    // As far as it was read.
    const Received& received() const { return received_; }
    bool is_for(std::string_view path) const {
      return received_.head.find(" " + std::string{path} + " HTTP/") != std::string::npos;
    }
    // False if the client closes the connection first. The same for the functions below.
    bool read_head() {
      while (unread_.find("\r\n\r\n") == std::string::npos)
        if (!receive()) return false;
      const std::size_t size = unread_.find("\r\n\r\n") + 4;
      const std::lock_guard lock{server_.mutex_};
      received_.head = unread_.substr(0, size);
      received_.wire = unread_.substr(size);
      unread_.erase(0, size);
      is_body_ = true;
      return true;
    }
    bool read_body() {
      const bool is_whole = received_.header("Transfer-Encoding") == "chunked"
                                ? read_chunks()
                                : read_plain(number(received_.header("Content-Length"), 10));
      const std::lock_guard lock{server_.mutex_};
      received_.is_whole = is_whole;
      return is_whole;
    }
    // Reads this many bytes of the body, with their framing.
    bool read_some(std::size_t size) {
      while (received_.wire.size() < size)
        if (!receive()) return false;
      return true;
    }
    // Drops bytes until the client closes the connection.
    void read_to_close() {
      is_body_ = false;
      while (receive()) unread_.clear();
    }
    // Waits until the test has called go() once more.
    void wait_go() {
      std::unique_lock lock{server_.mutex_};
      server_.changed_.wait(lock, [this] { return server_.closing_ || server_.goes_ > 0; });
      if (server_.goes_ > 0) --server_.goes_;
    }
    void send(std::string_view bytes) const {
      while (!bytes.empty()) {
        const ssize_t sent = ::send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      }
    }
    // Resets the connection, as the system does for a server that dies. After a mere shutdown a
    // client whose bytes do not fit into the server's buffer would wait for its own timeout.
    void leave() const {
      const sockaddr nowhere{.sa_family = AF_UNSPEC, .sa_data = {}};
      ::connect(connection_, &nowhere, sizeof nowhere);
    }

   private:
    static std::size_t number(const std::string& text, int base) {
      return text.empty() ? 0 : std::stoull(text, nullptr, base);
    }
    bool receive() {
      std::array<char, 65'536> bytes{};
      const ssize_t got = ::recv(connection_, bytes.data(), bytes.size(), 0);
      const std::lock_guard lock{server_.mutex_};
      received_.has_left = got <= 0;
      if (got <= 0) return false;
      const std::string_view all{bytes.data(), static_cast<std::size_t>(got)};
      unread_ += all;
      if (is_body_) received_.wire += all;
      return true;
    }
    // Moves this many bytes of the body out of `unread_`.
    bool take(std::size_t size, std::string& into) {
      while (unread_.size() < size)
        if (!receive()) return false;
      into = unread_.substr(0, size);
      unread_.erase(0, size);
      return true;
    }
    bool read_plain(std::size_t size) {
      std::string all;
      if (!take(size, all)) return false;
      const std::lock_guard lock{server_.mutex_};
      received_.body = std::move(all);
      return true;
    }
    bool read_chunks() {
      std::string chunk;
      for (std::size_t size = 1; size > 0;) {
        while (unread_.find("\r\n") == std::string::npos)
          if (!receive()) return false;
        if (!take(unread_.find("\r\n") + 2, chunk)) return false;
        size = number(chunk, 16);
        if (!take(size + 2, chunk)) return false;
        const std::lock_guard lock{server_.mutex_};
        received_.body += chunk.substr(0, size);
      }
      return true;
    }

    ReceivingServer& server_;
    const int connection_;
    Received& received_;
    std::string unread_;
    bool is_body_ = false;  // The bytes that come belong to the body.
  };
  // Called with the head already read, on a thread of the server.
  using Script = std::function<void(Exchange&)>;

  explicit ReceivingServer(Script script) : script_{std::move(script)} {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
        ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size) != 0)
      throw std::runtime_error{"cannot listen"};
    port_ = ntohs(here.sin_port);
    accepting_ = std::thread{[this] { accept_all(); }};
  }
  ~ReceivingServer() {
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    {
      const std::lock_guard lock{mutex_};
      closing_ = true;
    }
    changed_.notify_all();
    for (const int one : connections_) ::shutdown(one, SHUT_RDWR);
    for (std::thread& thread : threads_) thread.join();
    for (const int one : connections_) ::close(one);
    ::close(listener_);
  }
  ReceivingServer(const ReceivingServer&) = delete;
  ReceivingServer& operator=(const ReceivingServer&) = delete;

  // 127.0.0.1 and the port.
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  // Lets one script go on that waits, or will wait.
  void go() {
    {
      const std::lock_guard lock{mutex_};
      ++goes_;
    }
    changed_.notify_all();
  }
  // All requests so far, in the order of their connections.
  std::vector<Received> received() const {
    const std::lock_guard lock{mutex_};
    return {received_.begin(), received_.end()};
  }
  // The first request's body came to its end, or its client left.
  bool is_over() const {
    const std::lock_guard lock{mutex_};
    return !received_.empty() && (received_.front().is_whole || received_.front().has_left);
  }
  // The size of the body of the first request so far, with its framing.
  std::size_t came() const {
    const std::lock_guard lock{mutex_};
    return received_.empty() ? 0 : received_.front().wire.size();
  }

 private:
  void accept_all() {
    for (int one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); one >= 0;
         one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) {
      const std::lock_guard lock{mutex_};
      connections_.push_back(one);
      Received& received = received_.emplace_back();
      threads_.emplace_back([this, one, &received] { serve(one, received); });
    }
  }
  void serve(int connection, Received& received) {
    Exchange exchange{*this, connection, received};
    if (exchange.read_head()) script_(exchange);
    ::shutdown(connection, SHUT_WR);
  }

  const Script script_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int goes_ = 0;
  bool closing_ = false;
  std::list<Received> received_;
  std::list<int> connections_;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace haul::testing
