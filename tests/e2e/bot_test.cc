// The bot of a real daemon, with a fake Telegram and a fake Yandex Disk on loopback.

#include <doctest/doctest.h>

#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/server/fake_on_port.h"
#include "support/server/fake_telegram.h"
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

}  // namespace haul::testing
