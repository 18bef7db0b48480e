// A user of the HTTP loop that takes a body at its own pace: Go::pause and resume(). The user gets
// nothing while it is paused, and every byte in the end.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/web/http.h"
#include "support/io/packed.h"
#include "support/io/upload_bench.h"
#include "support/server/receiving_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

using Exchange = ReceivingServer::Exchange;

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kHandedAtOnce = kMiB / 2;  // The most that one on_body() gets.

std::string pattern(std::int64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251 + i / 4'096);
  return bytes;
}

std::string in_chunks(std::string_view body) {
  std::string answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (; !body.empty(); body.remove_prefix(std::min<std::size_t>(body.size(), 10'000))) {
    const std::string_view chunk = body.substr(0, 10'000);
    answer += fmt::format("{:x}\r\n", chunk.size());
    answer += chunk;
    answer += "\r\n";
  }
  return answer + "0\r\n\r\n";
}

// Resumes whenever the user is paused, until the call ends.
void take_slowly(UploadBench& b, int call) {
  for (int i = 0; i < 1'000'000 && b.record.ended == 0; ++i) {
    if (b.record.is_paused)
      b.resume(call, io::Direction::down);
    else
      b.turns(1);
  }
}

}  // namespace

TEST_CASE("a user that pauses gets nothing until it resumes, not even the end, and loses no byte") {
  const std::string large = pattern(4 * kMiB);
  for (const std::string& answer :
       {http_answer("200 OK", large), in_chunks(large),
        http_answer("200 OK", packed(large), "Content-Encoding: gzip\r\n"),
        http_answer("200 OK", "small")}) {
    const bool is_small = answer.size() < 1'000;
    CAPTURE(answer.substr(0, 80));
    UploadBench b{[&](Exchange& exchange) { exchange.send(answer); }};
    b.record.at_body = [](int) { return io::Go::pause; };
    io::HttpRequest request = b.request("GET");
    request.decode = true;
    const int call = b.begin(request);
    REQUIRE(b.until([&] { return b.record.is_paused.load(); }));

    b.clock.pass(1h);
    b.turns(200);
    CHECK(b.record.came <= kHandedAtOnce);
    CHECK(b.record.ended == 0);

    take_slowly(b, call);
    CHECK(b.end_of(call) == "none");
    CHECK(b.record.while_paused == 0);
    CHECK((b.record.calls.at(call).body == (is_small ? "small" : large)));
  }
}

TEST_CASE("a user may pause at the head: the body and the end wait") {
  for (const std::string body : {"", "body"}) {
    CAPTURE(body);
    UploadBench b{[&](Exchange& exchange) { exchange.send(http_answer("200 OK", body)); }};
    b.record.at_head = [](int, const io::HttpHead&) { return io::Go::pause; };
    const int call = b.begin(b.request("GET"));
    REQUIRE(b.until([&] { return b.record.is_paused.load(); }));

    b.turns(200);
    CHECK(b.record.came == 0);
    CHECK(b.record.ended == 0);

    b.resume(call, io::Direction::down);
    CHECK(b.end_of(call) == "none");
    CHECK(b.record.calls.at(call).body == body);
    CHECK(b.record.while_paused == 0);
  }
}

TEST_CASE("a call that breaks while its user is paused tells so after resume") {
  UploadBench b{[](Exchange& exchange) {
    exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
  }};
  b.record.at_body = [](int) { return io::Go::pause; };
  const int call = b.begin(b.request("GET"));
  REQUIRE(b.until([&] { return b.record.is_paused.load(); }));
  b.turns(200);
  CHECK(b.record.ended == 0);

  b.resume(call, io::Direction::down);
  CHECK(b.end_of(call) == "truncated");
  CHECK(b.record.while_paused == 0);
}

TEST_CASE("to pause the answer to an upload is no stall, and the silence counts from resume") {
  UploadBench b{[](Exchange& exchange) {
    exchange.read_body();
    exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
    exchange.wait_go();
  }};
  b.record.at_body = [](int) { return io::Go::pause; };
  const io::HttpRequest request = b.upload("PUT", std::make_shared<ScriptedSource>("hello"), 5);
  const int call = b.begin(request);
  REQUIRE(b.until([&] { return b.record.is_paused.load(); }));

  b.clock.pass(1h);
  b.turns(50);
  CHECK(b.record.ended == 0);

  b.resume(call, io::Direction::down);
  b.turns(2);
  b.clock.pass(request.stall_timeout - 1ms);
  b.turns(50);
  CHECK(b.record.ended == 0);

  b.clock.pass(1ms);
  CHECK(b.end_of(call) == "stalled");
}

TEST_CASE("a user that resumes one call from within another gets both bodies whole") {
  const std::string large = pattern(2 * kMiB);
  const std::string answer = in_chunks(large);
  UploadBench b{[&](Exchange& exchange) { exchange.send(answer); }};
  int one = 0;
  int other = 0;
  // Each on_body() resumes the other call and pauses its own. The test resumes both, too, so that
  // none stays paused when the other has ended.
  b.record.at_body = [&](int call) {
    b.loop->resume(call == one ? other : one, io::Direction::down);
    return io::Go::pause;
  };
  b.on_loop([&] {
    one = b.loop->begin(b.request("GET", "/one"), b.record);
    other = b.loop->begin(b.request("GET", "/other"), b.record);
  });

  for (int i = 0; i < 1'000'000 && b.record.ended < 2; ++i)
    b.on_loop([&] {
      b.loop->resume(one, io::Direction::down);
      b.loop->resume(other, io::Direction::down);
    });

  REQUIRE(b.record.ended == 2);
  CHECK((b.record.calls.at(one).body == large));
  CHECK((b.record.calls.at(other).body == large));
}

TEST_CASE("a user that ends a call at its head gets nothing more, also of a coded body") {
  const std::string answer =
      http_answer("200 OK", packed(std::string(1'000, 'x')), "Content-Encoding: gzip\r\n");
  UploadBench b{[&](Exchange& exchange) { exchange.send(answer); }};
  b.record.at_head = [&](int call, const io::HttpHead&) {
    b.loop->end(call);
    return io::Go::on;
  };
  io::HttpRequest request = b.request("GET");
  request.decode = true;
  b.begin(request);
  REQUIRE(b.until([&] { return b.record.heads == 1; }));

  b.turns(50);
  CHECK(b.record.came == 0);
  CHECK(b.record.ended == 0);
}
