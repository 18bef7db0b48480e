#pragma once
// An HTTP loop on a clock that the test turns, a server that receives uploads, sources for them,
// and a record of all callbacks.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/web/http.h"
#include "support/flow/turned_clock.h"
#include "support/io/on_loop.h"
#include "support/server/receiving_server.h"

namespace haul::testing {

// Gives its bytes in pieces, then what the test says. The test changes it on the loop's thread.
class ScriptedSource final : public io::HttpSource {
 public:
  explicit ScriptedSource(std::string bytes, Given then = {})
      : left{std::move(bytes)}, last{std::move(then)} {}

  Given read(std::span<std::byte> into) override {
    ++asked;
    if (left.empty()) return last;
    const std::size_t size = std::min({left.size(), into.size(), piece});
    std::ranges::copy(std::as_bytes(std::span{left}.first(size)), into.begin());
    left.erase(0, size);
    given += static_cast<std::int64_t>(size);
    return {.is = Given::Is::more, .size = size};
  }

  std::string left;
  Given last;  // Without bytes left.
  std::size_t piece = SIZE_MAX;
  std::atomic<int> asked = 0;
  std::atomic<std::int64_t> given = 0;
};

// Has always more bytes.
class EndlessSource final : public io::HttpSource {
 public:
  Given read(std::span<std::byte> into) override {
    std::ranges::fill(into, std::byte{'x'});
    given += std::ssize(into);
    return {.is = Given::Is::more, .size = into.size()};
  }

  std::atomic<std::int64_t> given = 0;
};

// Lives on the loop's thread; only the atomics are shared.
class CallRecord final : public io::HttpUser {
 public:
  struct Call {
    io::HttpHead head;
    std::string body;
    io::HttpEnd end;
  };

  io::Go on_head(int call, const io::HttpHead& head) override {
    take_note();
    calls[call].head = head;
    ++heads;
    return answer(at_head(call, head));
  }
  io::Go on_body(int call, std::span<const std::byte> bytes) override {
    take_note();
    calls[call].body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    came += std::ssize(bytes);
    return answer(at_body(call));
  }
  void on_end(int call, const io::HttpEnd& end) override {
    take_note();
    calls[call].end = end;
    ++ended;
  }

  // What the user answers. Both may end or resume calls.
  std::function<io::Go(int call, const io::HttpHead& head)> at_head = [](int, const io::HttpHead&) {
    return io::Go::on;
  };
  std::function<io::Go(int call)> at_body = [](int) { return io::Go::on; };

  std::map<int, Call> calls;
  std::atomic<bool> is_paused = false;  // The last answer was Go::pause. The test clears it.
  std::atomic<int> while_paused = 0;    // Callbacks that came all the same.
  std::atomic<int> heads = 0;
  std::atomic<std::int64_t> came = 0;
  std::atomic<int> ended = 0;

 private:
  void take_note() { while_paused += is_paused ? 1 : 0; }
  io::Go answer(io::Go go) {
    is_paused = go == io::Go::pause;
    return go;
  }
};

struct UploadBench {
  explicit UploadBench(ReceivingServer::Script script) : server{std::move(script)} {}

  // Runs `work` on the loop and returns when it is done.
  template <class Work>
  void on_loop(const Work& work) {
    testing::on_loop(*loop, work);
  }
  void turns(int count) {
    for (int i = 0; i < count; ++i) on_loop([] {});
  }
  // Lets the loop take turns until `so` holds. False if it does not hold after a million turns.
  template <class So>
  bool until(So so) {
    for (int turn = 0; turn < 1'000'000; ++turn) {
      if (so()) return true;
      turns(1);
    }
    return false;
  }

  io::HttpRequest request(std::string_view method, std::string_view path = "/up") const {
    io::HttpRequest sent{.method = std::string{method},
                         .url = "http://" + server.host() + std::string{path},
                         .direct = true};
    sent.reach.private_too = true;
    return sent;
  }
  io::HttpRequest upload(std::string_view method, std::shared_ptr<io::HttpSource> source,
                         std::optional<std::int64_t> size) const {
    io::HttpRequest sent = request(method);
    sent.upload = std::move(source);
    sent.upload_size = size;
    return sent;
  }
  // Returns when libcurl has the call.
  int begin(const io::HttpRequest& request) {
    int call = 0;
    on_loop([&] { call = loop->begin(request, record); });
    turns(1);
    return call;
  }
  void resume(int call, io::Direction direction) {
    on_loop([&] {
      record.is_paused = false;
      loop->resume(call, direction);
    });
  }
  bool ends() {
    return until([this] { return record.ended > 0; });
  }
  // The code of the fault that the call ended with: "none" without one, "stopped" by its user.
  std::string end_of(int call) {
    if (!ends()) return "hangs";
    const io::HttpEnd& end = record.calls.at(call).end;
    return end.stopped ? "stopped" : end.fault ? end.fault->code : "none";
  }
  // The first request, once the script has read its body to the end or seen the client leave.
  Received first() {
    until([this] { return server.is_over(); });
    return server.received().at(0);
  }

  TurnedClock clock;
  CallRecord record;
  ReceivingServer server;
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
};

// An answer with a body and Content-Length. `status` is a code and its phrase. Each header ends
// with its own CRLF.
inline std::string http_answer(std::string_view status, std::string_view body = "",
                               std::string_view headers = "") {
  return "HTTP/1.1 " + std::string{status} + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + std::string{headers} + "\r\n" + std::string{body};
}

}  // namespace haul::testing
