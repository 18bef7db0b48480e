// What becomes of a download's part, with a server and a lander that the test plays.

#include "engine/http/download.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "support/io/fake_lander.h"
#include "support/io/fake_loop.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

const std::string kStore = "a1b2c3d4e5f6";
const std::string kBoot = "this boot";
constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kLarge = 100 * 1'024;  // A file of this size has a part's name.

// Counts requests and runs posted work at once. The test calls the user back.
class CountingLoop final : public io::HttpLoop {
 public:
  int begun = 0;
  std::string last_url;
  std::vector<std::function<void()>> later;  // What waits for a timer.

  void post(std::function<void()> work) override { work(); }
  int begin(const io::HttpRequest& request, io::HttpUser&) override {
    last_url = request.url;
    return ++begun;
  }
  void end(int) override {}
  void resume(int, io::Direction) override {}
  void after(Millis, std::function<void()> work) override { later.push_back(std::move(work)); }

  void run_timers() {
    for (const auto& work : std::exchange(later, {})) work();
  }
};

// Has as many slots as the test says.
class CountedGate final : public Gate {
 public:
  std::size_t slots = 1'000;

  bool pass(std::int64_t start, const std::string&) override {
    held_.erase(start);  // Each request takes its slot anew.
    if (held_.size() >= slots) return false;
    held_.insert(start);
    return true;
  }
  std::size_t done(std::int64_t start) override { return held_.erase(start); }
  bool more(std::int64_t) override { return false; }
  void less(std::int64_t) override {}
  std::optional<std::int64_t> enter(std::int64_t, const std::string&) override { return 1; }
  void leave(std::int64_t) override {}
  void block(const std::string&, std::int64_t) override {}

 private:
  std::set<std::int64_t> held_;
};

io::HttpHead head_of(int status, std::int64_t length, const std::string& etag,
                     const std::string& range = {}) {
  io::HttpHead head{.status = status, .headers = {{"content-length", std::to_string(length)}}};
  if (!etag.empty()) head.headers.emplace_back("etag", etag);
  if (!range.empty()) head.headers.emplace_back("content-range", range);
  return head;
}

struct DownloadBench {
  TempFolder temp;
  HandClock clock;
  CountingLoop loop;
  CountedGate gate;
  FakeLander lander;
  http::HttpSettings settings;
  http::SlotLine line;
  http::HttpEnv env{loop, gate, lander, clock, settings, kBoot, line};
  Letters letters;
  std::string checkpoint;       // As the flow stores it.
  bool waits_for_slot = false;  // Of the next start.

  std::unique_ptr<http::Download> start(std::int64_t fence, engine::GetRequest request = {}) {
    auto job = std::make_shared<http::GetJob>();
    job->request = std::move(request);
    job->landing =
        io::landing_folder(io::Folder::open(temp.path(), io::Folder::Missing::fault).value(),
                           {kStore, JobId{1}, 0, fence});
    Order order{.store = kStore, .job = JobId{1}, .item = 1, .fence = fence, .start = fence};
    order.url = "http://h.example/a.bin";
    order.checkpoint = checkpoint;
    order.waits_for_slot = waits_for_slot;
    auto download =
        std::make_unique<http::Download>(env, std::move(job), std::move(order), letters);
    download->begin();
    return download;
  }
  // Answers a request with a whole file without a validator.
  void serve(http::Download& download) const {
    const std::vector<std::byte> bytes(static_cast<std::size_t>(kLarge), std::byte{'x'});
    CHECK(download.on_head(loop.begun, head_of(200, kLarge, "")) == io::Go::on);
    CHECK(download.on_body(loop.begun, bytes) == io::Go::on);
    download.on_end(loop.begun, {});
  }
  // The last sight since the last call, and stores the checkpoint that it brings.
  std::string told() {
    std::string last;
    for (const Sight& sight : letters.take()) {
      std::string kept;
      if (const auto* moving = std::get_if<Moving>(&sight.what)) {
        last = moving->checkpoint.empty() ? "moving" : "moving, with a checkpoint";
        kept = moving->checkpoint;
      }
      if (const auto* fetched = std::get_if<Fetched>(&sight.what)) {
        last = "fetched";
        kept = fetched->checkpoint;
      }
      if (const auto* failed = std::get_if<Failed>(&sight.what)) {
        last = "failed " + failed->fault.code;
        kept = failed->checkpoint;
      }
      if (std::holds_alternative<Finished>(sight.what)) last = "finished";
      if (std::holds_alternative<Stopped>(sight.what)) last = "stopped";
      if (!kept.empty()) checkpoint = kept;
    }
    return last;
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator{temp.path()})
      found.insert(entry.path().filename().string());
    return found;
  }
};

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("Z-8: a file without a validator that cannot land for now is not fetched again") {
  DownloadBench b;
  b.lander.fails = FakeLander::Fails::before;
  b.lander.fault = {FaultKind::environment, "no_permission", ""};
  {
    const auto download = b.start(1);
    b.serve(*download);
    CHECK(b.told() == "fetched");
    download->land();
    CHECK(b.told() == "failed no_permission");
    CHECK(download->is_gone());
  }
  b.lander.fails = FakeLander::Fails::never;

  const auto again = b.start(2);
  CHECK(b.told() == "fetched");
  again->land();

  CHECK(b.told() == "finished");
  CHECK(b.loop.begun == 1);
  CHECK((b.names() == Names{"a.bin"}));
}

TEST_CASE("a file that lost bytes, or fails its checksum, is removed and fetched again") {
  for (const Fault& fault : {Fault{FaultKind::environment, "disk_error", ""},
                             Fault{FaultKind::retryable, "checksum_mismatch", ""}}) {
    CAPTURE(fault.code);
    DownloadBench b;
    b.lander.fails = FakeLander::Fails::before;
    b.lander.fault = fault;
    const auto download = b.start(1);
    b.serve(*download);
    b.told();
    download->land();

    CHECK(b.told() == "failed " + fault.code);
    CHECK(b.checkpoint == "{}");
    CHECK(b.names().empty());
  }
}

TEST_CASE("a file in its place that fails its checksum is fetched again") {
  DownloadBench b;
  b.lander.fails = FakeLander::Fails::after;
  {
    const auto download = b.start(1);
    b.serve(*download);
    b.told();
    download->land();
    CHECK(b.told() == "failed disk_error");
  }
  b.lander.fails = FakeLander::Fails::before;
  b.lander.fault = {FaultKind::retryable, "checksum_mismatch", ""};
  {
    const auto damaged = b.start(2);
    CHECK(b.told() == "failed checksum_mismatch");
  }
  REQUIRE(b.loop.begun == 1);

  const auto again = b.start(3);

  CHECK(b.loop.begun == 2);
}

TEST_CASE("S2-31: a checkpoint of a part that was replaced while it was flushed is not reported") {
  const io::PartOwner earlier{kStore, JobId{1}, 1, 1};
  DownloadBench b;
  const std::string part = io::part_name("a.bin", earlier);
  std::ofstream{b.temp / part};
  fs::resize_file(b.temp / part, 4 * kMiB);
  http::HttpCheckpoint kept{.etag = "\"1\""};
  kept.file = {.name = "a.bin", .part = part, .size = 5 * kMiB};
  kept.file.inode = io::Folder::open(b.temp.path(), io::Folder::Missing::fault)->find(part)->inode;
  kept.here.add({0, kMiB});
  kept.here.add({3 * kMiB, 4 * kMiB});
  b.checkpoint = kept.to_json();
  b.lander.holds = true;
  const auto download = b.start(2);
  REQUIRE(b.told() == "moving, with a checkpoint");

  // The first gap comes, and the part is flushed for a checkpoint.
  const std::string range = fmt::format("bytes {}-{}/{}", kMiB, 3 * kMiB - 1, 5 * kMiB);
  const std::vector<std::byte> bytes(static_cast<std::size_t>(2 * kMiB), std::byte{'x'});
  REQUIRE(download->on_head(1, head_of(206, 2 * kMiB, "\"1\"", range)) == io::Go::on);
  download->on_body(1, bytes);
  download->report();
  download->on_end(1, {.fault = {}, .stopped = true});
  // For the second gap, the server sends another version of the file.
  REQUIRE(b.loop.begun == 2);
  REQUIRE(download->on_head(2, head_of(200, 5 * kMiB, "\"2\"")) == io::Go::on);
  CHECK(b.told() == "moving");
  b.lander.run();

  CHECK(b.told().empty());
}

TEST_CASE("mirrors: the main source follows no redirect of a mirror, also if it ends before that") {
  DownloadBench b;
  engine::GetRequest request{.segments = 1};
  request.each[""] = {.checksum = {"sha256", std::string(64, 'a')},
                      .mirrors = {"http://mirror.example/a.bin"}};
  const auto download = b.start(1, request);
  io::HttpHead head = head_of(200, 32 * kMiB, "\"v\"");
  head.headers.emplace_back("accept-ranges", "bytes");
  REQUIRE(download->on_head(1, head) == io::Go::on);
  REQUIRE(b.loop.last_url == "http://mirror.example/a.bin");
  const io::HttpHead moved{.status = 302, .headers = {{"location", "http://far.example/a.bin"}}};
  REQUIRE(download->on_head(2, moved) == io::Go::stop);

  const std::vector<std::byte> half(static_cast<std::size_t>(16 * kMiB));
  CHECK(download->on_body(1, half) == io::Go::stop);  // The mirror was asked for the other half.
  download->on_end(1, {.stopped = true});
  CHECK(b.loop.begun == 2);
  download->on_end(2, {.stopped = true});

  CHECK(b.loop.begun == 3);  // No connection is left, so the main source sends the rest, too.
  CHECK(b.loop.last_url == "http://h.example/a.bin");
  CHECK(b.told().find("failed") == std::string::npos);
}

TEST_CASE("a start without a slot sends its request as soon as another of its host is fetched") {
  DownloadBench b;
  b.gate.slots = 1;
  REQUIRE(b.gate.pass(1, "h.example"));  // By the worker, which starts with a slot.
  const auto first = b.start(1);
  b.waits_for_slot = true;
  const auto second = b.start(2);
  const auto third = b.start(3);
  REQUIRE(b.loop.begun == 1);

  b.serve(*first);
  CHECK(b.loop.begun == 2);
  b.serve(*second);
  CHECK(b.loop.begun == 3);
}

TEST_CASE("a start that has its slot sends one request, whatever its timers do later") {
  DownloadBench b;
  b.gate.slots = 0;
  b.waits_for_slot = true;
  const auto waiting = b.start(1);
  b.gate.slots = 2;
  b.line.next("h.example");
  REQUIRE(b.loop.begun == 1);

  b.loop.run_timers();
  CHECK(b.loop.begun == 1);
}

TEST_CASE("a start that is stopped while it waits leaves its place to the next") {
  DownloadBench b;
  b.gate.slots = 0;
  b.waits_for_slot = true;
  const auto stopped = b.start(1);
  const auto waiting = b.start(2);
  stopped->stop(Leftovers::keep);
  b.gate.slots = 1;
  b.line.next("h.example");
  CHECK(b.loop.begun == 1);
}

TEST_CASE("a start that has asked in vain is still asked as soon as a slot is free") {
  DownloadBench b;
  b.gate.slots = 0;
  b.waits_for_slot = true;
  const auto waiting = b.start(1);
  b.loop.run_timers();
  b.gate.slots = 1;
  b.line.next("h.example");
  CHECK(b.loop.begun == 1);
}

TEST_CASE("a start that gets no slot within 1 s ends as stopped, and asks no more") {
  DownloadBench b;
  b.gate.slots = 0;
  b.waits_for_slot = true;
  const auto waiting = b.start(1);
  b.clock.pass(Millis{999});
  b.loop.run_timers();
  CHECK(b.told().empty());
  b.clock.pass(Millis{1});
  b.loop.run_timers();
  CHECK(b.told() == "stopped");
  CHECK(waiting->is_gone());

  b.gate.slots = 1;
  b.line.next("h.example");
  b.loop.run_timers();
  CHECK(b.loop.begun == 0);
}

TEST_CASE("max_time counts from the slot") {
  DownloadBench b;
  b.gate.slots = 0;
  b.waits_for_slot = true;
  const auto waiting = b.start(1, {.max_time = Millis{500}});
  b.clock.pass(Millis{600});
  waiting->report();
  CHECK(b.told().empty());
  b.gate.slots = 1;
  b.loop.run_timers();
  REQUIRE(b.loop.begun == 1);

  b.clock.pass(Millis{499});
  waiting->report();
  CHECK(b.told().empty());
  b.clock.pass(Millis{1});
  waiting->report();
  CHECK(b.told() == "failed max_time");
}

}  // namespace haul::testing
