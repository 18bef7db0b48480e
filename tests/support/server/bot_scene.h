#pragma once
// The bot with a fake Telegram, a fake disk and a clock that the test turns.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bot/bot.h"
#include "lifecycle/tables.h"
#include "store/open.h"
#include "support/flow/script.h"
#include "support/io/fake_loop.h"
#include "support/server/fake_telegram.h"
#include "support/store/test_store.h"

namespace haul::testing {

class BotStage {
 public:
  static constexpr std::int64_t kAdminChat = 99;

  explicit BotStage(bot::BotSettings settings = {}) : settings_{std::move(settings)} {
    loop.server = [this](const io::HttpRequest& sent) { return telegram.answer(sent); };
    put("disk:/", "Books", true);
    put("disk:/Books", "Война и мир.epub");
    settings_.access = {.url = "http://telegram.test", .token = telegram.token};
    settings_.admin = kAdminChat;
    start();
  }
  ~BotStage() { kill(); }
  BotStage(const BotStage&) = delete;
  BotStage& operator=(const BotStage&) = delete;

  HandClock clock;
  FakeTelegram telegram{clock};
  FakeLoop loop{clock};
  std::unique_ptr<Store> store = open_test_store(clock.now());
  std::map<std::string, std::vector<bot::ListedPage::Entry>> disk;
  std::map<JobId, bot::JobBytes> bytes;
  std::vector<std::string> notices;
  std::optional<Refusal> refusal;  // Of every new job.
  bool has_duty = true;
  std::optional<Fault> held_by;  // Holds relays back.

  // The process ends, and another one begins.
  void kill() {
    loop.is_closing = true;
    bot_.reset();
    loop.is_closing = false;
  }
  void start() { bot_.emplace(parts(), settings_); }
  bot::Bot& bot() { return *bot_; }

  // Runs the bot until it has nothing to do at this moment.
  void run() {
    for (int i = 0; i < 4; ++i) {
      bot_->tick();
      loop.run();
    }
    bot_->tick();
  }
  BotStage& after(Millis passed) {
    clock.pass(passed);
    run();
    return *this;
  }
  // The same in steps of a second.
  BotStage& live(int seconds) {
    for (int i = 0; i < seconds; ++i) after(Millis{1'000});
    return *this;
  }

  void says(std::int64_t user, const std::string& text) {
    telegram.deliver_text(user, text);
    live(3);
  }
  // Clicks the button of the user's newest message that has it.
  void clicks(std::int64_t user, const std::string& label, const std::string& click = "") {
    const std::int64_t message = telegram.newest(user);
    telegram.deliver_click(user, message, telegram.button(user, message, label), click);
    live(3);
  }
  // The user has access from now on.
  void admit(std::int64_t user) {
    says(user, "/start");
    clicks(user, "Запросить доступ");
    clicks(kAdminChat, "Разрешить");
  }

  // The relay's worker, by hand: claims a queued job. Zero if there is none.
  JobId claim() {
    if (!worker_) worker_ = store->workers().enlist("relay", clock.now());
    const auto claims =
        store->jobs().claim({.lifecycle = &kRelay, .worker = worker_, .limit = 1}, clock.now());
    return claims.empty() ? JobId{} : claims.front().version.id;
  }
  // Asks for a move of a claimed job. Whether it was granted.
  bool move(JobId id, On on, const std::string& reason = "") {
    const Job job = store->reader().find(id).value();
    Ask ask{.version = job.version, .on = on, .worker = worker_, .reason = reason};
    if (on == On::ack) ask.proof = {Proof::ack, R"({"message_id":1})"};
    return store->jobs().move({&ask, 1}, clock.now()).front().has_value();
  }
  std::string state(JobId id) {
    return std::string{store->reader().find(id).value().version.state};
  }
  std::vector<Job> jobs() {
    return store->reader().list({.lifecycle = "relay", .limit = 1'000}).jobs;
  }
  UserId user_of(std::int64_t guest) { return store->bot().guests().find(guest).value().user; }

  void put(const std::string& folder, const std::string& name, bool is_folder = false) {
    const std::string path = folder + (folder.ends_with('/') ? "" : "/") + name;
    disk[folder].push_back({path, name, is_folder, is_folder ? 0 : 1'000});
  }

 private:
  bot::BotParts parts() {
    return {
        .store = *store,
        .clock = clock,
        .loop = loop,
        .add = [this](const flow::AddRequest& to_add, Time now) -> std::expected<Added, Refusal> {
          if (refusal) return std::unexpected{*refusal};
          return flow::add(*store, to_add, now);
        },
        .bytes = [this](JobId job) -> std::optional<bot::JobBytes> {
          const auto found = bytes.find(job);
          return found == bytes.end() ? std::nullopt : std::optional{found->second};
        },
        .list =
            [this](const bot::ListRequest& ask, const bot::ListThen& then) {
              bot::ListedPage page{.entries = {}, .total = disk[ask.path].size()};
              for (std::size_t i = ask.offset; i < std::min(page.total, ask.offset + ask.limit);
                   ++i)
                page.entries.push_back(disk[ask.path][i]);
              then(std::move(page));
            },
        .held_by = [this] { return held_by; },
        .may_go_on = [this] { return has_duty; },
        .say = [this](const bot::BotNotice& notice) { notices.push_back(notice.event); }};
  }

  bot::BotSettings settings_;
  std::optional<bot::Bot> bot_;
  WorkerId worker_;
};

}  // namespace haul::testing
