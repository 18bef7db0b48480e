// What guests and the administrator hear of when something goes wrong.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "lifecycle/request.h"
#include "support/server/bot_scene.h"

namespace haul::testing {
namespace {

constexpr std::int64_t kAnna = 42;
constexpr std::int64_t kBoss = BotStage::kAdminChat;

// Anna sees the screen of a file.
struct AtFile : BotStage {
  AtFile() {
    admit(kAnna);
    says(kAnna, "/menu");
    clicks(kAnna, "📁 Books");
    clicks(kAnna, "Война и мир.epub");
  }
  JobId download(const std::string& label = "Скачать") {
    clicks(kAnna, label);
    const JobId job = claim();
    CHECK(move(job, On::start));
    return job;
  }
  // All texts of the administrator's chat that begin so.
  int alerts(std::string_view begin) {
    int count = 0;
    for (const auto& [key, text] : telegram.texts)
      count += key.first == kAdminChat && text.text.starts_with(begin) ? 1 : 0;
    return count;
  }
  // haul pauses the job, whose message may have arrived.
  void pause(JobId id) {
    const Job job = store->reader().find(id).value();
    const auto intent = store->intents().record(
        id, {.kind = kPauseIntent, .data = "delivery_unknown"}, clock.now());
    const Release back{.version = job.version,
                       .worker = job.worker,
                       .reason = "delivery_unknown",
                       .due_at = {},
                       .detail = "it may have arrived",
                       .pause = intent->id};
    store->jobs().release({&back, 1}, clock.now());
  }
};

}  // namespace

TEST_CASE("S3-17: a guest reads the disk's and the chat's reasons in plain words") {
  struct Case {
    const char* reason;
    const char* words;
  };
  for (const Case& each :
       {Case{"too_large", "файл слишком большой"}, Case{"disk_not_found", "файл не найден"},
        Case{"delivery_unknown", "файл, возможно, уже пришёл"}}) {
    AtFile s;
    const JobId job = s.download();
    REQUIRE(s.move(job, On::fail, each.reason));
    s.live(5);
    CHECK(s.telegram.shown(kAnna).find(each.words) != std::string::npos);
  }
}

TEST_CASE("S3-17: the administrator hears of each failed job, also of several from one message") {
  AtFile s;
  const std::int64_t message = s.telegram.newest(kAnna);
  const std::string download = s.telegram.button(kAnna, message, "Скачать");
  std::vector<JobId> jobs;
  for (int i = 0; i < 3; ++i) s.telegram.deliver_click(kAnna, message, download);
  s.live(3);
  for (int i = 0; i < 3; ++i) {
    jobs.push_back(s.claim());
    REQUIRE(s.move(jobs.back(), On::start));
  }
  for (const JobId job : jobs) REQUIRE(s.move(job, On::fail, "disk_not_found"));
  s.live(10);
  CHECK(s.alerts("Не доставлено") == 3);
  CHECK(s.store->bot().posts().list({}, 10).empty());
}

TEST_CASE("S3-17: 60 jobs that fail at once are 60 alerts, more than the outbox takes for a chat") {
  constexpr int kJobs = 60;
  AtFile s;
  const std::int64_t message = s.telegram.newest(kAnna);
  std::vector<JobId> jobs;
  for (int i = 0; i < kJobs; ++i) {
    const UserId user = s.user_of(kAnna);
    const auto added = flow::add(
        *s.store,
        {.lifecycle = &kRelay,
         .owner = user,
         .request = fmt::format(R"({{"user_id":"{}","chat_id":"{}","file_id":"/a","nonce":"{}"}})",
                                user.value, kAnna, i)},
        s.clock.now());
    REQUIRE(added.has_value());
    s.store->bot().posts().put({.job = added->id, .chat = kAnna, .message = message});
    REQUIRE(s.claim() == added->id);
    REQUIRE(s.move(added->id, On::start));
    jobs.push_back(added->id);
  }
  for (const JobId job : jobs) REQUIRE(s.move(job, On::fail, "disk_not_found"));
  s.live(1);
  CHECK_FALSE(s.store->bot().posts().list({}, kJobs).empty());  // They wait for the outbox.
  s.live(2 * kJobs);
  CHECK(s.alerts("Не доставлено") == kJobs);
  CHECK(s.store->bot().posts().list({}, kJobs).empty());
}

TEST_CASE("S3-17: a message that cannot be edited while the job runs hides no failure") {
  AtFile s;
  const JobId job = s.download();
  s.telegram.fail_next("editMessageText",
                       telegram_fault(400, "Bad Request: message can't be edited"));
  s.live(5);
  CHECK(s.alerts("Не доставлено") == 0);
  REQUIRE(s.move(job, On::fail, "disk_not_found"));
  s.live(5);
  CHECK(s.alerts("Не доставлено") == 1);
  CHECK(s.store->bot().posts().list({}, 10).empty());
}

TEST_CASE("Z-27: guest and administrator are told that a paused message may have arrived") {
  AtFile s;
  s.pause(s.download());
  s.live(10);
  CHECK(s.telegram.shown(kAnna).find("Файл, возможно, уже пришёл.") != std::string::npos);
  CHECK(s.alerts("Задание 1 ждёт") == 1);
}

TEST_CASE("an administrator who speaks English gets alerts and requests in English") {
  BotStage s;
  s.telegram.deliver_text(kBoss, "/menu", "en");
  s.live(3);
  s.says(kAnna, "/start");
  s.clicks(kAnna, "Запросить доступ");
  CHECK(s.telegram.shown(kBoss).starts_with("Request for access"));
  s.clicks(kBoss, "Approve");
  s.says(kAnna, "/menu");
  s.clicks(kAnna, "📁 Books");
  s.clicks(kAnna, "Война и мир.epub");
  s.clicks(kAnna, "Скачать");
  const JobId job = s.claim();
  REQUIRE(s.move(job, On::start));
  REQUIRE(s.move(job, On::fail, "too_large"));
  s.live(5);
  CHECK(s.telegram.shown(kBoss) == "Not delivered: job 1: too_large");
}

TEST_CASE("S3-18: the denied attempts of one user are one row of the audit log in an hour") {
  BotStage s;
  const auto rows = [&] {
    return std::ranges::count(s.store->ledger().audits(0, 100), "BOT_DENIED", &AuditEntry::action);
  };
  for (int i = 0; i < 30; ++i) s.says(kAnna, "/status");
  CHECK(rows() == 1);
  s.says(kAnna + 1, "/status");
  CHECK(rows() == 2);
  s.clock.pass(Millis{3'600'000});
  s.says(kAnna, "/status");
  CHECK(rows() == 3);
}

TEST_CASE("an update that cannot be read is skipped and told, and the others are handled") {
  BotStage s;
  s.telegram.deliver(R"("message":{"message_id":1,"text":"\ud800"})");
  s.telegram.deliver(R"("message":)" + std::string(100, '[') + std::string(100, ']'));
  s.says(kAnna, "/start");
  CHECK(s.telegram.shown(kAnna).starts_with("Это закрытая библиотека"));
  CHECK(s.telegram.waiting() <= 1);
  CHECK(std::ranges::count(s.notices, "bot_update_skipped") == 2);
}

TEST_CASE("an answer to a click goes out within a second while 100 chats get a message each") {
  Steady now{Millis{1'000'000}};
  bot::Outbox outbox;
  for (int chat = 1; chat <= 100; ++chat) outbox.add(bot::send_screen(chat, {"text"}));
  outbox.add(bot::answer_click("click", "yes"));
  CHECK(outbox.due() == Steady{});
  const auto first = outbox.next(now);
  REQUIRE(first);
  CHECK(first->call.method == "answerCallbackQuery");
  CHECK(outbox.due() == now + Millis{40});
  int sent = 0;
  for (; outbox.due(); ++sent) {
    now = *outbox.due();
    REQUIRE(outbox.next(now));
  }
  CHECK(sent == 100);
  CHECK(now == Steady{Millis{1'000'000}} + 100 * Millis{40});
}

}  // namespace haul::testing
