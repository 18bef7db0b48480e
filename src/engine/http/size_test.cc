// Limits on the size of a body: the request's, the settings' for a body of unknown size, and the
// space that the disk must keep free.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <memory>
#include <string>

#include "engine/http/http.h"
#include "support/io/fake_loop.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

struct SizeBench {
  explicit SizeBench(http::HttpSettings settings = {}, io::KeepFree keep_free = {})
      : space{keep_free} {
    settings.space = &space;
    engine = http::make_http_engine(loop, gate, clock, std::move(settings), io::Durability::off);
  }
  ~SizeBench() { loop.is_closing = true; }

  // Returns "fetched 5", or the code of the fault. Keeps the whole fault in `fault`.
  std::string get(const FakeReply& reply, const std::string& filters = "{}") {
    loop.server = [&](const io::HttpRequest&) { return reply; };
    ++starts;  // Each start is a job of its own, because a job's request is read once.
    Order order{.job = JobId{starts}, .item = 1, .fence = 1, .start = starts};
    order.request = fmt::format(R"({{"url":"http://h.example/f","folder":"{}","filters":{}}})",
                                folder.path().string(), filters);
    order.url = "http://h.example/f";
    engine->start(order, letters);
    loop.run();
    std::string outcome;
    for (const Sight& sight : letters.take()) {
      if (const auto* fetched = std::get_if<Fetched>(&sight.what))
        outcome = fmt::format("fetched {}", fetched->size);
      if (const auto* failed = std::get_if<Failed>(&sight.what)) {
        fault = failed->fault;
        outcome = fault.code;
      }
    }
    return outcome;
  }

  TempFolder folder;
  HandClock clock;
  FakeLoop loop{clock};
  OpenGate gate;
  Letters letters;
  std::int64_t starts = 0;
  Fault fault;
  io::DiskSpace space;
  std::unique_ptr<ItemEngine> engine;
};

FakeReply of_unknown_size(std::size_t size) {
  return {.body = std::string(size, 'x'), .headers = {{"transfer-encoding", "chunked"}}};
}
FakeReply of_known_size(std::size_t size) {
  return {.body = std::string(size, 'x'), .headers = {{"content-length", std::to_string(size)}}};
}
// The loop delivers the body decoded.
FakeReply compressed(std::size_t size) {
  return {.body = std::string(size, 'x'),
          .headers = {{"content-length", "10"}, {"content-encoding", "gzip"}}};
}

}  // namespace

TEST_CASE("F36: a body of unknown size ends at transfer.max_size; a known size may be larger") {
  SizeBench f{{.max_size = 1'000}};
  CHECK(f.get(of_unknown_size(1'000)) == "fetched 1000");
  CHECK(f.get(of_unknown_size(1'001)) == "file_too_large");
  CHECK(f.fault.kind == FaultKind::permanent);
  CHECK(f.fault.detail.find("transfer.max_size") != std::string::npos);
  CHECK(f.get(of_known_size(1'001)) == "fetched 1001");
}

TEST_CASE("F35: bytes count after they are expanded, for transfer.max_size and filters.max_size") {
  SizeBench f{{.max_size = 1'000}};
  CHECK(f.get(compressed(1'000)) == "fetched 1000");
  CHECK(f.get(compressed(1'001)) == "file_too_large");
  CHECK(f.get(compressed(200), R"({"max_size":200})") == "fetched 200");
  CHECK(f.get(compressed(201), R"({"max_size":200})") == "too_large");
}

TEST_CASE("S2-8: filters.max_size holds for what comes, when no look could tell before") {
  SizeBench f;
  const std::string filters = R"({"max_size":200})";
  CHECK(f.get(of_unknown_size(200), filters) == "fetched 200");
  CHECK(f.get(of_unknown_size(201), filters) == "too_large");
  CHECK(f.fault.detail.find("filters.max_size") != std::string::npos);
  CHECK(f.get(of_known_size(201), filters) == "too_large");
}

TEST_CASE("F25: a download that would take what the disk must keep free waits, however small") {
  constexpr std::int64_t kMoreThanAnyDisk = std::int64_t{1} << 60U;
  SizeBench none{{}, {kMoreThanAnyDisk}};
  for (const FakeReply& reply : {of_known_size(1), of_unknown_size(1), compressed(1)}) {
    CHECK(none.get(reply) == "disk_full");
    CHECK(none.fault.kind == FaultKind::environment);
    CHECK(none.fault.detail.find(none.folder.path().string()) != std::string::npos);
    CHECK(none.fault.detail.find("transfer.keep_free") != std::string::npos);
  }
  SizeBench all{{}, {0}};
  CHECK(all.get(of_known_size(1)) == "fetched 1");
}

}  // namespace haul::testing
