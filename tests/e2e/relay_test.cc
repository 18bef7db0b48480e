// Files from a fake Yandex Disk through a real daemon into a fake chat: what a user sees of every
// edge of the document's diagram, and what the chat has received.

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "base/hash.h"
#include "support/process/relay_bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

using Is = UploadMood::Is;

constexpr const char* kWay = "QUEUED > CLAIMED > DOWNLOADING > STREAMING > DELIVERED";

}  // namespace

TEST_CASE("003: a file goes from the disk into the chat byte for byte, and no token leaks") {
  RelayBench b;
  const std::string bytes = std::string(2'999'999, 'a') + "b";
  b.disk.put("disk:/a.bin", {.bytes = bytes});
  const std::string id = b.add("disk:/a.bin");
  REQUIRE(b.daemon.comes_to(id, "DELIVERED"));
  CHECK(b.trail(id) == kWay);
  const auto documents = b.chat.delivered();
  REQUIRE(documents.size() == 1);
  CHECK(documents.front().name == "a.bin");
  CHECK(documents.front().size == 3'000'000);
  CHECK(documents.front().sha256 == sha256_hex(bytes));
  CHECK_FALSE(b.disk.leaked_token());
  CHECK_FALSE(has_logged(b.disk.token()));
  CHECK_FALSE(has_logged(b.telegram.token));
}

TEST_CASE("S3-22: the second relay of a file is sent by Telegram's id; a stale id is uploaded") {
  RelayBench b;
  b.put("a.bin");
  REQUIRE(b.daemon.comes_to(b.add("disk:/a.bin"), "DELIVERED"));
  REQUIRE(b.daemon.comes_to(b.add("/a.bin"), "DELIVERED"));
  CHECK(b.chat.delivered().size() == 2);
  CHECK_FALSE(b.chat.delivered().back().was_uploaded);

  b.chat.with([](FakeTelegram& telegram) { telegram.files.clear(); });
  const std::string id = b.add("disk:/a.bin");
  REQUIRE(b.daemon.comes_to(id, "DELIVERED"));
  CHECK(b.chat.delivered().back().was_uploaded);
  CHECK(b.trail(id) == kWay);
}

TEST_CASE("003 §1: a fault of the disk fails a relay, or queues it again") {
  RelayBench b;
  const std::string gone = b.add("disk:/no-such-file");
  REQUIRE(b.daemon.comes_to(gone, "FAILED"));
  CHECK(b.trail(gone) == "QUEUED > CLAIMED > DOWNLOADING > FAILED");

  b.put("a.bin");
  b.disk.act(DiskRoute::meta, {.status = 503});
  const std::string later = b.add("disk:/a.bin");
  REQUIRE(b.daemon.comes_to(later, "DELIVERED"));
  CHECK(b.trail(later).starts_with("QUEUED > CLAIMED > DOWNLOADING > QUEUED > CLAIMED"));
}

TEST_CASE("003 §1: a fault of the chat fails a relay, or queues it again") {
  RelayBench b;
  b.put("a.bin");
  b.chat.set({.is = Is::answers, .reply = telegram_fault(502, "Bad Gateway"), .times = 1});
  const std::string later = b.add("disk:/a.bin");
  REQUIRE(b.daemon.comes_to(later, "DELIVERED"));
  CHECK(b.trail(later).starts_with("QUEUED > CLAIMED > DOWNLOADING > STREAMING > QUEUED"));
  CHECK(b.chat.delivered().size() == 1);

  b.put("b.bin");
  b.chat.set({.is = Is::answers,
              .reply = telegram_fault(403, "Forbidden: bot was blocked by the user"),
              .times = 1});
  const std::string blocked = b.add("disk:/b.bin");
  REQUIRE(b.daemon.comes_to(blocked, "FAILED"));
  CHECK(b.trail(blocked) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > FAILED");
}

TEST_CASE("S3-15: after a download that broke off haul keeps the file whole before it sends it") {
  const TempFolder spool;
  RelayBench b{{"HAUL__RELAY__SPOOL=" + spool.path().string()}};
  b.disk.put("disk:/a.bin", {.zeros = 200'000'000});
  b.disk.act(DiskRoute::storage, {.reset_after = 1'000'000});
  const std::string id = b.add("disk:/a.bin");
  const auto spooled = [&](const std::string& bytes) {
    return b.daemon.get("/metrics").body().find("\nhaul_spool_bytes " + bytes + "\n") !=
           std::string::npos;
  };
  CHECK(comes_true([&] { return spooled("200000000"); }));
  REQUIRE(b.daemon.comes_to(id, "DELIVERED"));
  CHECK(b.trail(id) == std::string{"QUEUED > CLAIMED > DOWNLOADING > STREAMING > "} + kWay);
  REQUIRE(b.chat.delivered().size() == 1);
  CHECK(b.chat.delivered().front().size == 200'000'000);
  CHECK(comes_true([&] { return spooled("0"); }));
  CHECK(std::filesystem::is_empty(spool.path()));
}

TEST_CASE("003 §1: a queued relay is cancelled by its user, or expires") {
  RelayBench b{{"HAUL__RELAY__TTL=1s"}};
  b.put("a.bin");
  const std::string cancelled = b.add("disk:/a.bin", true);
  CHECK(b.daemon.post("/api/v1/jobs/" + cancelled + "/cancel").status() == 200);
  CHECK(b.trail(cancelled) == "QUEUED > CANCELLED");
  const std::string expired = b.add("disk:/a.bin", true);
  REQUIRE(b.daemon.comes_to(expired, "EXPIRED"));
  CHECK(b.chat.delivered().empty());
}

TEST_CASE("Z-14: a disk that refuses the token holds the relays, and health and log say so") {
  RelayBench b;
  b.put("a.bin");
  b.disk.expire_token();
  b.disk.refuse_refresh();
  const std::string id = b.add("disk:/a.bin");
  REQUIRE(comes_true([&] { return b.reason(id) == "disk_unauthorised"; }));
  const std::string other = b.add("disk:/a.bin");
  const std::string why{b.daemon.get("/api/v1/jobs/" + other + "/why").body()};
  CHECK(member_of(why, "code") == "disk_unauthorised");
  CHECK(member_of(b.daemon.job(id), "attempt") == "0");
  CHECK(b.daemon.get("/health/ready").body().find("disk_unauthorised") != std::string::npos);
  CHECK(has_logged("disk_unauthorised"));
}

TEST_CASE("promise 5: a reply lost after every first send gives as many duplicates as flags") {
  RelayBench b;
  constexpr int kRelays = 5;
  b.chat.set({.is = Is::loses_reply, .times = kRelays});
  std::vector<std::string> ids;
  for (int i = 0; i < kRelays; ++i) {
    b.put(fmt::format("{}.bin", i), 1'000 + static_cast<std::size_t>(i));
    ids.push_back(b.add(fmt::format("disk:/{}.bin", i)));
  }
  for (int i = 0; i < kRelays; ++i) {
    REQUIRE(b.daemon.comes_to(ids[static_cast<std::size_t>(i)], "DELIVERED"));
    CHECK(b.messages(fmt::format("{}.bin", i)) == 1 + b.flagged(ids[static_cast<std::size_t>(i)]));
  }
}

TEST_CASE("Z-27: with pause a lost reply gives no duplicate, and the relay waits for the user") {
  RelayBench b{{"HAUL__RELAY__ON_UNKNOWN=pause"}};
  b.put("a.bin", 1'000);
  b.chat.set({.is = Is::loses_reply, .times = 1});
  const std::string id = b.add("disk:/a.bin");
  REQUIRE(comes_true([&] { return member_of(b.daemon.job(id), "paused") == "true"; }));
  CHECK(b.reason(id) == "delivery_unknown");
  b.put("b.bin", 1'000);
  REQUIRE(b.daemon.comes_to(b.add("disk:/b.bin"), "DELIVERED"));
  CHECK(b.messages("a.bin") == 1);
}

TEST_CASE("S3-10: 1,000 requests at once with 500 nonces are 500 jobs") {
  RelayBench b{{"HAUL__RELAY__QUEUE_PER_USER=1000"}};
  std::atomic<int> fresh = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = t; i < 1'000; i += 8) {
        const RawReply reply = b.daemon.post(
            "/api/v1/jobs",
            fmt::format(R"({{"lifecycle":"relay","request":{{"user_id":1,"chat_id":42,)"
                        R"("file_id":"/a","nonce":"{}"}},"paused":true}})",
                        i % 500));
        fresh += reply.status() == 201 ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(fresh == 500);
}
