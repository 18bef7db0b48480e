// The Telegram sink against a fake of the Bot API: what arrives, and what is told of it.

#include "sink/telegram/chat.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "sink/telegram/sending.h"
#include "support/io/chat_bench.h"
#include "support/process/memory.h"

using namespace haul;
using namespace haul::testing;

namespace {

using Is = UploadMood::Is;

constexpr JobId kJob{7};
constexpr std::int64_t kMiB = 1 << 20;

}  // namespace

TEST_CASE("S3-13, S3-15: a file arrives byte for byte: 1 B, less and more than the pipe, 50 MB") {
  for (const std::int64_t size :
       {std::int64_t{1}, std::int64_t{65'535}, std::int64_t{65'537}, std::int64_t{50'000'000}}) {
    CAPTURE(size);
    ChatBench b;
    GeneratedFile& file =
        b.offer(kJob, {.name = "отчёт.pdf", .size = size, .type = "application/pdf"});
    const long before = resident_kib(::getpid());

    b.land(ChatBench::parcel(kJob));
    REQUIRE(b.told(kJob) == "sent");

    const auto delivered = b.server.delivered();
    REQUIRE(delivered.size() == 1);
    CHECK(delivered[0].chat == 42);
    CHECK(delivered[0].name == "отчёт.pdf");
    CHECK(delivered[0].size == size);
    CHECK(delivered[0].sha256 == file.sha256());
    if (measures_memory()) CHECK(resident_kib(::getpid()) - before < 16 * 1'024);
  }
}

TEST_CASE("S3-13: the acknowledgement is Telegram's, and progress comes before it") {
  ChatBench b;
  GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 3 * kMiB}, kMiB);
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.until([&] { return !b.moves().empty() && b.moves().back().have == kMiB; }));
  CHECK(b.moves().back().size == 3 * kMiB);

  b.go_on(file);
  const auto answer = b.answer(kJob);

  REQUIRE(answer);
  REQUIRE(std::holds_alternative<Sent>(*answer));
  CHECK(std::get<Sent>(*answer).ack ==
        R"({"message_id":1,"chat_id":42,"file_id":"BQAC1","file_unique_id":"AgADBQAC1",)"
        R"("date":1700000000})");
  CHECK(std::ranges::is_sorted(b.moves(), {}, &Moving::have));
}

TEST_CASE("A3-6, S3-16: a file of the largest size passes, and one more byte is refused unsent") {
  for (const std::int64_t more : {-1, 0, 1}) {
    CAPTURE(more);
    ChatBench b;
    b.settings.max_size = 3 * kMiB;
    b.chat = telegram::make_telegram_chat(*b.loop, b.clock, b.gate, b.streams, b.settings);
    b.offer(kJob, {.name = "a", .size = 3 * kMiB + more});

    b.land(ChatBench::parcel(kJob));

    CHECK(b.told(kJob) == (more > 0 ? "failed permanent too_large" : "sent"));
    CHECK(b.server.delivered().size() == (more > 0 ? 0 : 1));
    CHECK(b.server.heads().size() == (more > 0 ? 0 : 1));
  }
}

TEST_CASE("an empty file and a chat that is none are refused unsent") {
  ChatBench b;
  b.offer(JobId{1}, {.name = "a", .size = 0});
  b.offer(JobId{2}, {.name = "a", .size = 1});

  b.land(ChatBench::parcel(JobId{1}));
  b.land(ChatBench::parcel(JobId{2}, "not a chat"));
  b.land(ChatBench::parcel(JobId{3}));

  CHECK(b.told(JobId{1}) == "failed permanent empty_file");
  CHECK(b.told(JobId{2}) == "failed permanent bad_chat_id");
  CHECK(b.told(JobId{3}) == "failed retryable no_stream");
  CHECK(b.server.heads().empty());
}

TEST_CASE("S3-19: the token is in the path of the request alone") {
  ChatBench b;
  b.offer(kJob, {.name = "a", .size = 10});
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.told(kJob) == "sent");

  const std::string head = b.server.heads().at(0);
  const std::string token = b.telegram.token;
  CHECK(head.starts_with("POST /bot" + token + "/sendDocument HTTP/1.1\r\n"));
  CHECK(head.find(token) == head.rfind(token));
  CHECK(head.find("\r\nContent-Length: ") != std::string::npos);
  CHECK(head.find("chunked") == std::string::npos);
  CHECK(head.find("Expect") == std::string::npos);
}

TEST_CASE("S3-19: no fault shows the token") {
  ChatBench b;
  b.server.set({.is = Is::answers,
                .reply = telegram_fault(400, fmt::format("Bad Request: http://x/bot{}/sendDocument",
                                                         b.telegram.token))});
  b.offer(kJob, {.name = "a", .size = 10});
  b.land(ChatBench::parcel(kJob));

  const auto answer = b.answer(kJob);
  REQUIRE(answer);
  const auto& failed = std::get<Failed>(*answer);
  CHECK(failed.fault.code == "chat_refused");
  CHECK(failed.fault.detail.find("fake-token") == std::string::npos);
}

TEST_CASE("S3-11, S3-12: an answer with an error is judged by its code, and nothing is delivered") {
  const struct {
    FakeReply reply;
    const char* told;
  } cases[] = {
      {telegram_fault(429, "Too Many Requests: retry after 3", R"({"retry_after":3})"),
       "failed retryable flood_wait wait=3000"},
      {telegram_fault(403, "Forbidden: bot was blocked by the user"),
       "failed permanent chat_blocked"},
      {telegram_fault(400, "Bad Request: chat not found"), "failed permanent chat_not_found"},
      {telegram_fault(500, "Internal Server Error: restart"),
       "failed retryable chat_server_error unknown"},
      {telegram_fault(401, "Unauthorized"), "failed environment chat_unauthorised"},
      {{.status = 502, .body = "<html>502 Bad Gateway</html>"},
       "failed retryable chat_garbage unknown"}};
  for (const auto& each : cases) {
    CAPTURE(each.told);
    ChatBench b;
    b.server.set({.is = Is::answers, .reply = each.reply});
    b.offer(kJob, {.name = "a", .size = kMiB});

    b.land(ChatBench::parcel(kJob));

    CHECK(b.told(kJob) == each.told);
    CHECK(b.server.delivered().empty());
  }
}

TEST_CASE("a bot that Telegram refuses is told once as a trouble, until a send passes") {
  ChatBench b;
  std::string told;
  b.settings.on_trouble = [&](const Fault* fault) { told += fault ? fault->code + " " : "well "; };
  b.chat = telegram::make_telegram_chat(*b.loop, b.clock, b.gate, b.streams, b.settings);
  b.server.set({.is = Is::answers, .reply = telegram_fault(401, "Unauthorized"), .times = 2});
  for (const int job : {1, 2, 3, 4}) {
    b.offer(JobId{job}, {.name = "a", .size = 1});
    b.land(ChatBench::parcel(JobId{job}));
    CHECK(b.told(JobId{job}) == (job < 3 ? "failed environment chat_unauthorised" : "sent"));
  }

  b.chat.reset();
  CHECK(told == "chat_unauthorised well ");
}

TEST_CASE("a refusal in the middle ends the upload, and nothing of it is unknown") {
  for (const auto& reply : {telegram_fault(413, "Request Entity Too Large"),
                            FakeReply{.status = 413, .body = "<html>413</html>"}}) {
    ChatBench b;
    b.server.set({.is = Is::answers_early, .after = kMiB, .reply = reply});
    const GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 64 * kMiB});

    b.land(ChatBench::parcel(kJob));

    CHECK(b.told(kJob) == "failed permanent too_large");
    CHECK(b.until([&] { return file.stream()->pipe.is() == Pipe::Is::broken; }));
    CHECK(b.server.whole() == 0);
  }
}

TEST_CASE("F01: a reply that is lost after the whole file leaves the outcome unknown") {
  ChatBench b;
  b.server.set({.is = Is::loses_reply});
  b.offer(kJob, {.name = "a", .size = kMiB});

  b.land(ChatBench::parcel(kJob));

  CHECK(b.told(kJob) == "failed retryable connection_lost unknown");
  CHECK(b.server.delivered().size() == 1);
}

TEST_CASE("F01: an answer that is no HTTP leaves the outcome unknown and is no outage") {
  ChatBench b;
  std::string told;
  b.settings.on_trouble = [&](const Fault* fault) { told += fault ? fault->code : "well"; };
  b.chat = telegram::make_telegram_chat(*b.loop, b.clock, b.gate, b.streams, b.settings);
  const FakeReply garbage{.body = "{}", .headers = {{"X", std::string(200'000, 'x')}}};
  b.server.set({.is = Is::answers, .reply = garbage});
  b.offer(kJob, {.name = "a", .size = kMiB});

  b.land(ChatBench::parcel(kJob));

  CHECK(b.told(kJob) == "failed retryable bad_answer unknown");
  b.chat.reset();
  CHECK(told.empty());
}

TEST_CASE("a connection that is lost before the last byte is plainly retryable") {
  for (const std::int64_t after : {std::int64_t{0}, kMiB}) {
    CAPTURE(after);
    ChatBench b;
    b.server.set({.is = Is::cuts, .after = after});
    b.offer(kJob, {.name = "a", .size = 64 * kMiB});

    b.land(ChatBench::parcel(kJob));

    CHECK(b.told(kJob) == "failed retryable connection_lost");
    CHECK(b.server.delivered().empty());
  }
}

TEST_CASE("a disk that breaks before the last byte ends the request: no part looks whole") {
  for (const std::int64_t came : {std::int64_t{0}, kMiB, 2 * kMiB - 1}) {
    CAPTURE(came);
    ChatBench b;
    const GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 2 * kMiB}, came);
    b.land(ChatBench::parcel(kJob));
    REQUIRE(b.until([&] { return file.stream()->pipe.passed() == came; }));

    file.stream()->pipe.fail({FaultKind::permanent, "hash_mismatch", "the file has changed"});

    CHECK(b.told(kJob) == "failed permanent hash_mismatch");
    CHECK(b.until([&] { return b.server.unfinished() == 1; }));
    CHECK(b.server.whole() == 0);
    CHECK(b.server.delivered().empty());
  }
}

TEST_CASE("a disk that is stopped under a send ends it, and the next try may help") {
  ChatBench b;
  const GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 2 * kMiB}, kMiB);
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.until([&] { return file.stream()->pipe.passed() == kMiB; }));

  file.stream()->pipe.fail({FaultKind::cancelled, "stopped", ""});

  CHECK(b.told(kJob) == "failed retryable stopped");
}

TEST_CASE("a server that is not there costs no attempt and is told as a trouble") {
  ChatBench b;
  std::string told;
  b.settings.url = "http://127.0.0.1:1";
  b.settings.on_trouble = [&](const Fault* fault) { told += fault ? fault->code : "well"; };
  b.chat = telegram::make_telegram_chat(*b.loop, b.clock, b.gate, b.streams, b.settings);
  b.offer(kJob, {.name = "a", .size = 1});
  b.land(ChatBench::parcel(kJob));

  CHECK(b.told(kJob) == "failed environment cannot_connect");
  b.chat.reset();
  CHECK(told == "cannot_connect");
}

TEST_CASE("a disk that is away is no trouble of the chat") {
  ChatBench b;
  std::string told;
  b.settings.on_trouble = [&](const Fault* fault) { told += fault ? fault->code : "well"; };
  b.chat = telegram::make_telegram_chat(*b.loop, b.clock, b.gate, b.streams, b.settings);
  const GeneratedFile& file = b.offer(kJob, {.name = "a", .size = 2 * kMiB}, kMiB);
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.until([&] { return file.stream()->pipe.passed() == kMiB; }));

  file.stream()->pipe.fail({FaultKind::environment, "network_down", ""});

  CHECK(b.told(kJob) == "failed environment network_down");
  b.chat.reset();
  CHECK(told.empty());
}

TEST_CASE("S3-20: at most 100 files are on their way at once, and more wait without an attempt") {
  ChatBench b;
  for (int job = 1; job <= 101; ++job) {
    b.offer(JobId{job}, {.name = "a", .size = 10}, 0);
    b.land(ChatBench::parcel(JobId{job}, std::to_string(job)));
  }

  CHECK(b.told(JobId{101}) == "failed retryable chat_busy wait=1000");
  b.chat->stop(ChatBench::parcel(JobId{1}), b.sights);
  CHECK(b.told(JobId{1}) == "stopped");
  b.land(ChatBench::parcel(JobId{101}));
  for (GeneratedFile& file : b.files) b.go_on(file);
  CHECK(b.told(JobId{100}) == "sent");
}

TEST_CASE("S3-24: Telegram may process a file for minutes, up to the deadline by its size") {
  using telegram::send_deadline;
  CHECK((send_deadline(1) == std::chrono::minutes{15}));
  CHECK((send_deadline(30'000'000) == std::chrono::minutes{15}));
  CHECK((send_deadline(60'000'000) == std::chrono::minutes{20}));

  ChatBench b;
  b.server.set({.is = Is::processes});
  b.offer(kJob, {.name = "a", .size = kMiB});
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.until([&] { return b.server.whole() == 1; }));
  b.clock.pass(std::chrono::minutes{14});
  b.until([] { return false; }, Millis{500});
  CHECK(b.moves().back().status == "Telegram processes the file");

  SUBCASE("it answers") {
    b.server.go();
    CHECK(b.told(kJob) == "sent");
  }
  SUBCASE("it does not") {
    b.clock.pass(std::chrono::minutes{1});
    CHECK(b.told(kJob) == "failed retryable timeout unknown");
  }
}

TEST_CASE("S3-24: a server that takes no bytes is a stall, but a slow disk is none") {
  ChatBench b;
  GeneratedFile& slow = b.offer(JobId{8}, {.name = "b", .size = 2 * kMiB}, kMiB);
  b.land(ChatBench::parcel(JobId{8}));
  REQUIRE(b.until([&] { return b.server.came() > kMiB; }));
  for (int turn = 0; turn < 100; ++turn) on_loop(*b.loop, [] {});  // Until it waits for the disk.
  b.server.set({.is = Is::hangs, .after = kMiB});
  b.offer(kJob, {.name = "a", .size = 64 * kMiB});
  b.land(ChatBench::parcel(kJob));
  REQUIRE(b.until([&] { return b.server.came() > 2 * kMiB; }));

  b.clock.pass(std::chrono::seconds{31});
  CHECK(b.told(kJob) == "failed retryable stalled");
  b.clock.pass(std::chrono::seconds{31});
  b.until([] { return false; }, Millis{200});
  b.go_on(slow);

  CHECK(b.told(JobId{8}) == "sent");
}

TEST_CASE("two files at once arrive each in its own chat") {
  ChatBench b;
  GeneratedFile& first = b.offer(JobId{1}, {.name = "a", .size = 5 * kMiB});
  GeneratedFile& second = b.offer(JobId{2}, {.name = "b", .size = 4 * kMiB + 3}, kMiB);

  b.land(ChatBench::parcel(JobId{2}, "-1002"));
  b.land(ChatBench::parcel(JobId{1}, "1001"));
  REQUIRE(b.told(JobId{1}) == "sent");
  b.go_on(second);
  REQUIRE(b.told(JobId{2}) == "sent");

  const auto delivered = b.server.delivered();
  REQUIRE(delivered.size() == 2);
  CHECK(delivered[0].chat == 1001);
  CHECK(delivered[0].sha256 == first.sha256());
  CHECK(delivered[1].chat == -1002);
  CHECK(delivered[1].sha256 == second.sha256());
}
