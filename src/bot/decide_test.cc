#include "bot/decide.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "lifecycle/tables.h"

namespace haul::bot {
namespace {

using telegram::BotUpdate;
using Verb = Press::Verb;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);
constexpr DecideSettings kSettings{.admin = 99, .access_for = Millis{1'000}};

BotUpdate said(const std::string& text) {
  return {.id = 1, .from = 7, .chat = 7, .name = "Anna", .language = "en", .text = text};
}
BotUpdate clicked(const Press& press) {
  return {.id = 1,
          .from = 7,
          .chat = 7,
          .name = "Anna",
          .language = "en",
          .callback = "cb1",
          .data = to_data(press),
          .message = 5};
}

BotFacts facts_of(Standing standing) {
  BotFacts facts{.standing = standing, .language = Language::english};
  facts.guest = BotGuest{.id = 7, .name = "Anna", .language = "en"};
  facts.user = UserId{3};
  facts.entry = BotEntry{.id = EntryId{12},
                         .parent = EntryId{11},
                         .path = "disk:/a",
                         .name = "secret.pdf",
                         .size = 1'500};
  facts.page = {.entries = {*facts.entry}, .total = 1};
  return facts;
}

Decision decided(const BotUpdate& update, const BotFacts& facts) {
  const BotCommand command = read_command(update);
  return decide({update, command}, facts, kSettings, kNow);
}

// "sendMessage 7, answerCallbackQuery 0", and what else is to be done.
std::string told(const Decision& decision) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (const OutCall& each : decision.calls) add(fmt::format("{} {}", each.call.method, each.chat));
  if (decision.change) add(fmt::format("change to {}", name(decision.change->to.state)));
  if (decision.download) add("download " + decision.download->path);
  if (decision.cancel) add(fmt::format("cancel {}", decision.cancel.value));
  if (decision.refresh) add("refresh");
  if (decision.is_denied) add("denied");
  return text;
}

bool shows(const Decision& decision, std::string_view part) {
  for (const OutCall& each : decision.calls)
    if (each.call.body.find(part) != std::string::npos) return true;
  return false;
}

constexpr Standing kWithout[] = {Standing::stranger, Standing::pending, Standing::over,
                                 Standing::blocked};

}  // namespace

TEST_CASE("a user without access sees no name, gets no file, cancels nothing and decides nothing") {
  std::vector<BotUpdate> updates;
  for (const char* text : {"/start", "/menu", "/help", "/status", "/requests", "/refresh", "sec"})
    updates.push_back(said(text));
  for (int verb = 0; verb <= static_cast<int>(Verb::deny); ++verb)
    updates.push_back(clicked({static_cast<Verb>(verb), 12, 0}));
  updates.push_back(clicked({Verb::open, 12, 3}));

  for (const Standing standing : kWithout)
    for (const BotUpdate& update : updates) {
      BotFacts facts = facts_of(standing);
      facts.job = Job{.version = {.id = JobId{12}, .lifecycle = &kRelay, .state = "QUEUED"},
                      .owner = UserId{3}};
      facts.other = BotGuest{.id = 8, .state = GuestState::pending};
      const Decision decision = decided(update, facts);
      INFO(told(decision));
      CHECK_FALSE(shows(decision, "secret"));
      CHECK_FALSE(decision.download);
      CHECK_FALSE(decision.cancel);
      CHECK_FALSE(decision.refresh);
      const bool changes_own = !decision.change || decision.change->to.id == 7;
      CHECK(changes_own);
      const bool opens = decision.change && decision.change->to.state == GuestState::active;
      CHECK_FALSE(opens);
      for (const OutCall& call : decision.calls) CHECK((call.chat == 7 || call.chat == 0));
    }
}

TEST_CASE("the bot is silent in groups and to users whose row cannot be stored") {
  BotUpdate update = said("/start");
  update.chat = -100;
  CHECK(told(decided(update, facts_of(Standing::active))).empty());
  BotFacts facts = facts_of(Standing::stranger);
  facts.guest.reset();
  CHECK(told(decided(said("/start"), facts)).empty());
}

TEST_CASE("a stranger asks for access, and the administrator is told once") {
  CHECK(shows(decided(said("/start"), facts_of(Standing::stranger)), "Ask for access"));
  const Decision decision = decided(clicked({Verb::ask_access}), facts_of(Standing::stranger));
  CHECK(told(decision) == "answerCallbackQuery 0, editMessageText 7, change to pending");
  REQUIRE(decision.change->then.size() == 1);
  CHECK(decision.change->then.front().chat == 99);
  CHECK(told(decided(clicked({Verb::ask_access}), facts_of(Standing::pending))) ==
        "editMessageText 7, answerCallbackQuery 0");
}

TEST_CASE("only the administrator approves, for the time that the settings give") {
  BotFacts facts = facts_of(Standing::admin);
  facts.other = BotGuest{.id = 8, .name = "Boris", .state = GuestState::pending};
  const Decision yes = decided(clicked({Verb::approve, 8, 0}), facts);
  REQUIRE(yes.change);
  CHECK(yes.change->to.state == GuestState::active);
  CHECK(yes.change->to.until == kNow + Millis{1'000});
  CHECK(yes.change->then.front().chat == 8);
  CHECK(shows(yes, "Approved: Boris (8)"));

  const Decision no = decided(clicked({Verb::deny, 8, 0}), facts);
  CHECK(no.change->to.state == GuestState::blocked);
  CHECK(no.change->then.empty());

  facts.other->state = GuestState::active;
  facts.other->until = kNow + Millis{1};
  CHECK_FALSE(decided(clicked({Verb::approve, 8, 0}), facts).change);
  facts.other->until = kNow;
  CHECK(decided(clicked({Verb::approve, 8, 0}), facts).change);

  CHECK(told(decided(clicked({Verb::approve, 8, 0}), facts_of(Standing::active))) ==
        "answerCallbackQuery 0, denied");
}

TEST_CASE("S3-18: /status is for the administrator; an attempt of others is denied and noted") {
  BotFacts facts = facts_of(Standing::admin);
  facts.status = {.queued = 4,
                  .states = {{"QUEUED", 4}, {"STREAMING", 1}},
                  .stuck = 1,
                  .beat_age_s = 3,
                  .errors = {{"too_big", 2}}};
  const Decision decision = decided(said("/status"), facts);
  CHECK(shows(decision, R"(Queue depth: 4\nQUEUED: 4\nSTREAMING: 1\nStuck: 1\n)"));
  CHECK(shows(decision, R"(heartbeat of a worker: 3 s ago\nTop errors:\ntoo_big: 2)"));
  CHECK(told(decided(said("/status"), facts_of(Standing::active))) == "sendMessage 7, denied");
  CHECK(told(decided(said("/status"), facts_of(Standing::blocked))) == "denied");
}

TEST_CASE("a file is shown with its size, and a download is for a file that is there") {
  const BotFacts facts = facts_of(Standing::active);
  const Decision card = decided(clicked({Verb::open, 12, 0}), facts);
  CHECK(shows(card, R"(secret.pdf\n1.5 KB)"));
  CHECK(shows(card, R"("text":"Download","callback_data":"d:12:0")"));
  CHECK(told(decided(clicked({Verb::download, 12, 0}), facts)) == "download disk:/a");

  BotFacts gone = facts;
  gone.entry->is_gone = true;
  CHECK(shows(decided(clicked({Verb::download, 12, 0}), gone), "no longer"));
  BotFacts folder = facts;
  folder.entry->is_folder = true;
  CHECK_FALSE(decided(clicked({Verb::download, 12, 0}), folder).download);
  gone.entry.reset();
  CHECK_FALSE(decided(clicked({Verb::download, 12, 0}), gone).download);
}

TEST_CASE("a user cancels an own job only") {
  BotFacts facts = facts_of(Standing::active);
  facts.job =
      Job{.version = {.id = JobId{4}, .lifecycle = &kRelay, .state = "QUEUED"}, .owner = UserId{3}};
  CHECK(told(decided(clicked({Verb::cancel, 4, 0}), facts)) == "cancel 4");
  facts.job->owner = UserId{2};
  CHECK(told(decided(clicked({Verb::cancel, 4, 0}), facts)) == "answerCallbackQuery 0");
}

TEST_CASE("pages have a way forward and back, and the first and last one have one way") {
  BotFacts facts = facts_of(Standing::active);
  facts.entry->is_folder = true;
  facts.page.total = 3 * kPageSize;
  CHECK(shows(decided(clicked({Verb::open, 12, 0}), facts), R"("o:12:1")"));
  const Decision middle = decided(clicked({Verb::open, 12, 1}), facts);
  CHECK(shows(middle, R"("o:12:0")"));
  CHECK(shows(middle, R"("o:12:2")"));
  CHECK_FALSE(shows(decided(clicked({Verb::open, 12, 2}), facts), R"("o:12:3")"));
}

TEST_CASE("a search needs two bytes, and its query is kept for its pages") {
  const BotFacts facts = facts_of(Standing::active);
  CHECK_FALSE(decided(said("a"), facts).query);
  CHECK(decided(said("ab"), facts).query == "ab");
  CHECK(shows(decided(said("ab"), facts), "Found: 1"));
}

TEST_CASE("a message that cannot be edited is answered with a new one") {
  BotUpdate click = clicked({Verb::open, 12, 0});
  click.message = 0;
  CHECK(told(decided(click, facts_of(Standing::active))) == "answerCallbackQuery 0, sendMessage 7");
}

TEST_CASE("S3-3: only a guest whose user is ACTIVE passes, and only until the time is over") {
  StandingFacts facts{
      .guest = BotGuest{.id = 7, .state = GuestState::active, .user = UserId{3}, .until = kNow},
      .user = User{.id = UserId{3}, .name = "telegram:7", .created_at = kNow}};
  CHECK(standing_of(facts, kNow - Millis{1}) == Standing::active);
  CHECK(standing_of(facts, kNow) == Standing::over);
  facts.user->status = UserStatus::blocked;
  CHECK(standing_of(facts, kNow - Millis{1}) == Standing::blocked);
  facts.user.reset();
  CHECK(standing_of(facts, kNow - Millis{1}) == Standing::blocked);
  facts.guest->state = GuestState::pending;
  CHECK(standing_of(facts, kNow) == Standing::pending);
  facts.guest.reset();
  CHECK(standing_of(facts, kNow) == Standing::stranger);
  facts.is_admin = true;
  CHECK(standing_of(facts, kNow) == Standing::admin);
}

}  // namespace haul::bot
