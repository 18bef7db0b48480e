// What a later start does with a part whose writer was lost in the middle. Runs only the engine, so
// that a test can set what the store still knows.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/mutex.h"
#include "engine/http/checkpoint.h"
#include "engine/http/http.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSize = 1'000'000;
constexpr std::size_t kKept = 600'000;

class Heard final : public Inbox {
 public:
  void push(Sight sight) override {
    const Lock lock{mutex_};
    if (const auto* moving = std::get_if<Moving>(&sight.what)) {
      have_ = moving->have;
      if (!moving->checkpoint.empty()) checkpoint_ = moving->checkpoint;
    }
    if (const auto* fetched = std::get_if<Fetched>(&sight.what)) fetched_ = *fetched;
    finished_ = finished_ || std::holds_alternative<haul::Finished>(sight.what);
    came_.notify_one();
  }
  bool has(std::int64_t bytes) {
    return wait([this, bytes]() REQUIRES(mutex_) { return have_ == bytes; });
  }
  // Waits for the first checkpoint.
  std::string checkpoint() {
    wait([this]() REQUIRES(mutex_) { return !checkpoint_.empty(); });
    const Lock lock{mutex_};
    return checkpoint_;
  }
  bool is_fetched() {
    return wait([this]() REQUIRES(mutex_) { return fetched_.has_value(); });
  }
  bool is_finished() {
    return wait([this]() REQUIRES(mutex_) { return finished_; });
  }

 private:
  template <class So>
  bool wait(So so) {
    const Lock lock{mutex_};
    came_.wait_for(mutex_, Millis{10'000}, so);
    return so();
  }

  Mutex mutex_;
  Condition came_;
  std::int64_t have_ GUARDED_BY(mutex_) = 0;
  std::optional<Fetched> fetched_ GUARDED_BY(mutex_);
  std::string checkpoint_ GUARDED_BY(mutex_);
  bool finished_ GUARDED_BY(mutex_) = false;
};

// A part on disk, and a checkpoint in the store for its first 600,000 bytes.
struct KeptPart {
  FaultServer server;
  TempFolder home;
  Heard heard;
  OpenGate gate;
  Order order;

  explicit KeptPart(std::int64_t fence) {
    order = {.store = "a1b2c3d4e5f6", .job = JobId{1}, .item = 1, .fence = fence, .start = 1};
    order.request = fmt::format(R"({{"urls":["{}"],"folder":{}}})", server.url("/f/a.bin"),
                                json_quoted(home.path().string()));
    const std::string part = io::part_name("a.bin", {order.store, JobId{1}, 1, fence});
    std::ofstream{home / part, std::ios::binary}
        << FaultServer::content("a.bin", kSize).substr(0, kKept);
    const RawReply head = server.get(fmt::format("/f/a.bin?size={}", kSize));
    http::HttpCheckpoint kept{
        .file = {.name = "a.bin", .part = part, .size = static_cast<std::int64_t>(kSize)},
        .etag = std::string{head.header("ETag")},
        .last_modified = std::string{head.header("Last-Modified")}};
    kept.file.inode = io::Folder::open(home.path(), io::Folder::Missing::fault)->find(part)->inode;
    kept.here.add({0, static_cast<std::int64_t>(kKept)});
    order.checkpoint = kept.to_json();
  }

  // Starts the item with a new engine and destroys the engine after `until`, as if the process had
  // died.
  template <class Until>
  void start(const std::string& switches, Until until) {
    ++order.start;
    order.url = server.url(fmt::format("/f/a.bin?size={}{}", kSize, switches));
    const auto loop = io::make_http_loop(system_clock());
    const auto engine =
        http::make_http_engine(*loop, gate, system_clock(), {}, io::Durability::batch);
    engine->start(order, heard);
    until(*engine);
  }
  void finish() {
    start("", [this](ItemEngine& engine) {
      REQUIRE(heard.is_fetched());
      engine.land(order, heard);
      REQUIRE(heard.is_finished());
    });
    std::ifstream file{home / "a.bin", std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    CHECK((bytes == FaultServer::content("a.bin", kSize)));
  }
};

}  // namespace

TEST_CASE("S2-31: a part with proof is resumed") {
  KeptPart part{1};
  part.finish();
  CHECK(part.server.log().back().range == fmt::format("bytes={}-", kKept));
  CHECK(part.server.log().back().sent == kSize - kKept);
}

TEST_CASE("S2-27: a part survives a start that is lost before its first byte") {
  KeptPart part{1};
  part.order.fence = 2;
  std::string known;
  part.start("&delay_ms=60000", [&](ItemEngine&) { known = part.heard.checkpoint(); });
  part.order.fence = 3;
  part.order.checkpoint = known;

  part.finish();
  CHECK(part.server.log().back().range == fmt::format("bytes={}-", kKept));
}

TEST_CASE("S2-31: a lost start that had begun from zero leaves nothing to resume") {
  KeptPart part{1};
  part.start("&ranges=ignore&stall_after=100000",
             [&](ItemEngine&) { CHECK(part.heard.has(100'000)); });

  part.finish();
}

TEST_CASE("S2-31: a part that is shorter than its checkpoint in the store is not resumed") {
  KeptPart part{1};
  for (const auto& entry : fs::directory_iterator{part.home.path()})
    fs::resize_file(entry.path(), kKept - 1);

  part.finish();
  CHECK(part.server.log().back().range.empty());
}

TEST_CASE("S2-31: a whole part that was not flushed is landed within its boot, and not after it") {
  KeptPart part{1};
  const auto folder = io::Folder::open(part.home.path(), io::Folder::Missing::fault);
  http::HttpCheckpoint kept = http::HttpCheckpoint::from_json(part.order.checkpoint);
  std::ofstream{part.home / kept.file.part, std::ios::binary}
      << FaultServer::content("a.bin", kSize);
  kept.here.add({0, static_cast<std::int64_t>(kSize)});
  kept.file.target = "a.bin";
  const std::size_t asked = part.server.log().size();

  SUBCASE("within") {
    kept.file.boot = io::boot_id();
    part.order.checkpoint = kept.to_json();
    part.finish();
    CHECK(part.server.log().size() == asked);
  }
  SUBCASE("after") {
    kept.file.boot = "another";
    part.order.checkpoint = kept.to_json();
    std::ofstream{part.home / kept.file.part, std::ios::binary} << std::string(kSize, '\0');
    part.finish();
    CHECK(part.server.log().size() == asked + 1);
    CHECK(part.server.log().back().range.empty());
  }
}
