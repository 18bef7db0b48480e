// A download that feeds an upload of the same loop through a pipe, as an engine and a sink do.
// Neither side keeps the file, and the fault of one side reaches the other.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/web/http.h"
#include "seam/pipe.h"
#include "support/io/upload_bench.h"
#include "support/server/receiving_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

using Exchange = ReceivingServer::Exchange;

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kCapacity = 64 * 1'024;
constexpr std::int64_t kHandedAtOnce = kMiB / 2;  // The most that one on_body() gets.
constexpr std::int64_t kFile = 16 * kMiB;         // More than the sockets hold.

class PipeSource final : public io::HttpSource {
 public:
  explicit PipeSource(Pipe& pipe) : pipe_{pipe} {}

  Given read(std::span<std::byte> into) override {
    if (const std::size_t size = pipe_.read(into); size > 0)
      return {.is = Given::Is::more, .size = size};
    switch (pipe_.is()) {
      case Pipe::Is::open:
        return {.is = Given::Is::none};
      case Pipe::Is::ended:
        return {.is = Given::Is::end};
      case Pipe::Is::broken:
        break;
    }
    return {.is = Given::Is::failed, .fault = *pipe_.fault()};
  }

 private:
  Pipe& pipe_;
};

// The user of both calls. Lives on the loop's thread; only the atomics are shared.
class Relay final : public io::HttpUser {
 public:
  Relay() {
    pipe.on_room([this] { go_on(); });
    pipe.on_bytes([this] { loop_->resume(up_, io::Direction::up); });
  }

  void begin(io::HttpLoop& loop, const io::HttpRequest& from, io::HttpRequest to) {
    loop_ = &loop;
    to.upload = std::make_shared<PipeSource>(pipe);
    down_ = loop.begin(from, *this);
    up_ = loop.begin(to, *this);
  }

  io::Go on_head(int, const io::HttpHead&) override { return io::Go::on; }
  io::Go on_body(int call, std::span<const std::byte> bytes) override {
    if (call == up_) return io::Go::on;
    came += std::ssize(bytes);
    most_kept = std::max(most_kept.load(), came - pipe.passed());
    rest_.assign(bytes.begin(), bytes.end());
    if (fill()) return io::Go::on;
    return pipe.is() == Pipe::Is::broken ? io::Go::stop : io::Go::pause;
  }
  // A pipe that is still open when the upload ends was refused.
  void on_end(int call, const io::HttpEnd& end) override {
    if (end.fault)
      pipe.fail(*end.fault);
    else if (call == down_ && !end.stopped)
      pipe.end();
    else
      pipe.fail({FaultKind::permanent, "refused", "the server wants no more"});
    if (call == up_) up_end = end.fault ? end.fault->code : "none";
    if (call == up_) is_up_over = true;
  }

  Pipe pipe{kCapacity};
  std::string up_end;
  std::atomic<std::int64_t> most_piped = 0;  // The most that the pipe held.
  std::atomic<std::int64_t> most_kept = 0;   // The most that came and did not go yet.
  std::atomic<std::int64_t> came = 0;
  std::atomic<bool> is_up_over = false;

 private:
  // False if some bytes do not fit.
  bool fill() {
    const std::size_t taken = pipe.write(rest_);
    written_ += static_cast<std::int64_t>(taken);
    most_piped = std::max(most_piped.load(), written_ - pipe.passed());
    rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(taken));
    return rest_.empty();
  }
  void go_on() {
    if (pipe.is() == Pipe::Is::broken)
      loop_->end(down_);
    else if (fill())
      loop_->resume(down_, io::Direction::down);
  }

  io::HttpLoop* loop_ = nullptr;
  int down_ = 0;
  int up_ = 0;
  std::vector<std::byte> rest_;  // Came, and did not fit into the pipe.
  std::int64_t written_ = 0;
};

std::string file_of(std::int64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251 + i / 4'096);
  return bytes;
}

struct RelayBench {
  // One script for "/from" and one for "/to".
  RelayBench(ReceivingServer::Script from, ReceivingServer::Script to)
      : b{[from = std::move(from), to = std::move(to)](Exchange& exchange) {
          exchange.is_for("/from") ? from(exchange) : to(exchange);
        }} {}

  void begin(std::optional<std::int64_t> size) {
    b.on_loop([&] {
      io::HttpRequest to = b.request("PUT", "/to");
      to.upload_size = size;
      relay.begin(*b.loop, b.request("GET", "/from"), to);
    });
  }
  bool uploads() {
    return b.until([this] { return relay.is_up_over.load(); });
  }
  // The request for a path, once it is over.
  Received over(std::string_view path) {
    Received found;
    b.until([&] {
      for (Received& each : b.server.received())
        if (each.head.find(" " + std::string{path} + " ") != std::string::npos)
          found = std::move(each);
      return found.is_whole || found.has_left;
    });
    return found;
  }

  Relay relay;  // Outlives the loop.
  UploadBench b;
};

}  // namespace

TEST_CASE("a file passes from a download to an upload, and little of it is kept at any time") {
  const std::string file = file_of(kFile);
  for (const auto size : {std::optional{kFile}, std::optional<std::int64_t>{}}) {
    CAPTURE(size.has_value());
    RelayBench r{[&](Exchange& from) { from.send(http_answer("200 OK", file)); },
                 [](Exchange& to) {
                   to.wait_go();
                   if (to.read_body()) to.send(http_answer("201 Created"));
                 }};
    r.begin(size);

    // The upload's server reads nothing yet, so the download stops, too.
    std::int64_t before = 0;
    REQUIRE(r.b.until([&] {
      const std::int64_t last = std::exchange(before, r.relay.came);
      r.b.turns(100);
      return last > 0 && r.relay.came == last;
    }));
    CHECK(r.relay.came < kFile);

    r.b.server.go();
    REQUIRE(r.uploads());
    CHECK(r.relay.up_end == "none");
    CHECK((r.over("/to").body == file));
    CHECK(r.relay.pipe.passed() == kFile);
    CHECK(r.relay.most_piped <= kCapacity);
    CHECK(r.relay.most_kept <= kCapacity + kHandedAtOnce);
  }
}

TEST_CASE("an empty file passes") {
  RelayBench r{[](Exchange& from) { from.send(http_answer("200 OK")); },
               [](Exchange& to) {
                 if (to.read_body()) to.send(http_answer("201 Created"));
               }};
  r.begin(std::nullopt);

  REQUIRE(r.uploads());
  CHECK(r.relay.up_end == "none");
  CHECK(r.over("/to").wire == "0\r\n\r\n");
}

TEST_CASE("a download that breaks in the middle is the upload's fault, and no part looks whole") {
  const std::string file = file_of(kMiB);
  for (const auto size : {std::optional{2 * kMiB}, std::optional<std::int64_t>{}}) {
    CAPTURE(size.has_value());
    RelayBench r{[&](Exchange& from) {
                   from.send("HTTP/1.1 200 OK\r\nContent-Length: 2097152\r\n\r\n");
                   from.send(file);
                 },
                 [](Exchange& to) { to.read_body(); }};
    r.begin(size);

    REQUIRE(r.uploads());
    CHECK(r.relay.up_end == "truncated");
    const Received got = r.over("/to");
    CHECK(got.has_left);
    CHECK_FALSE(got.is_whole);
  }
}

TEST_CASE("an upload that breaks in the middle, or is refused, ends the download") {
  const std::string file = file_of(kFile);
  for (const bool is_refused : {false, true}) {
    CAPTURE(is_refused);
    RelayBench r{[&](Exchange& from) {
                   from.send(http_answer("200 OK", file));
                   from.read_to_close();
                 },
                 [&](Exchange& to) {
                   to.read_some(kMiB);
                   if (is_refused) to.send(http_answer("413 Content Too Large", "no"));
                   if (!is_refused) to.leave();
                 }};
    r.begin(kFile);

    REQUIRE(r.uploads());
    CHECK(r.relay.up_end == (is_refused ? "none" : "connection_lost"));
    CHECK(r.relay.pipe.fault()->code == (is_refused ? "refused" : "connection_lost"));
    CHECK(r.over("/from").has_left);
    CHECK(r.relay.came < kFile);
    CHECK(r.relay.most_piped <= kCapacity);
  }
}
