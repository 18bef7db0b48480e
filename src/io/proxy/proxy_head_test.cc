// Heads of requests and answers that pass through a program's proxy.

#include "io/proxy/proxy_head.h"

#include <doctest/doctest.h>

using namespace haul;

namespace {

const std::string kLogin = io::basic_login("haul:secret");
const Time kNow = from_unix_ms(1'700'000'000'000);

io::ProxyRequest asked(const std::string& head) {
  const auto request = io::read_proxy_request(head, kLogin);
  REQUIRE(request);
  return *request;
}

}  // namespace

TEST_CASE("a login is written as Basic has it, whatever its length") {
  CHECK(io::basic_login("") == "Basic ");
  CHECK(io::basic_login("f") == "Basic Zg==");
  CHECK(io::basic_login("fo") == "Basic Zm8=");
  CHECK(io::basic_login("foo") == "Basic Zm9v");
  CHECK(kLogin == "Basic aGF1bDpzZWNyZXQ=");
}

TEST_CASE("a head is whole with its empty line, not a byte before") {
  CHECK(io::head_end("GET / HTTP/1.1\r\n\r\n") == 18);
  CHECK(!io::head_end("GET / HTTP/1.1\r\n\r"));
}

TEST_CASE("a plain request goes on in the server's form, and closes its connection") {
  const io::ProxyRequest request = asked(
      "GET http://Example.org:8080/a%2Fb/../c?d HTTP/1.1\r\nHost: x\r\n"
      "Proxy-Authorization: " +
      kLogin + "\r\nProxy-Connection: keep-alive\r\nRange: bytes=0-\r\n\r\n");

  CHECK(request.kind == io::ProxyRequest::Kind::plain);
  CHECK(request.known);
  CHECK(request.url.host == "example.org");
  CHECK(request.port() == 8080);
  CHECK(request.head ==
        "GET /a%2Fb/../c?d HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n"
        "Connection: close\r\n\r\n");
}

TEST_CASE("an address without a path asks for the root") {
  CHECK(asked("GET http://h HTTP/1.1\r\n\r\n").head.starts_with("GET / HTTP/1.1\r\n"));
  CHECK(asked("GET http://h?a HTTP/1.1\r\n\r\n").head.starts_with("GET /?a HTTP/1.1\r\n"));
}

TEST_CASE("a tunnel has a host and a port, and is not let in without the password") {
  const io::ProxyRequest tunnel = asked("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
  CHECK(tunnel.kind == io::ProxyRequest::Kind::tunnel);
  CHECK(tunnel.port() == 443);
  CHECK(!tunnel.known);
  CHECK(asked("CONNECT [::1]:444 HTTP/1.1\r\n\r\n").url.host == "[::1]");
}

TEST_CASE("U45: ports where no HTTP lives, other schemes and no requests at all are refused") {
  for (const char* head :
       {"CONNECT example.org:22 HTTP/1.1\r\n\r\n", "CONNECT :443 HTTP/1.1\r\n\r\n",
        "GET ftp://h/ HTTP/1.1\r\n\r\n", "GET https://h/ HTTP/1.1\r\n\r\n",
        "GET /path HTTP/1.1\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n"})
    CHECK_MESSAGE(!io::read_proxy_request(head, kLogin), head);
}

TEST_CASE("an answer says that its connection ends, and how long to wait") {
  const auto answer = io::read_proxy_answer(
      "HTTP/1.1 429 Slow down\r\nConnection: keep-alive\r\nRetry-After: 7\r\n\r\n", kNow);

  REQUIRE(answer);
  CHECK(answer->status == 429);
  CHECK(answer->wait_ms == 7'000);
  CHECK(answer->head == "HTTP/1.1 429 Slow down\r\nRetry-After: 7\r\nConnection: close\r\n\r\n");
}

TEST_CASE("H39: a wait is bounded, and only those who have too much to do may ask for one") {
  const auto wait = [](const std::string& status, const std::string& after) {
    return io::read_proxy_answer("HTTP/1.1 " + status + " x\r\nRetry-After: " + after + "\r\n\r\n",
                                 kNow)
        ->wait_ms;
  };
  CHECK(wait("503", "999999") == 600'000);
  CHECK(wait("503", "-5") == 0);
  CHECK(wait("503", "soon") == 0);
  CHECK(wait("200", "5") == 0);
  CHECK(wait("429", "Fri, 01 Jan 2100 00:00:00 GMT") == 600'000);
  CHECK(wait("429", "99999999999999999999") == 600'000);
  CHECK(wait("429", "-99999999999999999999") == 0);
}

TEST_CASE("interim heads stay unchanged; text that is not an answer is not read as one") {
  const std::string hints = "HTTP/1.1 103 Early Hints\r\nConnection: x\r\n\r\n";
  const auto early = io::read_proxy_answer(hints, kNow);
  REQUIRE(early);
  CHECK(!early->is_final);
  CHECK(early->head == hints);
  CHECK(!io::read_proxy_answer("SSH-2.0-x\r\n\r\n", kNow));
}
