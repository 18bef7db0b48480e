// Uploads of the HTTP loop, against a server on this machine: methods, lengths, sources that wait
// or fail, timeouts, and answers that come before the upload has ended.

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/web/http.h"
#include "io/web/throttle.h"
#include "support/flow/turned_clock.h"
#include "support/io/upload_bench.h"
#include "support/server/receiving_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

using Given = io::HttpSource::Given;
using Exchange = ReceivingServer::Exchange;

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kGiB = 1 << 30;
const Given kDry{.is = Given::Is::none};
const Given kAll{.is = Given::Is::end};
// The two ways to frame an upload: a length that is known, and chunks.
const std::optional<std::int64_t> kChunked;

void take_all(Exchange& exchange) {
  if (exchange.read_body()) exchange.send(http_answer("200 OK", "done"));
}

std::shared_ptr<ScriptedSource> source_of(const std::string& bytes, const Given& then = kAll) {
  return std::make_shared<ScriptedSource>(bytes, then);
}

// Gives the source more bytes, and its end, while the call waits for it.
void go_on(UploadBench& b, int call, ScriptedSource& source, const std::string& bytes,
           const Given& then = kAll) {
  b.on_loop([&] {
    source.left = bytes;
    source.last = then;
  });
  b.resume(call, io::Direction::up);
}

}  // namespace

TEST_CASE("each method arrives with its body and its length") {
  struct Case {
    std::string method;
    std::string body;
    bool has_source;
    std::string length;  // The header. Empty if there is none.
  };
  for (const Case& c : {Case{"PUT", "hello", true, "5"}, Case{"POST", "hello", true, "5"},
                        Case{"DELETE", "hello", true, "5"}, Case{"PUT", "hello", false, "5"},
                        Case{"POST", "hello", false, "5"}, Case{"PUT", "", false, "0"},
                        Case{"DELETE", "", false, ""}}) {
    CAPTURE(c.method);
    CAPTURE(c.has_source);
    UploadBench b{take_all};
    io::HttpRequest request = b.request(c.method);
    if (c.has_source) request.upload = source_of(c.body);
    if (c.has_source) request.upload_size = std::ssize(c.body);
    if (!c.has_source) request.body = c.body;

    const int call = b.begin(request);

    CHECK(b.end_of(call) == "none");
    CHECK(b.record.calls.at(call).head.status == 200);
    CHECK(b.record.calls.at(call).body == "done");
    const Received got = b.first();
    CHECK(got.head.starts_with(c.method + " /up HTTP/1.1\r\n"));
    CHECK(got.header("Content-Length") == c.length);
    CHECK(got.header("Transfer-Encoding").empty());
    CHECK(got.wire == c.body);
  }
}

TEST_CASE("a body has the type that its request gives, or none") {
  for (const std::string method : {"PUT", "POST"})
    for (const std::string type : {"", "application/json"}) {
      CAPTURE(method);
      CAPTURE(type);
      UploadBench b{take_all};
      io::HttpRequest request = b.request(method);
      request.body = "{}";
      if (!type.empty()) request.headers = {"Content-Type: " + type};

      CHECK(b.end_of(b.begin(request)) == "none");
      CHECK(b.first().header("Content-Type") == type);
    }
}

TEST_CASE("an upload of unknown length is sent in chunks as its source gives them") {
  UploadBench b{take_all};
  const auto source = source_of("abcde");
  source->piece = 3;

  const int call = b.begin(b.upload("PUT", source, kChunked));

  CHECK(b.end_of(call) == "none");
  const Received got = b.first();
  CHECK(got.header("Transfer-Encoding") == "chunked");
  CHECK(got.header("Content-Length").empty());
  CHECK(got.wire == "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
}

TEST_CASE("an upload may have no bytes") {
  {
    UploadBench b{take_all};
    const auto source = source_of("");
    CHECK(b.end_of(b.begin(b.upload("PUT", source, 0))) == "none");
    CHECK(b.first().header("Content-Length") == "0");
    CHECK(b.first().wire.empty());
    CHECK(source->asked == 0);
  }
  UploadBench b{take_all};
  CHECK(b.end_of(b.begin(b.upload("PUT", source_of(""), kChunked))) == "none");
  CHECK(b.first().wire == "0\r\n\r\n");
}

TEST_CASE("a large upload arrives whole") {
  std::string large(3 * kMiB, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i % 251);
  for (const auto size : {std::optional{3 * kMiB}, kChunked}) {
    UploadBench b{take_all};
    const int call = b.begin(b.upload("PUT", source_of(large), size));
    CHECK(b.end_of(call) == "none");
    CHECK((b.first().body == large));
  }
}

TEST_CASE("a source without bytes is not asked again until it resumes, and its wait is no stall") {
  for (const auto size : {std::optional<std::int64_t>{10}, kChunked}) {
    UploadBench b{take_all};
    const auto source = source_of("first", kDry);
    const int call = b.begin(b.upload("PUT", source, size));
    REQUIRE(b.until([&] { return source->asked == 2 && b.server.came() >= 5; }));

    b.clock.pass(1h);
    b.turns(100);
    CHECK(source->asked == 2);
    CHECK(b.record.ended == 0);

    go_on(b, call, *source, "later");
    CHECK(b.end_of(call) == "none");
    CHECK(b.first().body == "firstlater");
  }
}

TEST_CASE("to resume a call that is not paused, or not there, changes nothing") {
  UploadBench b{[](Exchange& exchange) {
    exchange.wait_go();
    take_all(exchange);
  }};
  const auto source = source_of("hello");
  const int call = b.begin(b.upload("PUT", source, 5));
  REQUIRE(b.until([&] { return source->given == 5; }));

  b.resume(call, io::Direction::up);
  b.resume(call, io::Direction::down);
  b.resume(call + 1, io::Direction::up);
  b.server.go();

  CHECK(b.end_of(call) == "none");
  CHECK(b.first().wire == "hello");
}

TEST_CASE("the fault of a source is the call's end, and its part does not look like the whole") {
  const Given failed{.is = Given::Is::failed,
                     .fault = Fault{FaultKind::environment, "disk_error", "it cannot be read"}};
  for (const auto size : {std::optional<std::int64_t>{10}, kChunked})
    for (const bool waits : {false, true}) {
      CAPTURE(waits);
      UploadBench b{take_all};
      const auto source = source_of("first", waits ? kDry : failed);
      const int call = b.begin(b.upload("PUT", source, size));
      if (waits) {
        REQUIRE(b.until([&] { return source->asked == 2; }));
        go_on(b, call, *source, "", failed);
      }

      CHECK(b.end_of(call) == "disk_error");
      CHECK((b.record.calls.at(call).end.fault == failed.fault));
      CHECK(b.first().has_left);
      CHECK_FALSE(b.first().is_whole);
    }
}

TEST_CASE("a source one byte too short is a fault, and of a longer one the stated length goes") {
  struct Case {
    std::string bytes;
    std::string end;
  };
  for (const Case& c : {Case{"1234", "upload_short"}, Case{"12345", "none"}, Case{"123456", "none"},
                        Case{"", "upload_short"}}) {
    CAPTURE(c.bytes);
    UploadBench b{take_all};
    const auto source = source_of(c.bytes);
    const int call = b.begin(b.upload("PUT", source, 5));

    CHECK(b.end_of(call) == c.end);
    CHECK(b.first().is_whole == (c.end == "none"));
    CHECK(b.first().wire == c.bytes.substr(0, 5));
    CHECK(source->given == std::ssize(b.first().wire));
  }
}

TEST_CASE("a server may process an upload for answer_timeout, however short stall_timeout is") {
  struct Case {
    std::string bytes;
    std::optional<std::int64_t> size;
    Millis answer;
  };
  const Case cases[] = {
      {"hello", 5, 600s}, {"hello", kChunked, 600s}, {"", 0, 600s}, {"hello", 5, 10s}};
  for (const Case& c : cases)
    for (const bool in_time : {true, false}) {
      CAPTURE(c.answer.count());
      CAPTURE(in_time);
      UploadBench b{[](Exchange& exchange) {
        exchange.read_body();
        exchange.wait_go();
        exchange.send(http_answer("200 OK"));
      }};
      io::HttpRequest request = b.upload("PUT", source_of(c.bytes), c.size);
      request.stall_timeout = 30s;
      request.answer_timeout = c.answer;
      const int call = b.begin(request);
      REQUIRE(b.until([&] { return b.server.is_over(); }));
      b.turns(2);  // Until the loop knows, too.

      b.clock.pass(c.answer - 1ms);
      b.turns(50);
      CHECK(b.record.ended == 0);

      if (in_time) b.server.go();
      if (!in_time) b.clock.pass(1ms);
      CHECK(b.end_of(call) == (in_time ? "none" : "timeout"));
    }
}

TEST_CASE("an upload that moves no byte for stall_timeout has stalled, not before") {
  UploadBench b{take_all};
  io::HttpRequest request = b.upload("PUT", source_of("hello"), 5);
  // A server that does not know this protocol never answers, so no byte of the upload can go.
  request.url = "http://upload.example/up";
  request.proxy = "socks5h://" + b.server.host();
  const int call = b.begin(request);

  b.clock.pass(request.stall_timeout - 1ms);
  b.turns(50);
  CHECK(b.record.ended == 0);

  b.clock.pass(1ms);
  CHECK(b.end_of(call) == "stalled");
}

TEST_CASE("a server that takes no more bytes stalls an upload") {
  UploadBench b{[](Exchange& exchange) { exchange.wait_go(); }};
  const auto source = std::make_shared<EndlessSource>();
  const int call = b.begin(b.upload("PUT", source, kGiB));
  std::int64_t before = 0;
  REQUIRE(b.until([&] {
    const std::int64_t last = std::exchange(before, source->given);
    b.turns(100);
    return last > 0 && source->given == last;
  }));

  int seconds = 0;
  for (; seconds < 1'000 && b.record.ended == 0; ++seconds) {
    b.clock.pass(1s);
    b.turns(20);
  }

  CHECK(b.end_of(call) == "stalled");
  CHECK(seconds >= 30);
}

TEST_CASE("the answer to an upload stalls if its body stops for stall_timeout, not before") {
  for (const bool in_time : {true, false}) {
    UploadBench b{[](Exchange& exchange) {
      exchange.read_body();
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
      exchange.wait_go();
      exchange.send("later");
    }};
    const io::HttpRequest request = b.upload("PUT", source_of("hello"), 5);
    const int call = b.begin(request);
    REQUIRE(b.until([&] { return b.record.came == 5; }));
    b.turns(2);

    b.clock.pass(request.stall_timeout - 1ms);
    b.turns(50);
    CHECK(b.record.ended == 0);

    if (in_time) b.server.go();
    if (!in_time) b.clock.pass(1ms);
    CHECK(b.end_of(call) == (in_time ? "none" : "stalled"));
  }
}

TEST_CASE(
    "a user ends a call in the middle of its upload: the server sees it, the source is freed") {
  UploadBench b{[](Exchange& exchange) {
    exchange.read_some(kMiB);
    exchange.read_to_close();
  }};
  auto source = std::make_shared<EndlessSource>();
  const std::weak_ptr<EndlessSource> watched = source;
  const int call = b.begin(b.upload("PUT", std::move(source), kGiB));
  REQUIRE(b.until([&] { return b.server.came() >= kMiB; }));

  b.on_loop([&] { b.loop->end(call); });
  b.turns(2);

  CHECK(watched.expired());
  CHECK(b.first().has_left);
  CHECK(b.record.ended == 0);
}

TEST_CASE("a user stops at a head that comes in the middle of its upload") {
  UploadBench b{[](Exchange& exchange) {
    exchange.read_some(kMiB);
    exchange.send(http_answer("200 OK", "done"));
    exchange.read_to_close();
  }};
  b.record.at_head = [](int, const io::HttpHead&) { return io::Go::stop; };

  const int call = b.begin(b.upload("PUT", std::make_shared<EndlessSource>(), kGiB));

  CHECK(b.end_of(call) == "stopped");
  CHECK(b.record.came == 0);
  CHECK(b.first().has_left);
}

TEST_CASE("an answer with an error or a redirect ends an upload, is told whole and not followed") {
  for (const std::string status : {"307 Temporary Redirect", "413 Content Too Large"})
    for (const std::string close : {"", "Connection: close\r\n"})
      for (const auto size : {std::optional{kGiB}, kChunked})
        for (const bool is_dry : {false, true}) {
          CAPTURE(status);
          CAPTURE(close);
          CAPTURE(is_dry);
          UploadBench b{[&](Exchange& exchange) {
            exchange.read_some(5);
            exchange.wait_go();
            exchange.send(http_answer(status, "no thanks", "Location: /other\r\n" + close));
            exchange.read_body();
          }};
          const auto dry = source_of("first", kDry);
          const auto endless = std::make_shared<EndlessSource>();
          const int call = is_dry ? b.begin(b.upload("PUT", dry, size))
                                  : b.begin(b.upload("PUT", endless, size));
          REQUIRE(b.until([&] { return b.server.came() >= 5 && (!is_dry || dry->asked == 2); }));

          b.server.go();

          CHECK(b.end_of(call) == "none");
          const CallRecord::Call& told = b.record.calls.at(call);
          CHECK(told.head.status == std::stoi(status));
          CHECK(told.head.find("location") == "/other");
          CHECK(told.body == "no thanks");
          CHECK_FALSE(b.first().is_whole);
          CHECK(b.server.received().size() == 1);
          CHECK(dry->asked == (is_dry ? 2 : 0));
          CHECK(endless->given < kGiB);
        }
}

TEST_CASE("an error answer to an upload stalls too") {
  UploadBench b{[](Exchange& exchange) {
    exchange.read_some(5);
    exchange.send("HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 10\r\n\r\nfirst");
    exchange.wait_go();
  }};
  const io::HttpRequest request = b.upload("PUT", source_of("first", kDry), 10);
  const int call = b.begin(request);
  REQUIRE(b.until([&] { return b.record.came == 5; }));
  b.turns(2);

  b.clock.pass(request.stall_timeout - 1ms);
  b.turns(50);
  CHECK(b.record.ended == 0);

  b.clock.pass(1ms);
  CHECK(b.end_of(call) == "stalled");
}

TEST_CASE("a server that answers 200 and closes before it has the whole upload does not have it") {
  for (const bool is_dry : {false, true}) {
    CAPTURE(is_dry);
    UploadBench b{[](Exchange& exchange) {
      exchange.read_some(5);
      exchange.wait_go();
      exchange.send(http_answer("200 OK", "done", "Connection: close\r\n"));
    }};
    const auto dry = source_of("first", kDry);
    const int call = is_dry ? b.begin(b.upload("PUT", dry, 10))
                            : b.begin(b.upload("PUT", std::make_shared<EndlessSource>(), kGiB));
    REQUIRE(b.until([&] { return b.server.came() >= 5 && (!is_dry || dry->asked == 2); }));

    b.server.go();

    CHECK(b.end_of(call) == "answered_early");
  }
}

TEST_CASE("an upload goes on after an early answer of a server that reads on") {
  UploadBench b{[](Exchange& exchange) {
    exchange.read_some(5);
    exchange.send(http_answer("200 OK", "done"));
    exchange.read_body();
  }};
  const auto source = source_of("first", kDry);
  const int call = b.begin(b.upload("PUT", source, 10));
  REQUIRE(b.until([&] { return b.record.came == 4; }));
  b.turns(10);
  CHECK(b.record.ended == 0);

  go_on(b, call, *source, "later");

  CHECK(b.end_of(call) == "none");
  CHECK(b.first().body == "firstlater");
}

TEST_CASE("a server that goes away is a lost connection, also while the source has no bytes") {
  for (const bool is_dry : {false, true}) {
    CAPTURE(is_dry);
    UploadBench b{[](Exchange& exchange) {
      exchange.read_some(5);
      exchange.wait_go();
      exchange.leave();
    }};
    const auto dry = source_of("first", kDry);
    const int call = is_dry ? b.begin(b.upload("PUT", dry, 10))
                            : b.begin(b.upload("PUT", std::make_shared<EndlessSource>(), kGiB));
    if (is_dry) REQUIRE(b.until([&] { return b.server.came() == 5 && dry->asked == 2; }));
    b.server.go();
    if (is_dry) {
      b.turns(50);
      go_on(b, call, *dry, "later");
    }

    CHECK(b.end_of(call) == "connection_lost");
  }
}

TEST_CASE("no body waits for 100 Continue, and a server that sends one answers later") {
  UploadBench b{[](Exchange& exchange) {
    exchange.send("HTTP/1.1 100 Continue\r\n\r\n");
    exchange.read_body();
    exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    exchange.send(http_answer("201 Created"));
  }};
  io::HttpRequest request = b.request("POST");
  request.body.assign(2 * kMiB, 'x');  // libcurl expects 100 Continue for a body as long as this.
  for (const bool has_source : {true, false}) {
    CAPTURE(has_source);
    b.record.ended = 0;
    b.record.heads = 0;
    const int call = b.begin(
        has_source ? b.upload("PUT", source_of(request.body), std::ssize(request.body)) : request);

    CHECK(b.end_of(call) == "none");
    CHECK(b.record.heads == 1);
    CHECK(b.record.calls.at(call).head.status == 201);
  }
  REQUIRE(b.server.received().size() == 2);
  for (const Received& got : b.server.received()) {
    CHECK(got.is_whole);
    CHECK(got.head.find("Expect:") == std::string::npos);
  }
}

TEST_CASE("a speed limit does not hold an upload") {
  const TurnedClock still;
  io::Throttle throttle{still, 64 * 1'024};
  UploadBench b{take_all};
  io::HttpRequest request = b.upload("PUT", source_of(std::string(4 * kMiB, 'x')), 4 * kMiB);
  request.speed = {&throttle, JobId{1}, 0};

  CHECK(b.end_of(b.begin(request)) == "none");
  CHECK(b.first().is_whole);
}
