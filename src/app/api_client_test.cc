#include "app/api_client.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "io/file/folder.h"
#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

using testing::TempFolder;

// Answers one connection with the given text and keeps the request.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer) : answer_{std::move(answer)} {
    listening_ = io::Descriptor{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    REQUIRE(::bind(listening_.get(), reinterpret_cast<sockaddr*>(&at), size) == 0);
    REQUIRE(::listen(listening_.get(), 1) == 0);
    ::getsockname(listening_.get(), reinterpret_cast<sockaddr*>(&at), &size);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(at.sin_port));
    thread_ = std::thread{[this] { serve(); }};
  }
  ~OneAnswer() { join(); }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;

  const std::string& url() const { return url_; }
  const std::string& asked() {
    join();
    return asked_;
  }

 private:
  void join() {
    ::shutdown(listening_.get(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
  }
  void serve() {
    const io::Descriptor client{::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
    if (!client) return;
    char bytes[4096];
    while (asked_.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::read(client.get(), bytes, sizeof bytes);
      if (size <= 0) return;
      asked_.append(bytes, static_cast<std::size_t>(size));
    }
    [[maybe_unused]] const ssize_t sent =
        ::send(client.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
  }

  std::string answer_;
  io::Descriptor listening_;
  std::string url_;
  std::string asked_;
  std::thread thread_;
};

std::unique_ptr<cli::ApiClient> client_at(const std::string& url,
                                          const std::string& key = "haul_k") {
  auto client = open_api_client({.url = url, .key = key, .data = "/nonexistent"});
  REQUIRE(client);
  return *std::move(client);
}

TEST_CASE("the key goes in a header, and nowhere else") {
  OneAnswer server{"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"};

  const auto answer = client_at(server.url() + "/")
                          ->ask({.method = "POST",
                                 .path = "/api/v1/jobs?a=b",
                                 .body = "{\"x\":1}",
                                 .idempotency_key = "once"});

  REQUIRE(answer);
  CHECK(answer->status == 201);
  CHECK(answer->body == "{}");
  const std::string asked = server.asked();
  CHECK(asked.starts_with("POST /api/v1/jobs?a=b HTTP/1.1\r\n"));
  CHECK(asked.find("\r\nX-Api-Key: haul_k\r\n") != std::string::npos);
  CHECK(asked.find("\r\nIdempotency-Key: once\r\n") != std::string::npos);
  CHECK(asked.find("\r\nContent-Type: application/json\r\n") != std::string::npos);
}

TEST_CASE("a redirect is an answer, and is not followed") {
  OneAnswer server{
      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"};

  CHECK(client_at(server.url())->ask({.path = "/"})->status == 302);
}

TEST_CASE(
    "no daemon there, an answer cut short, and one that is no HTTP are faults without the key") {
  std::string closed;
  {
    closed = OneAnswer{""}.url();
  }
  const auto away = client_at(closed)->ask({.path = "/"});
  REQUIRE(!away);
  CHECK(away.error().code == "cannot_connect");

  OneAnswer cut{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"};
  const auto half = client_at(cut.url())->ask({.path = "/"});
  REQUIRE(!half);
  CHECK(half.error().code == "connection_lost");
  CHECK(half.error().detail.find("haul_k") == std::string::npos);

  OneAnswer other{"SSH-2.0-OpenSSH\r\n"};
  CHECK(!client_at(other.url())->ask({.path = "/"}));
}

TEST_CASE(
    "events are told as they come, with the id to go on from; a stream that ends is a fault") {
  OneAnswer server{
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      ":\n\nid: 8\nevent: moved\ndata: {}\n\nevent: progress\ndata: {\"a\":1}\n\n"};
  std::string told;

  const auto answer = client_at(server.url())->listen("/e", "7", [&](const cli::LiveEvent& event) {
    if (!event.name.empty()) told += event.name + " " + event.id + " " + event.data + "\n";
    return cli::Listening::on;
  });

  CHECK(told == "moved 8 {}\nprogress 8 {\"a\":1}\n");
  REQUIRE(!answer);
  CHECK(answer.error().code == "connection_lost");
  CHECK(server.asked().find("\r\nLast-Event-ID: 7\r\n") != std::string::npos);
}

TEST_CASE("enough is enough, and a refusal to be listened to is an answer") {
  OneAnswer server{
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: a\ndata: 1\n\nevent: b\ndata: 2\n\n"};
  int events = 0;
  const auto answer = client_at(server.url())->listen("/e", "", [&](const cli::LiveEvent&) {
    ++events;
    return cli::Listening::enough;
  });
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(events == 1);

  OneAnswer refusing{"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}"};
  const auto refused = client_at(refusing.url())->listen("/e", "", [](const cli::LiveEvent&) {
    return cli::Listening::on;
  });
  REQUIRE(refused);
  CHECK(refused->status == 403);
  CHECK(refused->body == "{}");
}

TEST_CASE("the file's key is for this machine, unless the user names the folder") {
  const TempFolder folder;
  std::ofstream{folder / "admin.key"} << "haul_file\n";
  const auto from = [&](const char* url, bool given, const char* key) {
    return (*open_api_client({.url = url, .key = key, .data = folder.path(), .data_given = given}))
        ->key_from();
  };
  const std::string file = (folder / "admin.key").string();

  CHECK(from("http://127.0.0.1:4285", false, "") == file);
  CHECK(from("http://LOCALHOST", false, "") == file);
  CHECK(from("http://[::1]:1", false, "") == file);
  CHECK(from("http://localhost.evil.org", false, "").empty());
  CHECK(from("https://haul.example.org", false, "").empty());
  CHECK(from("https://haul.example.org", true, "") == file);
  CHECK(from("https://haul.example.org", false, "haul_own") == "HAUL_KEY");
}

TEST_CASE("addresses and keys that are none are wrong usage, and the key is not repeated") {
  for (const char* url : {"", "127.0.0.1:4285", "ftp://a", "http://", "http://a b", "http://a?x",
                          "http://name:secret@a", "http://a\r\nX: y"}) {
    CAPTURE(url);
    const auto client = open_api_client({.url = url, .key = "k"});
    REQUIRE(!client);
    CHECK(client.error().code == "bad_usage");
    CHECK(client.error().detail.find("secret") == std::string::npos);
  }
  const auto key = open_api_client({.key = "secret\r\nX: y"});
  REQUIRE(!key);
  CHECK(key.error().detail.find("secret") == std::string::npos);
}

std::string redirect_to(const std::string& url) {
  return "HTTP/1.1 302 Found\r\nLocation: " + url + "/a?signed=1\r\nContent-Length: 0\r\n\r\n";
}

TEST_CASE("a file comes in pieces, and a redirect to a bucket gets no key") {
  OneAnswer bucket{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na cat"};
  OneAnswer server{redirect_to(bucket.url())};
  std::string bytes;

  const auto answer = client_at(server.url())->fetch("/api/v1/assets/3/file", [&](auto piece) {
    bytes += piece;
    return true;
  });

  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(bytes == "a cat");
  CHECK(server.asked().find("haul_k") != std::string::npos);
  CHECK(bucket.asked().starts_with("GET /a?signed=1 HTTP/1.1\r\n"));
  CHECK(bucket.asked().find("haul_k") == std::string::npos);
}

TEST_CASE("a second redirect is not followed, and a file that breaks off is a fault") {
  OneAnswer first{redirect_to("http://127.0.0.1:1")};
  OneAnswer second{redirect_to(first.url())};
  const auto no_bytes = [](auto) { return true; };
  const auto answer = client_at(second.url())->fetch("/a", no_bytes);
  REQUIRE(answer);
  CHECK(answer->status == 302);

  OneAnswer half{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na c"};
  const auto broken = client_at(half.url())->fetch("/a", no_bytes);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().code == "connection_lost");
}

}  // namespace
}  // namespace haul::app
