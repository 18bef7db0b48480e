#include "bot/bot.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <memory>
#include <utility>

#include "support/server/bot_scene.h"

namespace haul::bot {
namespace {

using testing::BotStage;

constexpr std::int64_t kAnna = 7;
constexpr const char* kFile = "Война и мир.epub";

// Anna has access and looks at the file.
struct AtFile : BotStage {
  AtFile() {
    admit(kAnna);
    says(kAnna, "/menu");
    clicks(kAnna, "📁 Books");
    clicks(kAnna, kFile);
  }
  std::string shown() { return telegram.shown(kAnna); }
};

// A store whose next read of the newest update may fail.
class ShakyUpdates final : public BotUpdates {
 public:
  explicit ShakyUpdates(BotUpdates& updates) : updates_{updates} {}
  bool fails = false;

  bool is_handled(std::int64_t id) override { return updates_.is_handled(id); }
  void handled(std::int64_t id, Time now) override { updates_.handled(id, now); }
  std::int64_t next(Time since) override {
    if (std::exchange(fails, false)) throw StoreFault{StoreFault::Kind::busy, "as the test said"};
    return updates_.next(since);
  }
  std::size_t prune(Time before, std::size_t limit) override {
    return updates_.prune(before, limit);
  }

 private:
  BotUpdates& updates_;
};

class ShakyRows final : public BotRows {
 public:
  explicit ShakyRows(BotRows& rows) : rows_{rows}, shaky_{rows.updates()} {}

  BotGuests& guests() override { return rows_.guests(); }
  BotCatalogue& catalogue() override { return rows_.catalogue(); }
  BotPosts& posts() override { return rows_.posts(); }
  ShakyUpdates& updates() override { return shaky_; }

 private:
  BotRows& rows_;
  ShakyUpdates shaky_;
};

class ShakyStore final : public Store {
 public:
  explicit ShakyStore(std::unique_ptr<Store> store)
      : store_{std::move(store)}, rows_{store_->bot()} {}

  Jobs& jobs() override { return store_->jobs(); }
  Reader& reader() override { return store_->reader(); }
  Items& items() override { return store_->items(); }
  Events& events() override { return store_->events(); }
  Workers& workers() override { return store_->workers(); }
  Intents& intents() override { return store_->intents(); }
  Catalog& catalog() override { return store_->catalog(); }
  Users& users() override { return store_->users(); }
  Access& access() override { return store_->access(); }
  Ledger& ledger() override { return store_->ledger(); }
  Limits& limits() override { return store_->limits(); }
  Manifest& manifest() override { return store_->manifest(); }
  Purges& purges() override { return store_->purges(); }
  Deliveries& deliveries() override { return store_->deliveries(); }
  Identity& identity() override { return store_->identity(); }
  Uptime& uptime() override { return store_->uptime(); }
  Duties& duties() override { return store_->duties(); }
  Sealed& sealed() override { return store_->sealed(); }
  void begin_outage() override { store_->begin_outage(); }
  void end_outage() override { store_->end_outage(); }
  bool in_outage() const override { return store_->in_outage(); }
  ShakyRows& bot() override { return rows_; }

 private:
  std::unique_ptr<Store> store_;
  ShakyRows rows_;
};

}  // namespace

TEST_CASE("a guest asks, the administrator approves with a button, and the guest is a user") {
  BotStage s;
  s.says(kAnna, "/start");
  CHECK(s.telegram.shown(kAnna) == "Это закрытая библиотека. Запросите доступ. / Запросить доступ");
  s.clicks(kAnna, "Запросить доступ");
  CHECK(s.telegram.shown(BotStage::kAdminChat) ==
        "Запрос доступа: User 7 (7) / Разрешить | Отклонить");
  CHECK(s.store->bot().guests().find(kAnna)->state == GuestState::pending);

  s.clicks(BotStage::kAdminChat, "Разрешить");
  CHECK(s.telegram.shown(BotStage::kAdminChat) == "Доступ открыт: User 7 (7)");
  CHECK(s.telegram.shown(kAnna) == "Доступ открыт. Библиотека: /menu");
  const auto user = s.store->users().find(s.user_of(kAnna));
  REQUIRE(user);
  CHECK(user->name == "telegram:7");
  CHECK(user->role == Role::adder);
}

TEST_CASE("Z-16: what the administrator decides about a guest is in the audit log, once") {
  BotStage s;
  const auto audited = [&] {
    std::string out;
    for (const AuditEntry& entry : s.store->ledger().audits(0, 100))
      out += fmt::format("{}: {}\n", entry.action, entry.detail);
    return out;
  };
  s.says(kAnna, "/start");
  s.clicks(kAnna, "Запросить доступ");
  CHECK(audited().empty());
  const std::int64_t message = s.telegram.newest(BotStage::kAdminChat);
  const auto decides = [&](Press::Verb verb) {
    s.telegram.deliver_click(BotStage::kAdminChat, message, to_data({verb, kAnna, 0}), "");
    s.live(3);
  };

  decides(Press::Verb::deny);
  const std::string blocked = "BOT_GUEST_BLOCKED: guest 7\n";
  CHECK(audited() == blocked);
  decides(Press::Verb::deny);  // It changes nothing.
  CHECK(audited() == blocked);

  decides(Press::Verb::approve);
  const std::string of_user = fmt::format(": guest 7, user {}\n", s.user_of(kAnna).value);
  CHECK(audited() == blocked + "BOT_GUEST_APPROVED" + of_user);
  decides(Press::Verb::deny);
  CHECK(audited() == blocked + "BOT_GUEST_APPROVED" + of_user + "BOT_GUEST_BLOCKED" + of_user);
}

TEST_CASE("folders are opened and files are found by a part of their names") {
  AtFile s;
  CHECK(s.shown() == "Война и мир.epub\n1.0 KB / Скачать | « Назад");
  s.clicks(kAnna, "« Назад");
  CHECK(s.shown() == "Books / Война и мир.epub | « Назад | В начало");
  s.says(kAnna, "МИР");
  CHECK(s.shown() == "Найдено: 1 / Война и мир.epub | В начало");
  s.says(kAnna, "nothing");
  CHECK(s.shown() == "Ничего не найдено. / В начало");
}

TEST_CASE("Z-13, S3-10: a redelivered click is the same job, and a new click a new one") {
  AtFile s;
  s.clicks(kAnna, "Скачать", "click-a");
  REQUIRE(s.jobs().size() == 1);
  CHECK(s.jobs().front().owner == s.user_of(kAnna));
  CHECK(s.telegram.answered["click-a"] == "Добавлено в очередь");

  s.telegram.deliver_again();
  s.live(5);
  CHECK(s.jobs().size() == 1);

  // Another update with the same click, as after a crash of the bot.
  const std::int64_t message = s.telegram.newest(kAnna);
  const std::int64_t entry = s.store->bot().catalogue().search("мир", {}).entries.front().id.value;
  s.telegram.deliver_click(kAnna, message, to_data({Press::Verb::download, entry, 0}), "click-a");
  s.live(3);
  CHECK(s.jobs().size() == 1);
  s.telegram.deliver_click(kAnna, message, to_data({Press::Verb::download, entry, 0}), "click-b");
  s.live(3);
  CHECK(s.jobs().size() == 2);
}

TEST_CASE("S3-17: progress is one message, edited on change and at most every three seconds") {
  AtFile s;
  const std::int64_t message = s.telegram.newest(kAnna);
  s.clicks(kAnna, "Скачать");
  CHECK(s.shown() == "Война и мир.epub\nВ очереди / Отменить");
  const JobId job = s.claim();
  REQUIRE(s.move(job, On::start));
  REQUIRE(s.move(job, On::stream));
  for (int i = 1; i <= 60; ++i) {
    s.bytes[job] = {.have = i * 10, .size = 1'000};
    s.live(1);
  }
  CHECK(s.shown().find("Загрузка: ") != std::string::npos);
  const int edits = s.telegram.texts.at({kAnna, message}).edits;
  s.live(30);
  CHECK(s.telegram.texts.at({kAnna, message}).edits <= edits + 1);
  REQUIRE(s.move(job, On::ack));
  s.live(5);
  CHECK(s.shown() == "Война и мир.epub\nГотово / Скачать ещё раз | « Назад");

  CHECK(s.telegram.newest(kAnna) == message);
  const auto& changes = s.telegram.texts.at({kAnna, message}).changes;
  CHECK(changes.size() >= 20);
  for (std::size_t i = changes.size() - 10; i < changes.size(); ++i)
    CHECK(changes[i] - changes[i - 1] >= Millis{3'000});
  CHECK(s.store->bot().posts().list({}, 10).empty());
}

TEST_CASE("S3-17: a failure is told in plain words, and the administrator gets its reason once") {
  AtFile s;
  s.clicks(kAnna, "Скачать");
  const JobId job = s.claim();
  REQUIRE(s.move(job, On::start));
  REQUIRE(s.move(job, On::fail, "disk_unauthorised"));
  s.live(5);
  CHECK(s.shown() ==
        "Война и мир.epub\nОшибка: не удалось отправить файл / Скачать ещё раз | « Назад");
  CHECK(s.telegram.shown(BotStage::kAdminChat) == "Не доставлено: задание 1: disk_unauthorised");
  const std::size_t calls = s.telegram.calls.size();
  s.live(60);
  CHECK(s.telegram.calls.size() == calls);
}

TEST_CASE("A3-8: a relay is cancelled with a button while it is queued, not later") {
  AtFile s;
  s.clicks(kAnna, "Скачать");
  const std::string cancel = s.telegram.button(kAnna, "Отменить");
  s.clicks(kAnna, "Отменить", "c1");
  CHECK(s.telegram.answered["c1"] == "Отменено");
  CHECK(s.state(JobId{1}) == "CANCELLED");
  s.live(3);
  CHECK(s.shown() == "Война и мир.epub\nОтменено / Скачать ещё раз | « Назад");

  s.clicks(kAnna, "Скачать ещё раз");
  const JobId job = s.claim();
  s.telegram.deliver_click(kAnna, s.telegram.newest(kAnna), s.telegram.button(kAnna, "Отменить"),
                           "c2");
  s.live(3);
  CHECK(s.telegram.answered["c2"] == "Поздно: файл уже отправляется.");
  CHECK(s.state(job) == "CLAIMED");
}

TEST_CASE("S3-20: a full queue is refused in words that the user understands") {
  AtFile s;
  s.refusal = Refusal{RefusalKind::guarded, "user_queue_full", ""};
  s.clicks(kAnna, "Скачать", "c1");
  CHECK(s.telegram.answered["c1"] == "У вас слишком много файлов в очереди.");
  s.refusal->code = "not_configured";
  s.clicks(kAnna, "Скачать", "c2");
  CHECK(s.telegram.answered["c2"] == "Сейчас это невозможно. Попробуйте позже.");
  CHECK(s.jobs().empty());
}

TEST_CASE("S3-3: a blocked guest's queued relay does not start, and nothing is shown to them") {
  AtFile s;
  s.clicks(kAnna, "Скачать");
  s.says(BotStage::kAdminChat, "/start");
  s.telegram.deliver_click(BotStage::kAdminChat, s.telegram.newest(BotStage::kAdminChat),
                           to_data({Press::Verb::deny, kAnna, 0}));
  s.live(3);
  CHECK(s.store->users().find(s.user_of(kAnna))->status == UserStatus::blocked);
  CHECK_FALSE(s.move(s.claim(), On::start));
  const std::size_t texts = s.telegram.texts.size();
  s.says(kAnna, "/menu");
  CHECK(s.telegram.texts.size() == texts);
}

TEST_CASE("an approval ends after its time, and the guest may ask again") {
  BotStage s{{.access_for = Millis{3'600'000}}};
  s.admit(kAnna);
  s.says(kAnna, "/menu");
  CHECK(s.telegram.shown(kAnna) == "Библиотека / 📁 Books");
  s.after(Millis{3'600'000});
  s.after(Millis{60'000}).live(2);
  CHECK(s.store->bot().guests().find(kAnna)->state == GuestState::expired);
  CHECK(s.store->users().find(s.user_of(kAnna))->status == UserStatus::blocked);
  CHECK(s.telegram.shown(kAnna) == "Срок доступа истёк. Запросите его снова. / Запросить доступ");
  s.clicks(kAnna, "Запросить доступ");
  s.clicks(BotStage::kAdminChat, "Разрешить");
  s.says(kAnna, "/menu");
  CHECK(s.telegram.shown(kAnna) == "Библиотека / 📁 Books");
}

TEST_CASE("a guest is warned a day before the access ends, once, also after a restart") {
  BotStage s;
  const auto warnings = [&] {
    int count = 0;
    for (const auto& [place, sent] : s.telegram.texts)
      count +=
          place.first == kAnna && sent.text.starts_with("Доступ закончится через 24 ч.") ? 1 : 0;
    return count;
  };
  s.admit(kAnna);
  const Time until = s.store->bot().guests().find(kAnna)->until.value();
  s.clock.pass(until - s.clock.now() - std::chrono::hours{24} - Millis{1});
  s.run();
  CHECK(warnings() == 0);
  s.after(Millis{60'000});
  s.live(3);
  CHECK(warnings() == 1);

  s.kill();
  s.start();
  s.live(65);
  CHECK(warnings() == 1);

  s.after(std::chrono::hours{24});
  s.live(3);
  s.clicks(kAnna, "Запросить доступ");
  s.clicks(BotStage::kAdminChat, "Разрешить");
  s.after(std::chrono::hours{24} * 29 + std::chrono::minutes{1});
  s.live(3);
  CHECK(warnings() == 2);
}

TEST_CASE("the warning is in the guest's language, and an access of a day ends without one") {
  BotStage s;
  s.telegram.deliver_text(kAnna, "/start", "en");
  s.live(3);
  s.clicks(kAnna, "Ask for access");
  s.clicks(BotStage::kAdminChat, "Разрешить");
  s.after(std::chrono::hours{24} * 29 + std::chrono::minutes{1});
  s.live(3);
  CHECK(s.telegram.shown(kAnna) ==
        "Your access ends in 24 h. After that you can ask for it again.");

  BotStage brief{{.access_for = std::chrono::hours{24}}};
  brief.admit(kAnna);
  brief.after(std::chrono::hours{12});
  brief.live(65);
  CHECK(brief.telegram.shown(kAnna) == "Доступ открыт. Библиотека: /menu");
}

TEST_CASE("Z-14: the administrator is told once that relays are held back, and why") {
  BotStage s;
  s.held_by = Fault{FaultKind::environment, "disk_unauthorised", "the disk refuses the token"};
  const std::string alert =
      "Файлы не отправляются, задания ждут: disk_unauthorised: the disk refuses the token";
  s.live(120);
  CHECK(s.telegram.shown(BotStage::kAdminChat) == alert);
  CHECK(s.telegram.texts.size() == 1);

  s.held_by.reset();
  s.live(3);
  s.held_by = Fault{FaultKind::environment, "disk_unauthorised", "the disk refuses the token"};
  s.live(3);
  CHECK(s.telegram.texts.size() == 2);
}

TEST_CASE("updates that are too long for one answer are asked for in smaller parts") {
  BotStage s;
  const std::string large(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 20; ++i) s.telegram.deliver_text(kAnna, large);
  s.says(kAnna, "/start");
  s.live(30);
  CHECK(s.telegram.waiting() <= 1);
  CHECK(s.telegram.shown(kAnna).starts_with("Это закрытая библиотека"));
  CHECK(s.notices.end() == std::ranges::find(s.notices, "bot_cannot_poll"));
  CHECK(s.notices.end() != std::ranges::find(s.notices, "bot_updates_too_long"));
}

TEST_CASE("one update that is too long alone is skipped, and those after it are handled") {
  BotStage s;
  s.says(kAnna, "/start");
  const Fault too_long{FaultKind::retryable, "too_long", "as scripted"};
  constexpr int kAsks = 4;  // For 100, 25, 6 and 1.
  for (int i = 0; i < kAsks; ++i) s.telegram.fail_next("getUpdates", {.fault = too_long});
  s.telegram.deliver_text(kAnna, "huge");
  s.telegram.deliver_text(8, "/start");
  s.live(5);

  CHECK(std::ranges::count(s.notices, "bot_updates_too_long") == kAsks - 1);
  CHECK(std::ranges::count(s.notices, "bot_update_skipped") == 1);
  CHECK(s.telegram.shown(8).starts_with("Это закрытая библиотека"));
  CHECK(s.telegram.waiting() <= 1);
}

TEST_CASE("the offset confirms an update only after it was handled") {
  BotStage s;
  s.has_duty = false;  // Another process has taken the bot over.
  s.says(kAnna, "/start");
  CHECK(s.telegram.waiting() == 1);
  CHECK(s.telegram.texts.empty());
  s.has_duty = true;
  s.live(2);
  CHECK(s.telegram.texts.size() == 1);
  CHECK(s.telegram.waiting() == 0);
}

TEST_CASE("after a poll that the store prevented the bot polls again") {
  BotStage s;
  s.kill();
  auto shaky = std::make_unique<ShakyStore>(std::move(s.store));
  bool& fails = shaky->bot().updates().fails;
  s.store = std::move(shaky);
  s.start();
  fails = true;
  CHECK_THROWS_AS(s.bot().tick(), StoreFault);
  s.says(kAnna, "/start");
  CHECK(s.telegram.texts.size() == 1);
}

TEST_CASE("another poller, a wrong token and a silent Telegram are waited out and told once") {
  BotStage s;
  const std::size_t polls = s.telegram.polls;
  for (int i = 0; i < 3; ++i)
    s.telegram.fail_next("getUpdates",
                         testing::telegram_fault(409,
                                                 "Conflict: terminated by other getUpdates "
                                                 "request"));
  s.live(35);
  CHECK(s.notices ==
        std::vector<std::string>{"bot_cannot_poll", "bot_catalogue_listed", "bot_polls_again"});
  CHECK(s.telegram.polls > polls + 3);
  s.telegram.token = "1:other";
  const std::size_t before = s.telegram.calls.size();
  s.live(200);
  CHECK(s.notices.back() == "bot_cannot_poll");
  CHECK(s.notices.size() == 4);
  CHECK(s.telegram.calls.size() == before);
}

TEST_CASE("Z-31: with a restored store the bot does nothing until an admin clears that") {
  BotStage s;
  s.store->identity().mark_restored(s.clock.now());
  s.live(2);
  s.says(kAnna, "/start");
  CHECK(s.telegram.texts.empty());
  s.store->identity().clear_restored(kAdmin, s.clock.now());
  s.live(5);
  CHECK(s.telegram.texts.size() == 1);
}

TEST_CASE("S3-18: the administrator sees the queue; a denied attempt is in the audit log") {
  AtFile s;
  s.clicks(kAnna, "Скачать");
  s.says(BotStage::kAdminChat, "/status");
  CHECK(s.telegram.shown(BotStage::kAdminChat) ==
        "В очереди: 1\nQUEUED: 1\nЗависли (stuck): 0\nНет работающих воркеров");
  s.says(kAnna, "/status");
  CHECK(s.shown() == "Эта команда только для администратора.");
  const auto audits = s.store->ledger().audits(0, 100);
  REQUIRE_FALSE(audits.empty());
  CHECK(audits.back().action == "BOT_DENIED");
}

TEST_CASE("S3-6: a relay whose worker has not beaten for longer than its lease is stuck") {
  AtFile s;
  s.clicks(kAnna, "Скачать");
  REQUIRE(s.claim());
  s.after(Millis{30'000});
  CHECK(status_of(*s.store, s.clock.now(), Millis{30'000}).stuck == 0);
  s.after(Millis{1});
  CHECK(status_of(*s.store, s.clock.now(), Millis{30'000}).stuck == 1);
}

TEST_CASE("S3-6, A3-5: /status counts stuck relays by the lease that is configured") {
  BotStage s{{.lease = Millis{120'000}}};
  s.admit(kAnna);
  s.says(kAnna, "мир");
  s.clicks(kAnna, kFile);
  s.clicks(kAnna, "Скачать");
  REQUIRE(s.claim());
  s.after(Millis{60'000});
  s.says(BotStage::kAdminChat, "/status");
  CHECK(s.telegram.shown(BotStage::kAdminChat).find("Зависли (stuck): 0") != std::string::npos);
  s.after(Millis{60'000});
  s.says(BotStage::kAdminChat, "/status");
  CHECK(s.telegram.shown(BotStage::kAdminChat).find("Зависли (stuck): 1") != std::string::npos);
}

}  // namespace haul::bot
