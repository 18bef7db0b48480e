// When the Telegram sink sends: its turn in a chat, stops, and files that Telegram has.

#include <doctest/doctest.h>

#include "sink/telegram/chat.h"
#include "support/io/chat_bench.h"

using namespace haul;
using namespace haul::testing;

namespace {

using Is = UploadMood::Is;

constexpr JobId kJob{7};
constexpr std::int64_t kMiB = 1 << 20;

Parcel known(JobId job, const std::string& file_id) {
  Parcel parcel = ChatBench::parcel(job);
  parcel.path = "telegram:" + file_id;
  return parcel;
}

}  // namespace

TEST_CASE("S3-20: each send asks for its turn, in its chat and among all") {
  ChatBench b;
  b.offer(JobId{1}, {.name = "a", .size = 1});
  b.offer(JobId{2}, {.name = "a", .size = 1});
  b.land(ChatBench::parcel(JobId{1}, "42"));
  REQUIRE(b.told(JobId{1}) == "sent");
  b.land(ChatBench::parcel(JobId{2}, "-100"));
  REQUIRE(b.told(JobId{2}) == "sent");

  CHECK(b.gate.asked() ==
        "telegram:42 1000\ntelegram 34\n"
        "telegram:-100 3000\ntelegram 34\n");
}

TEST_CASE("S3-20: a send waits for its turn, and a long wait is the flow's") {
  ChatBench b;
  b.gate.hold_back("telegram:42", {Millis{900}, Millis{0}});
  b.gate.hold_back("telegram", {Millis{34}, Millis{0}});
  b.offer(kJob, {.name = "a", .size = 1});
  b.land(ChatBench::parcel(kJob));
  b.until([] { return false; }, Millis{500});
  CHECK(b.server.heads().empty());
  REQUIRE(b.told(kJob) == "sent");
  CHECK(b.gate.asked() == "telegram:42 1000\ntelegram:42 1000\ntelegram 34\ntelegram 34\n");

  b.gate.hold_back("telegram:42", {Millis{10'001}});
  b.offer(JobId{8}, {.name = "a", .size = 1});
  b.land(ChatBench::parcel(JobId{8}));
  CHECK(b.told(JobId{8}) == "failed retryable chat_turn wait=10001");
  CHECK(b.server.heads().size() == 1);
}

TEST_CASE("Z-12: while a chat is blocked for long, its sends end with no request") {
  ChatBench b;
  b.gate.hold_back("telegram:42", std::vector<Millis>(5, Millis{120'000}));
  for (std::int64_t job = 1; job <= 5; ++job) {
    b.offer(JobId{job}, {.name = "a", .size = 1});
    b.land(ChatBench::parcel(JobId{job}));
    CHECK(b.told(JobId{job}) == "failed retryable chat_turn wait=120000");
  }
  CHECK(b.server.heads().empty());
}

TEST_CASE("Z-12: a flood wait holds back the whole chat, and no other") {
  ChatBench b;
  b.server.set(
      {.is = Is::answers,
       .reply = telegram_fault(429, "Too Many Requests: retry after 20", R"({"retry_after":20})")});
  b.offer(kJob, {.name = "a", .size = 1});
  b.land(ChatBench::parcel(kJob));

  REQUIRE(b.told(kJob) == "failed retryable flood_wait wait=20000");
  CHECK(b.gate.blocked() == std::map<std::string, std::int64_t>{{"telegram:42", 20'000}});
}

TEST_CASE("a group that became another chat is sent to under its new id from then on") {
  ChatBench b;
  b.server.set({.is = Is::answers,
                .reply = telegram_fault(400, "Bad Request: group chat was upgraded",
                                        R"({"migrate_to_chat_id":-1009})"),
                .times = 1});
  b.offer(JobId{1}, {.name = "a", .size = 1});
  b.offer(JobId{2}, {.name = "a", .size = 1});

  b.land(ChatBench::parcel(JobId{1}, "-5"));
  CHECK(b.told(JobId{1}) == "failed retryable chat_moved wait=1000");
  b.land(ChatBench::parcel(JobId{2}, "-5"));
  CHECK(b.told(JobId{2}) == "sent");
  CHECK(b.server.delivered().at(0).chat == -1009);
}

TEST_CASE("S3-22: a file that Telegram has is sent by its id, without its bytes") {
  ChatBench b;
  b.offer(JobId{1}, {.name = "a", .size = kMiB});
  b.land(ChatBench::parcel(JobId{1}));
  REQUIRE(b.told(JobId{1}) == "sent");
  const std::int64_t before = b.server.came();

  b.land(known(JobId{2}, b.server.delivered().at(0).file_id));
  REQUIRE(b.told(JobId{2}) == "sent");

  const auto delivered = b.server.delivered();
  REQUIRE(delivered.size() == 2);
  CHECK_FALSE(delivered[1].was_uploaded);
  CHECK(delivered[1].chat == 42);
  CHECK(delivered[1].sha256 == delivered[0].sha256);
  CHECK(b.server.came() - before < 200);
}

TEST_CASE("S3-22: a stale file id is a permanent fault of its own, and nothing is sent") {
  ChatBench b;
  b.land(known(kJob, "BQgone"));

  CHECK(b.told(kJob) == "failed permanent stale_file_id");
  CHECK(b.server.delivered().empty());
}

TEST_CASE("a reply to a send by id that is lost leaves the outcome unknown") {
  ChatBench b;
  b.server.set({.is = Is::loses_reply});
  b.land(known(kJob, "BQ"));

  CHECK(b.told(kJob) == "failed retryable connection_lost unknown");
}

TEST_CASE("a stop before the last byte had no effect, in each phase, within two seconds") {
  ChatBench b;
  Parcel parcel = ChatBench::parcel(kJob);

  SUBCASE("while it waits for its turn") {
    b.gate.hold_back("telegram:42", {Millis{9'000}, Millis{9'000}});
    b.offer(kJob, {.name = "a", .size = kMiB});
    b.land(parcel);
    b.until([&] { return !b.gate.asked().empty(); });
  }
  SUBCASE("while the server takes no bytes") {
    b.server.set({.is = Is::hangs, .after = kMiB});
    b.offer(kJob, {.name = "a", .size = 64 * kMiB});
    b.land(parcel);
    REQUIRE(b.until([&] { return b.server.came() >= kMiB; }));
  }
  SUBCASE("while the disk gives no bytes") {
    const GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 2 * kMiB}, 2 * kMiB - 1);
    b.land(parcel);
    REQUIRE(b.until([&] { return file.stream()->pipe.passed() == 2 * kMiB - 1; }));
  }
  SUBCASE("at once") {
    b.offer(kJob, {.name = "a", .size = kMiB}, 0);
    b.land(parcel);
  }

  b.chat->stop(parcel, b.sights);

  CHECK(b.told(kJob, Millis{2'000}) == "stopped");
  CHECK(b.until([&] { return b.files.back().stream()->pipe.is() == Pipe::Is::broken; }));
  CHECK(b.server.delivered().empty());
  CHECK(b.server.whole() == 0);
}

TEST_CASE("promise 3: a stop after the last byte waits for the answer, but not for long") {
  ChatBench b;
  b.server.set({.is = Is::processes});
  b.offer(kJob, {.name = "a", .size = kMiB});
  const Parcel parcel = ChatBench::parcel(kJob);
  b.land(parcel);
  REQUIRE(b.until([&] { return b.server.whole() == 1; }));
  b.chat->stop(parcel, b.sights);
  b.until([] { return false; }, Millis{100});

  SUBCASE("it comes in time") {
    b.server.go();
    CHECK(b.told(kJob, Millis{1'500}) == "sent");
  }
  SUBCASE("it does not") {
    CHECK(b.told(kJob, Millis{1'500}) == "failed cancelled stopped unknown");
  }
}

TEST_CASE("a sink that ends breaks the streams it has, and waits for nothing") {
  ChatBench b;
  b.server.set({.is = Is::hangs, .after = kMiB});
  const GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 64 * kMiB});
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.until([&] { return b.server.came() >= kMiB; }));

  b.chat.reset();

  CHECK((file.stream()->pipe.is() == Pipe::Is::broken));
  CHECK(b.sights.all().size() == b.moves().size());
}
