// The HTTP server against raw connections: bodies, trusted proxies and streams.

#include "io/web/http_server.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <atomic>
#include <future>
#include <mutex>

#include "support/api/raw_http.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBodyMax = std::size_t{16} << 20U;

WebReply text(int status, std::string body) {
  return {.status = status, .headers = {}, .body = std::move(body), .stream = {}};
}
WebReply refuse(int status, std::string_view detail) { return text(status, std::string{detail}); }

io::ServerSettings settings() {
  io::ServerSettings given;
  given.body_max = [](std::string_view, std::string_view) { return kBodyMax; };
  return given;
}

// Answers with the address a request comes from and the length of its body.
void echo(WebRequest request, const io::WebAnswer& answer) {
  answer(text(200, fmt::format("{} {}", request.peer, request.body.size())));
}

std::string post(std::size_t length, std::string_view headers = "", std::string_view body = "") {
  return fmt::format("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n{}\r\n{}", length,
                     headers, body);
}

// An `admit` that accepts requests with a key and counts how often it was asked.
struct Door {
  std::atomic<int> asked = 0;
  void operator()(const WebRequest& head, const io::WebAnswer& answer) {
    ++asked;
    answer(head.header("x-key").empty() ? text(401, "no key") : text(100, ""));
  }
};

// Sends more than a connection's buffers hold, so that a client that does not read blocks it.
class LongStream final : public WebStream {
 public:
  explicit LongStream(std::promise<void> gone) : gone_{std::move(gone)} {}
  ~LongStream() override { gone_.set_value(); }
  std::optional<std::string> next() override {
    std::call_once(begun_once, [this] { begun.set_value(); });
    return std::string(std::size_t{64} << 20U, 'x');
  }
  bool is_over() const override { return over; }

  std::once_flag begun_once;
  std::promise<void> begun;
  std::atomic<bool> over = false;

 private:
  std::promise<void> gone_;
};

// Sends a file of four pieces.
class PieceStream final : public WebStream {
 public:
  static constexpr std::size_t kPieces = 4;
  static constexpr std::size_t kSize = std::size_t{100} << 10U;

  std::optional<std::string> next() override { return std::string(kSize, "abcd"[sent_++]); }
  bool is_over() const override { return sent_ == kPieces; }

 private:
  std::size_t sent_ = 0;
};

}  // namespace

TEST_CASE(
    "F14: a head without a key is refused before its body is read, and nothing waits for it") {
  Door door;
  io::ServerSettings given = settings();
  given.admit = std::ref(door);
  std::atomic<int> answered = 0;
  const auto server = io::make_http_server(
      given,
      [&](WebRequest request, const io::WebAnswer& answer) {
        ++answered;
        echo(std::move(request), answer);
      },
      refuse);

  for (const std::string& head :
       {post(kBodyMax), post(kBodyMax, "Expect: 100-continue\r\n"),
        std::string{"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"},
        post(100'000, "", std::string(1'000, 'x'))}) {
    const RawConnection client{"127.0.0.1", server->port()};
    client.send(head);
    const RawReply reply = client.read();
    CHECK(reply.status() == 401);
    CHECK(reply.header("Connection") == "close");
    CHECK(reply.body() == "no key");
  }
  CHECK(door.asked == 4);
  CHECK(answered == 0);
}

TEST_CASE("a body that is too large is refused as such only if its head is admitted") {
  Door door;
  io::ServerSettings given = settings();
  given.admit = std::ref(door);
  given.body_max = [](std::string_view, std::string_view) { return std::size_t{0}; };
  const auto server = io::make_http_server(given, echo, refuse);
  const auto status = [&](const std::string& request) {
    const RawConnection client{"127.0.0.1", server->port()};
    client.send(request);
    return client.read().status();
  };

  CHECK(status(post(5, "", "hello")) == 401);
  CHECK(status(post(5)) == 401);
  CHECK(status(post(5, "X-Key: k\r\n", "hello")) == 413);
  CHECK(status(post(5, "X-Key: k\r\n")) == 413);
  CHECK(door.asked == 4);
}

TEST_CASE(
    "a body is read once its head is admitted; one that came with its head is not asked for") {
  Door door;
  io::ServerSettings given = settings();
  given.admit = std::ref(door);
  const auto server = io::make_http_server(given, echo, refuse);
  const RawConnection client{"127.0.0.1", server->port()};

  client.send(post(5, "", "hello"));
  CHECK(client.read_answer().body() == "127.0.0.1 5");
  CHECK(door.asked == 0);

  client.send(post(100'000, "X-Key: k\r\n", "h"));
  client.send(std::string(99'999, 'x'));
  CHECK(client.read_answer().body() == "127.0.0.1 100000");
  CHECK(door.asked == 1);

  client.send(post(3, "X-Key: k\r\nExpect: 100-continue\r\n"));
  CHECK(client.read_body(0).status() == 100);
  client.send("abc");
  CHECK(client.read_answer().body() == "127.0.0.1 3");
}

TEST_CASE("F14: bodies in memory have a limit together; one beyond it is told to come back") {
  io::ServerSettings given = settings();
  given.bodies_max = 1'000;
  const auto server = io::make_http_server(given, echo, refuse);
  const RawConnection first{"127.0.0.1", server->port()};
  first.send(post(600, "Expect: 100-continue\r\n"));
  REQUIRE(first.read_body(0).status() == 100);  // Its memory is reserved now.

  const RawConnection second{"127.0.0.1", server->port()};
  second.send(post(401));
  CHECK(second.read().status() == 503);
  const RawConnection third{"127.0.0.1", server->port()};
  third.send(post(400, "", std::string(400, 'x')));
  CHECK(third.read_answer().body() == "127.0.0.1 400");

  first.send(std::string(600, 'x'));
  CHECK(first.read_answer().body() == "127.0.0.1 600");
  first.send(post(1'000, "", std::string(1'000, 'x')));
  CHECK(first.read_answer().body() == "127.0.0.1 1000");
}

TEST_CASE("F14: a chunk header or trailers without an end are refused; memory stays bounded") {
  io::ServerSettings given = settings();
  given.body_max = [](std::string_view, std::string_view) { return std::size_t{1'000}; };
  const auto server = io::make_http_server(given, echo, refuse);
  const auto endless = [](std::string begun, std::string_view more, std::size_t size) {
    while (begun.size() < size) begun += more;
    return begun;
  };
  const std::size_t large = std::size_t{1} << 20U;
  for (const char* method : {"POST", "GET"})
    for (const auto& [begun, more] : {std::pair{"1;", "a"}, std::pair{"0\r\n", "a: b\r\n"}}) {
      CAPTURE(method);
      CAPTURE(begun);
      const std::string head =
          fmt::format("{} / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", method);
      const RawConnection client{"127.0.0.1", server->port()};
      client.send(head + endless(begun, more, 131'072));  // The server drains the rest of it.
      CHECK(client.read().status() == 400);

      const RawConnection greedy{"127.0.0.1", server->port()};
      (void)greedy.try_send(head + endless(begun, more, large));
      CHECK((greedy.read().end != RawReply::End::timed_out));
    }
}

TEST_CASE("behind a trusted proxy a request comes from the address that was forwarded") {
  const std::string request =
      "GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 198.51.100.1, 192.0.2.7\r\n\r\n";
  const auto seen = [&](const io::ServerSettings& given) {
    const auto server = io::make_http_server(given, echo, refuse);
    const RawConnection client{"127.0.0.1", server->port()};
    client.send(request);
    return std::string{client.read_answer().body()};
  };
  io::ServerSettings given = settings();
  CHECK(seen(given) == "127.0.0.1 0");
  given.trusted_proxies = {io::Network::parse("127.0.0.0/8").value()};
  CHECK(seen(given) == "192.0.2.7 0");
}

TEST_CASE("behind a trusted proxy the limit on one address counts the forwarded one") {
  io::ServerSettings given = settings();
  given.per_address_max = 1;
  given.trusted_proxies = {io::Network::parse("127.0.0.0/8").value()};
  std::promise<io::WebAnswer> held;
  std::atomic<bool> is_first = true;
  const auto server = io::make_http_server(
      given,
      [&](WebRequest request, const io::WebAnswer& answer) {
        if (is_first.exchange(false))
          held.set_value(answer);
        else
          echo(std::move(request), answer);
      },
      refuse);
  const auto get = [](const char* from) {
    return fmt::format("GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: {}\r\n\r\n", from);
  };
  const RawConnection first{"127.0.0.1", server->port()};
  first.send(get("192.0.2.7"));
  const io::WebAnswer answer = held.get_future().get();  // The first request is in progress.

  const RawConnection second{"127.0.0.1", server->port()};
  second.send(get("192.0.2.7"));
  CHECK(second.read().status() == 429);
  const RawConnection other{"127.0.0.1", server->port()};
  other.send(get("192.0.2.8"));
  CHECK(other.read_answer().status() == 200);

  answer(text(200, "late"));
  CHECK(first.read_answer().body() == "late");
  const RawConnection again{"127.0.0.1", server->port()};
  again.send(get("192.0.2.7"));
  CHECK(again.read_answer().status() == 200);
}

TEST_CASE("the limit on one address counts an IPv6 network of 64 bits as one address") {
  io::ServerSettings given = settings();
  given.per_address_max = 2;
  given.trusted_proxies = {io::Network::parse("127.0.0.0/8").value()};
  std::atomic<int> asked = 0;
  std::promise<void> both;
  const auto server = io::make_http_server(
      given,
      [&](WebRequest request, const io::WebAnswer& answer) {
        const int count = ++asked;
        if (count > 2) return echo(std::move(request), answer);  // The first two stay in progress.
        if (count == 2) both.set_value();
      },
      refuse);
  const auto send = [](const RawConnection& client, const char* from) {
    client.send(fmt::format("GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: {}\r\n\r\n", from));
  };
  const RawConnection first{"127.0.0.1", server->port()};
  send(first, "2001:db8:0:1::1");
  const RawConnection second{"127.0.0.1", server->port()};
  send(second, "2001:db8:0:1::2");
  both.get_future().get();

  const RawConnection third{"127.0.0.1", server->port()};
  send(third, "2001:db8:0:1:ffff::3");
  CHECK(third.read().status() == 429);
  const RawConnection other{"127.0.0.1", server->port()};
  send(other, "2001:db8:0:2::3");
  CHECK(other.read_answer().status() == 200);
}

TEST_CASE("a stream that has ended is closed also while its client does not read") {
  std::promise<void> gone_promise;
  std::future<void> gone = gone_promise.get_future();
  auto stream = std::make_shared<LongStream>(std::move(gone_promise));
  LongStream& held = *stream;
  std::future<void> begun = held.begun.get_future();
  io::ServerSettings given = settings();
  given.write_deadline = Millis{3'600'000};
  const auto server = io::make_http_server(
      given,
      [&](WebRequest, const io::WebAnswer& answer) {
        answer({.status = 200, .headers = {}, .body = {}, .stream = std::exchange(stream, {})});
      },
      refuse);
  const RawConnection client{"127.0.0.1", server->port()};
  client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  begun.wait();

  held.over = true;
  server->wake_streams();

  CHECK((gone.wait_for(10s) == std::future_status::ready));  // Takes that long only if it fails.
}

TEST_CASE("a stream of known length is sent with its length, and a HEAD has the length alone") {
  constexpr std::size_t kAll = PieceStream::kPieces * PieceStream::kSize;
  const auto server = io::make_http_server(
      settings(),
      [&](const WebRequest&, const io::WebAnswer& answer) {
        answer({.status = 206,
                .headers = {},
                .body = {},
                .stream = std::make_shared<PieceStream>(),
                .length = std::int64_t{kAll}});
      },
      refuse);

  const RawConnection get{"127.0.0.1", server->port()};
  get.send(raw_request("/"));
  const RawReply whole = get.read();
  CHECK(whole.status() == 206);
  CHECK(whole.head().starts_with("HTTP/1.1 206 Partial Content"));
  CHECK(whole.header("Content-Length") == std::to_string(kAll));
  CHECK(whole.body().size() == kAll);
  CHECK(whole.body().front() == 'a');
  CHECK(whole.body().back() == 'd');

  const RawConnection head{"127.0.0.1", server->port()};
  head.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const RawReply alone = head.read();
  CHECK(alone.header("Content-Length") == std::to_string(kAll));
  CHECK(alone.body().empty());
}

}  // namespace haul::testing
