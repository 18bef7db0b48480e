#pragma once
// The Telegram bot: asks for updates by long polling, handles them, sends its calls, shows progress
// and keeps the catalogue fresh. Its owner calls tick() again and again while it has the duty; the
// network is the loop's.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/mutex.h"
#include "bot/outbox.h"
#include "bot/progress.h"
#include "bot/reception.h"
#include "bot/sync.h"
#include "io/web/http.h"

namespace haul::bot {

struct BotSettings {
  telegram::BotAccess access;
  std::int64_t admin = 0;  // Telegram's id of the administrator. Zero: there is none.
  Millis access_for{30LL * 86'400'000};
  std::string root = "disk:/";  // The folder that the catalogue shows.
  Millis poll_for{25'000};      // How long Telegram holds a poll open. At most 50 s.
  Millis sync_every{15 * 60'000};
  Millis lease{30'000};  // A worker that is silent for longer has lost its relays.
};

struct BotNotice {
  bool is_warning = false;
  std::string event;  // snake_case
  std::string detail{};
};

struct BotParts {
  Store& store;
  const Clock& clock;
  io::HttpLoop& loop;  // Outlives the bot.
  AddRelay add;
  BytesOf bytes;
  ListFolder list;
  // Why relays are held back: the disk or the chat refuses haul. Nothing if they are not.
  std::function<std::optional<Fault>()> held_by = [] { return std::optional<Fault>{}; };
  // Whether this process still has the duty. Asked before each update.
  std::function<bool()> may_go_on = [] { return true; };
  std::function<void(const BotNotice&)> say = [](const BotNotice&) {};
};

class Bot {
 public:
  Bot(BotParts parts, BotSettings settings);
  ~Bot();
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;

  // Does all that can be done now and never waits for the network. Does nothing while the store is
  // restored from a backup (Z-31).
  void tick();
  // Returns when an answer came, or when the time is up.
  void wait(Millis at_most);

 private:
  struct PollReply {
    telegram::BotReply reply;
  };
  struct SendReply {
    std::int64_t number = 0;
    telegram::BotReply reply;
  };
  struct ListReply {
    Result<ListedPage> page;
  };
  using Letter = std::variant<PollReply, SendReply, ListReply>;
  // Answers come on other threads, and may come when the bot is gone.
  struct Mailbox {
    Mutex mutex;
    Condition came;
    std::deque<Letter> letters GUARDED_BY(mutex);

    void put(Letter letter);
    std::deque<Letter> take();
  };

  static constexpr int kPollLimit = 100;

  void see(const PollReply& poll);
  void see(const SendReply& sent);
  void see(const ListReply& listed);
  void see_poll_fault(const telegram::ChatFault& fault);
  // Whether the next poll can get further.
  bool see_too_long();
  void handle(const telegram::BotUpdate& update);
  void poll();
  void send();
  void list();
  void keep_house();
  // Z-14: tells the administrator when relays begin to be held back.
  void see_hold();
  void put_out(std::vector<OutCall> calls);
  void call(const telegram::BotCall& call, std::function<Letter(telegram::BotReply)> as_letter);

  const BotParts parts_;
  const BotSettings settings_;
  // Lives on the loop's thread.
  std::shared_ptr<std::unique_ptr<telegram::BotApi>> api_;
  const std::shared_ptr<Mailbox> mail_ = std::make_shared<Mailbox>();
  Reception reception_;
  ProgressPosts progress_;
  CatalogueSync sync_;
  Outbox outbox_;
  std::deque<Letter> letters_;
  bool is_polling_ = false;
  bool is_listing_ = false;
  int poll_faults_ = 0;
  int poll_limit_ = kPollLimit;  // Fewer updates after an answer that was too long.
  std::string trouble_;          // The code of the last poll's fault.
  std::string hold_;             // The code of the fault that the administrator was told of last.
  Steady poll_at_{};
  Steady polled_at_{};
  Steady sync_at_{};
  Steady show_at_{};
  Steady house_at_{};
};

}  // namespace haul::bot
