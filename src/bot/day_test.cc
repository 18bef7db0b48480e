// One day of the bot in virtual time: 50 users, redelivered and reordered updates, flood waits,
// lost answers and restarts.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <random>
#include <set>

#include "base/json.h"
#include "support/server/bot_scene.h"

namespace haul::bot {
namespace {

using testing::BotStage;
using testing::FakeDocument;
using Verb = Press::Verb;

constexpr std::int64_t kFirstUser = 1'001;
constexpr int kUsers = 50;
constexpr Millis kDay{24LL * 3'600'000};

std::string field(const std::string& request, std::string_view name) {
  const std::vector<JsonField> fields = read_object(request).value();
  for (const JsonField& each : fields)
    if (each.name == name) return each.text;
  return {};
}

class Day : public BotStage {
 public:
  explicit Day(unsigned seed) : BotStage{{.access_for = Millis{5LL * 3'600'000}}}, random_{seed} {
    for (int folder = 0; folder < 5; ++folder) {
      const std::string name = fmt::format("Shelf {}", folder);
      put("disk:/", name, true);
      for (int i = 0; i < 30; ++i) put("disk:/" + name, fmt::format("Tome {}-{}.pdf", folder, i));
    }
  }

  std::map<std::int64_t, std::size_t> texts_said;  // By user.
  std::set<std::int64_t> ever_approved;
  std::vector<std::string> wrong;
  std::map<std::string, int> sent_by_click;
  std::size_t redelivered = 0;

  void live_it() {
    const Time end = clock.now() + kDay;
    while (clock.now() < end) {
      for (int i = one_of(8); i > 0; --i) act();
      trouble();
      clock.pass(Millis{one_of(90) * 1'000});
      for (int i = 0; i < 2; ++i) {
        clock.pass(Millis{1'000});
        beat();
      }
      work();
    }
    for (int i = 0; i < 200; ++i) {
      clock.pass(Millis{1'000});
      beat();
      work();
    }
  }

 private:
  int one_of(int count) { return std::uniform_int_distribution<int>{0, count - 1}(random_); }
  // The bot wakes whenever a call may go out.
  void beat() {
    for (int i = 0; i < 5; ++i) {
      bot().tick();
      loop.run();
      clock.pass(Millis{40});
    }
  }

  void act() {
    const std::int64_t user = kFirstUser + one_of(kUsers);
    const int what = one_of(20);
    if (what < 3) return say(user, what == 0 ? "/start" : "/menu");
    if (what == 3) return say(user, fmt::format("tome {}", one_of(5)));
    if (what == 4) return forge(user);
    if (what == 5) return say(user, "/status");
    if (what < 9) return administer();
    click_any(user);
  }
  void say(std::int64_t user, const std::string& text) {
    ++texts_said[user];
    telegram.deliver_text(user, text);
  }
  // A button that the bot never gave this user.
  void forge(std::int64_t user) {
    const Press press{static_cast<Verb>(one_of(8)), one_of(2) == 0 ? user : one_of(200), 0};
    telegram.deliver_click(user, telegram.newest(user), to_data(press));
  }
  void click_any(std::int64_t user) {
    const std::int64_t message = telegram.newest(user);
    const auto buttons = telegram.buttons(user, message);
    if (buttons.empty()) return;
    const auto any = static_cast<std::size_t>(one_of(static_cast<int>(buttons.size())));
    const bool is_file = buttons.front().first == "Скачать" && one_of(3) > 0;
    const std::string& data = buttons[is_file ? 0 : any].second;
    const std::string click = fmt::format("press{}", ++clicks_);
    telegram.deliver_click(user, message, data, click);
    if (one_of(5) == 0) telegram.deliver_click(user, message, data, click);
  }
  // The administrator answers the newest requests, and now and then closes an access.
  void administer() {
    const auto waiting = store->bot().guests().list(GuestState::pending, 0, 1'000);
    for (const BotGuest& guest : waiting)
      decide_on(guest.id, guest.id % 10 == 0 ? Verb::deny : Verb::approve);
    if (one_of(10) == 0) decide_on(kFirstUser + one_of(kUsers), Verb::deny);
  }
  void decide_on(std::int64_t guest, Verb verb) {
    telegram.deliver_click(kAdminChat, telegram.newest(kAdminChat), to_data({verb, guest, 0}));
  }

  void trouble() {
    const std::int64_t user = kFirstUser + one_of(kUsers);
    constexpr const char* kMethods[] = {"sendMessage", "editMessageText", "answerCallbackQuery"};
    const std::string method = kMethods[one_of(3)];
    switch (one_of(25)) {
      case 0:
        return telegram.flood(user, 1 + one_of(90));
      case 1:
        return telegram.lose_next(method);
      case 2:
        return telegram.fail_next(method, testing::telegram_fault(500, "Internal Server Error"));
      case 3:
        ++redelivered;
        return telegram.deliver_again();
      case 4:
        return telegram.fail_next("getUpdates", {.status = 502, .body = "<html>"});
      case 5:
        kill();
        return start();
      default:
        return;
    }
  }

  // The relay's worker: lets old jobs expire, then sends what may start.
  void work() {
    for (const BotGuest& guest : store->bot().guests().list(GuestState::active, 0, 1'000))
      ever_approved.insert(guest.id);
    for (const Job& job : store->reader().expired(clock.now(), 100)) {
      const Ask ask{.version = job.version, .on = On::expire, .by = By::timer};
      (void)store->jobs().move({&ask, 1}, clock.now());
    }
    for (int i = one_of(4); i > 0; --i)
      if (const JobId job = claim()) relay(job);
  }
  void relay(JobId id) {
    const std::string request = store->reader().request(id).value();
    if (!move(id, On::start)) {
      (void)move(id, On::fail, "user_inactive");
      return;
    }
    const std::int64_t chat = std::stoll(field(request, "chat_id"));
    const auto guest = store->bot().guests().find(chat);
    const bool may = guest && guest->state == GuestState::active &&
                     (!guest->until || *guest->until > clock.now());
    if (!may) wrong.push_back(fmt::format("job {} started without access", id.value));
    if (one_of(10) == 0) {
      (void)move(id, On::fail, "too_large");
      return;
    }
    (void)move(id, On::stream);
    telegram.take_document({.chat = chat, .name = field(request, "file_id")});
    ++sent_by_click[field(request, "nonce")];
    (void)move(id, On::ack);
  }

  std::mt19937 random_;
  int clicks_ = 0;
};

}  // namespace

TEST_CASE("S3-20, Z-13: one day with 50 users: nothing is sent twice, nothing without access") {
  Day day{20'261'117};
  day.live_it();

  CHECK(day.wrong.empty());
  CHECK(day.telegram.documents.size() > 100);
  for (const auto& [click, count] : day.sent_by_click)
    CHECK_MESSAGE(count == 1, click << " was sent " << count << " times");
  for (const FakeDocument& document : day.telegram.documents)
    CHECK(day.ever_approved.contains(document.chat));
  CHECK(day.telegram.early == 0);
  CHECK(day.redelivered > 20);

  std::map<std::int64_t, std::size_t> messages;
  for (const auto& [key, text] : day.telegram.texts) {
    ++messages[key.first];
    const bool names_a_file = text.text.find("Tome") != std::string::npos ||
                              text.markup.find("Shelf") != std::string::npos;
    if (key.first != BotStage::kAdminChat && !day.ever_approved.contains(key.first))
      CHECK_FALSE(names_a_file);
  }
  CHECK(day.ever_approved.size() > 30);
  // A message answers a text, or tells of an approval or its end, or stands in for one that a
  // forged click names and that does not exist.
  for (std::int64_t user = kFirstUser; user < kFirstUser + kUsers; ++user)
    CHECK(messages[user] <= day.texts_said[user] + 30);
}

}  // namespace haul::bot
