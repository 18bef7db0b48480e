// The bot on its own thread, with a fake Telegram and a fake Yandex Disk on loopback.

#include "app/wiring/bot.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"
#include "support/io/temp_folder.h"
#include "support/run/moment.h"
#include "support/server/fake_on_port.h"
#include "support/server/fake_telegram.h"
#include "support/server/fake_yandex.h"
#include "support/store/test_store.h"

namespace haul::app {
namespace {

using namespace haul::testing;

constexpr std::int64_t kAdminChat = 99;
constexpr std::int64_t kAnna = 7;

struct BotWires {
  TempFolder keys;
  TestFolder folder;
  std::unique_ptr<Store> store = folder.open(system_clock().now());
  WorkerId worker = store->workers().enlist("test", system_clock().now());
  flow::OwnDuties duties{*store, system_clock(), Millis{1'000}};
  Log log{system_clock(), Level::error};
  FakeYandex disk;
  FakeTelegram telegram{system_clock()};
  FakeOnPort port{[this](const io::HttpRequest& sent) { return telegram.answer(sent); }};
  std::vector<flow::LifecycleWork> work{
      {.lifecycle = &kRelay, .make_handler = {}, .expires_after = Millis{60'000}}};
  std::unique_ptr<BotService> bot;

  BotWires() {
    disk.put("disk:/Books/War and Peace.epub", {.bytes = "war"});
    disk.put("disk:/secret.txt", {.bytes = "x"});
    bot = make_bot_service({.store = *store,
                            .clock = system_clock(),
                            .log = log,
                            .duties = duties,
                            .work = work,
                            .bytes = [](JobId) { return std::optional<bot::JobBytes>{}; },
                            .wake = [] {}},
                           {.bot = {.admin = kAdminChat, .folder = "disk:/Books"},
                            .chat = {.url = port.url(), .token = telegram.token},
                            .disk = disk_settings_of(),
                            .key_file = keys.path() / "secret.key"});
  }

  yandexdisk::DiskSettings disk_settings_of() const {
    yandexdisk::DiskSettings settings;
    settings.url = disk.url();
    settings.token = disk.token();
    settings.oauth_url = disk.oauth_url();
    return settings;
  }
  // Waits until the catalogue is listed.
  bool begins() {
    duties.take_wanted(worker);
    bot->begin();
    return comes_true([&] { return store->bot().catalogue().search("war", {}).total == 1; });
  }
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

TEST_CASE("the bot lets a guest in, shows its folder of the disk, and adds what is chosen") {
  BotWires b;
  REQUIRE(b.begins());
  b.says(kAnna, "/start");
  REQUIRE(b.comes_to_show(kAnna, "Это закрытая библиотека"));
  b.clicks(kAnna, "Запросить доступ");
  REQUIRE(b.comes_to_show(kAdminChat, "Запрос доступа: User 7 (7)"));
  b.clicks(kAdminChat, "Разрешить");
  REQUIRE(b.comes_to_show(kAnna, "Доступ открыт"));
  b.says(kAnna, "/menu");
  REQUIRE(b.comes_to_show(kAnna, "Библиотека / War and Peace.epub"));
  b.clicks(kAnna, "War and Peace.epub");
  REQUIRE(b.comes_to_show(kAnna, "War and Peace.epub\n3 B / Скачать"));
  b.clicks(kAnna, "Скачать");
  REQUIRE(b.comes_to_show(kAnna, "War and Peace.epub\nВ очереди / Отменить"));

  const JobPage jobs = b.store->reader().list({.lifecycle = "relay"});
  REQUIRE(jobs.jobs.size() == 1);
  CHECK(jobs.jobs.front().expires_at.value() - jobs.jobs.front().created_at <= Millis{60'000});
  b.bot->end();
}

TEST_CASE("Z-30: without what a relay needs the bot adds nothing and says so") {
  BotWires b;
  b.work.front().not_ready = [](std::string_view) { return std::string{"configure relay.x"}; };
  REQUIRE(b.begins());
  b.says(kAdminChat, "/menu");
  REQUIRE(b.comes_to_show(kAdminChat, "Библиотека / War and Peace.epub"));
  b.clicks(kAdminChat, "War and Peace.epub");
  REQUIRE(b.comes_to_show(kAdminChat, "War and Peace.epub\n3 B"));
  b.clicks(kAdminChat, "Скачать");
  CHECK(comes_true([&] {
    bool is_told = false;
    b.port.with(
        [&] { is_told = b.telegram.answered["click2"].starts_with("Сейчас это невозможно"); });
    return is_told;
  }));
  CHECK(b.store->reader().list({.lifecycle = "relay"}).jobs.empty());
  b.bot->end();
}

TEST_CASE("a process without the duty does not poll") {
  BotWires b;
  const WorkerId other = b.store->workers().enlist("other", system_clock().now());
  REQUIRE((b.store->duties().take("bot", other, {}).holder == other));
  b.duties.take_wanted(b.worker);
  b.bot->begin();
  b.bot->end();
  CHECK(b.telegram.polls == 0);
}

}  // namespace haul::app
