// The bot of a real daemon, with a fake Telegram and a fake Yandex Disk on loopback.

#include <doctest/doctest.h>

#include "base/hash.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/server/fake_on_port.h"
#include "support/server/fake_telegram.h"
#include "support/server/fake_telegram_upload.h"
#include "support/server/fake_yandex.h"

namespace haul::testing {
namespace {

constexpr std::int64_t kAdminChat = 99;
constexpr std::int64_t kAnna = 7;

struct BotRun {
  FakeYandex disk;
  FakeTelegram telegram{system_clock()};
  FakeOnPort port{[this](const io::HttpRequest& sent) { return telegram.answer(sent); }};
  Daemon daemon{
      {"HAUL__RELAY__BOT=true", "HAUL__RELAY__BOT_ADMIN=99",
       "HAUL__RELAY__TELEGRAM_URL=" + port.url(), "HAUL__RELAY__TELEGRAM_TOKEN=" + telegram.token,
       "HAUL__RELAY__YANDEX_URL=" + disk.url(), "HAUL__RELAY__YANDEX_TOKEN=" + disk.token(),
       "HAUL__RELAY__BOT_FOLDER=disk:/Books"}};

  BotRun() { disk.put("disk:/Books/War and Peace.epub", {.bytes = "war"}); }

  void says(std::int64_t user, const std::string& text) {
    port.with([&] { telegram.deliver_text(user, text); });
  }
  void clicks(std::int64_t user, const std::string& label) {
    port.with([&] {
      const std::int64_t message = telegram.newest(user);
      telegram.deliver_click(user, message, telegram.button(user, message, label));
    });
  }
  // Waits until the newest message of a chat begins so.
  bool comes_to_show(std::int64_t user, const std::string& text) {
    return comes_true([&] {
      bool is_shown = false;
      port.with([&] { is_shown = telegram.shown(user).starts_with(text); });
      return is_shown;
    });
  }
};

// The same with a Telegram that also takes files.
class LibraryRun {
 public:
  const std::string book = std::string(3'000'000, 'w') + "peace";
  FakeYandex disk;
  FakeTelegram telegram{system_clock()};  // Through chat.with() only.
  FakeTelegramUpload chat{telegram};
  Daemon daemon{settings()};

  void says(std::int64_t user, const std::string& text) {
    chat.with([&](FakeTelegram& fake) { fake.deliver_text(user, text); });
  }
  void clicks(std::int64_t user, const std::string& label) {
    chat.with([&](FakeTelegram& fake) {
      const std::int64_t message = fake.newest(user);
      fake.deliver_click(user, message, fake.button(user, message, label));
    });
  }
  bool comes_to_show(std::int64_t user, const std::string& text) {
    return comes_true([&] {
      bool is_shown = false;
      chat.with([&](FakeTelegram& fake) { is_shown = fake.shown(user).starts_with(text); });
      return is_shown;
    });
  }
  void let_in(std::int64_t user) {
    says(user, "/start");
    REQUIRE(comes_to_show(user, "Это закрытая библиотека"));
    clicks(user, "Запросить доступ");
    REQUIRE(comes_to_show(kAdminChat, "Запрос доступа"));
    clicks(kAdminChat, "Разрешить");
    REQUIRE(comes_to_show(user, "Доступ открыт"));
  }

 private:
  std::vector<std::string> settings() {
    disk.put("disk:/Books/Tolstoy/War and Peace.epub", {.bytes = book});
    return {"HAUL__RELAY__BOT=true",
            "HAUL__RELAY__BOT_ADMIN=99",
            "HAUL__RELAY__TELEGRAM_URL=" + chat.url(),
            "HAUL__RELAY__TELEGRAM_TOKEN=" + telegram.token,
            "HAUL__RELAY__YANDEX_URL=" + disk.url(),
            "HAUL__RELAY__YANDEX_TOKEN=" + disk.token(),
            "HAUL__RELAY__BOT_FOLDER=disk:/Books"};
  }
};

}  // namespace

TEST_CASE("a real daemon's bot lets a guest in, shows the disk, and stops in time") {
  BotRun run;
  run.says(kAnna, "/start");
  REQUIRE(run.comes_to_show(kAnna, "Это закрытая библиотека"));
  run.clicks(kAnna, "Запросить доступ");
  REQUIRE(run.comes_to_show(kAdminChat, "Запрос доступа: User 7 (7)"));
  run.clicks(kAdminChat, "Разрешить");
  REQUIRE(run.comes_to_show(kAnna, "Доступ открыт"));
  run.says(kAnna, "peace");
  REQUIRE(run.comes_to_show(kAnna, "Найдено: 1 / War and Peace.epub"));

  CHECK(run.daemon.get("/api/v1/users").body().find("telegram:7") != std::string::npos);
  run.daemon.kill();
  run.daemon.start();
  run.says(kAnna, "/menu");
  CHECK(run.comes_to_show(kAnna, "Библиотека / War and Peace.epub"));
  CHECK(run.daemon.stop() == 0);
  CHECK_FALSE(has_logged(run.telegram.token));
  CHECK_FALSE(has_logged(run.disk.token()));
}

TEST_CASE(
    "003, S3-19: a guest asks, is let in, browses, clicks, and the whole file arrives; no log "
    "names them") {
  LibraryRun run;
  run.let_in(kAnna);
  run.says(kAnna, "/menu");
  REQUIRE(run.comes_to_show(kAnna, "Библиотека / "));
  run.clicks(kAnna, "📁 Tolstoy");
  REQUIRE(run.comes_to_show(kAnna, "Tolstoy / War and Peace.epub"));
  run.clicks(kAnna, "War and Peace.epub");
  REQUIRE(run.comes_to_show(kAnna, "War and Peace.epub\n"));
  std::int64_t message = 0;
  std::string download;
  run.chat.with([&](FakeTelegram& fake) {
    message = fake.newest(kAnna);
    download = fake.button(kAnna, message, "Скачать");
  });
  run.clicks(kAnna, "Скачать");
  REQUIRE(run.comes_to_show(kAnna, "War and Peace.epub\nГотово"));

  const auto documents = run.chat.delivered();
  REQUIRE(documents.size() == 1);
  CHECK(documents.front().chat == kAnna);
  CHECK(documents.front().name == "War and Peace.epub");
  CHECK(documents.front().sha256 == sha256_hex(run.book));
  CHECK(documents.front().was_uploaded);
  const std::string jobs{run.daemon.get("/api/v1/jobs?lifecycle=relay").body()};
  CHECK(jobs.find(R"("state":"DELIVERED")") != std::string::npos);

  run.clicks(kAnna, "Скачать ещё раз");  // Telegram has the file now.
  REQUIRE(comes_true([&] { return run.chat.delivered().size() == 2; }));
  CHECK_FALSE(run.chat.delivered().back().was_uploaded);

  // A stranger who knows the button's data gets nothing but the question for access.
  run.chat.with([&](FakeTelegram& fake) { fake.deliver_click(8, message, download, "stolen"); });
  CHECK(comes_true([&] {
    bool is_answered = false;
    run.chat.with([&](FakeTelegram& fake) { is_answered = fake.answered.contains("stolen"); });
    return is_answered;
  }));
  for (const FakeDocument& each : run.chat.delivered()) CHECK(each.chat == kAnna);
  CHECK_FALSE(run.disk.leaked_token());
  CHECK(run.daemon.stop() == 0);
  CHECK(has_logged("bot_catalogue_listed"));
  for (const std::string& secret :
       {run.telegram.token, run.disk.token(), std::string{"User 7"}, std::string{"War and Peace"}})
    CHECK_FALSE_MESSAGE(has_logged(secret), secret);
}

}  // namespace haul::testing
