// What every store must do with the rows of the bot.

#include "store/bot.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/store/bench.h"

namespace haul::testing {
namespace {

struct BotScene {
  Bench b;
  BotRows& bot() { return b.store().bot(); }
  BotGuests& guests() { return bot().guests(); }
  BotCatalogue& catalogue() { return bot().catalogue(); }
  BotPosts& posts() { return bot().posts(); }
  BotUpdates& updates() { return bot().updates(); }
  UserId user() { return b.store().users().add("telegram:7", Role::adder, b.now())->id; }

  static ListedEntry folder(const std::string& path) {
    return {.path = path, .name = path, .folded = path, .is_folder = true};
  }
  static ListedEntry file(const std::string& path) {
    return {.path = path, .name = path, .folded = path, .size = 10};
  }
};

// "b/ a c": names in order, folders with a slash.
std::string listed(const EntryPage& page) {
  std::string text;
  for (const BotEntry& entry : page.entries)
    text += (text.empty() ? "" : " ") + entry.name + (entry.is_folder ? "/" : "");
  return text;
}

}  // namespace

TEST_CASE("a guest is added once, up to a number of guests, and found as it was written") {
  BotScene s;
  const BotGuest anna{
      .id = 5'123'456'789, .name = "Анна", .language = "ru", .changed_at = s.b.now()};
  CHECK(s.guests().add(anna, 2));
  CHECK_FALSE(s.guests().add({.id = anna.id, .name = "Other"}, 2));
  CHECK(s.guests().add({.id = 8}, 2));
  CHECK_FALSE(s.guests().add({.id = 9}, 2));
  CHECK(s.guests().find(anna.id) == anna);
  CHECK_FALSE(s.guests().find(9));
}

TEST_CASE("a guest's state changes only from the state that was seen") {
  BotScene s;
  s.guests().add({.id = 7}, 10);
  BotGuest to{.id = 7, .state = GuestState::pending};
  CHECK(s.guests().change(to, GuestState::guest, s.b.now()));
  CHECK_FALSE(s.guests().change(to, GuestState::guest, s.b.now()));
  to = {.id = 7, .state = GuestState::active, .user = s.user(), .until = s.b.now() + Millis{5}};
  CHECK(s.guests().change(to, GuestState::pending, s.b.now()));
  s.guests().keep_query(7, "war");
  const auto found = s.guests().find(7);
  REQUIRE(found);
  CHECK(found->state == GuestState::active);
  CHECK(found->user == to.user);
  CHECK(found->query == "war");
  CHECK(s.guests().list(GuestState::active, 0, 10).size() == 1);
  CHECK(s.guests().list(GuestState::active, 7, 10).empty());
  CHECK(s.guests().list(GuestState::pending, 0, 10).empty());
}

TEST_CASE("a guest is warned once of each end of access, and only if it ends in time") {
  BotScene s;
  s.guests().add({.id = 7}, 10);
  s.guests().add({.id = 8}, 10);
  const UserId user = s.user();
  const Time until = s.b.now() + Millis{1'000};
  BotGuest to{.id = 7, .state = GuestState::active, .user = user, .until = until};
  s.guests().change(to, GuestState::guest, s.b.now());
  s.guests().change({.id = 8, .state = GuestState::active, .user = user}, GuestState::guest,
                    s.b.now());
  CHECK(s.guests().unwarned(until - Millis{1}, 10).empty());
  REQUIRE(s.guests().unwarned(until, 10).size() == 1);
  CHECK(s.guests().unwarned(until, 10).front().id == 7);

  CHECK_FALSE(s.guests().warn(7, until + Millis{1}));
  CHECK_FALSE(s.guests().warn(8, until));
  CHECK(s.guests().warn(7, until));
  CHECK_FALSE(s.guests().warn(7, until));
  CHECK(s.guests().unwarned(until, 10).empty());

  to.until = until + Millis{5};
  s.guests().change(to, GuestState::active, s.b.now());
  CHECK(s.guests().unwarned(*to.until, 10).size() == 1);
}

TEST_CASE("an active guest's access has ended at its time, not before") {
  BotScene s;
  s.guests().add({.id = 7}, 10);
  s.guests().add({.id = 8}, 10);
  const UserId user = s.user();
  const Time until = s.b.now() + Millis{1'000};
  s.guests().change({.id = 7, .state = GuestState::active, .user = user, .until = until},
                    GuestState::guest, s.b.now());
  s.guests().change({.id = 8, .state = GuestState::active, .user = user}, GuestState::guest,
                    s.b.now());
  CHECK(s.guests().ended(until - Millis{1}, 10).empty());
  REQUIRE(s.guests().ended(until, 10).size() == 1);
  CHECK(s.guests().ended(until, 10).front().id == 7);
}

TEST_CASE("folders come first, then names in order, page by page") {
  BotScene s;
  const std::int64_t round = s.catalogue().begin(BotScene::folder("/"), s.b.now());
  const ListedEntry entries[] = {BotScene::file("c"), BotScene::file("a"), BotScene::folder("b")};
  s.catalogue().see(round, s.catalogue().root(), entries);

  const EntryPage first = s.catalogue().children(s.catalogue().root(), {.offset = 0, .limit = 2});
  CHECK(listed(first) == "b/ a");
  CHECK(first.total == 3);
  CHECK(listed(s.catalogue().children(s.catalogue().root(), {.offset = 2, .limit = 2})) == "c");
}

TEST_CASE("S3-25: an unfinished round removes nothing; a finished one what it did not see") {
  BotScene s;
  const ListedEntry both[] = {BotScene::file("a"), BotScene::file("b")};
  const std::int64_t first = s.catalogue().begin(BotScene::folder("/"), s.b.now());
  const auto ids = s.catalogue().see(first, s.catalogue().root(), both);
  CHECK(s.catalogue().finish(first, s.b.now()) == 0);

  const std::int64_t second = s.catalogue().begin(BotScene::folder("/"), s.b.now());
  s.catalogue().see(second, s.catalogue().root(), {both, 1});
  CHECK(s.catalogue().children(s.catalogue().root(), {}).total == 2);
  CHECK(s.catalogue().finish(second, s.b.now()) == 1);
  CHECK(listed(s.catalogue().children(s.catalogue().root(), {})) == "a");
  CHECK(s.catalogue().finish(second, s.b.now()) == 0);
  CHECK(s.catalogue().find(ids.at(1))->is_gone);

  const std::int64_t third = s.catalogue().begin(BotScene::folder("/"), s.b.now());
  CHECK(s.catalogue().see(third, s.catalogue().root(), both) == ids);
  CHECK_FALSE(s.catalogue().find(ids.at(1))->is_gone);
}

TEST_CASE("S3-25: what is outside a new root is gone when its first round begins") {
  BotScene s;
  const auto begin = [&](const std::string& root) {
    return s.catalogue().begin(BotScene::folder(root), s.b.now());
  };
  const ListedEntry entries[] = {BotScene::file("disk:/a"), BotScene::folder("disk:/Books"),
                                 BotScene::file("disk:/Books2")};
  const ListedEntry inside[] = {BotScene::file("disk:/Books/b")};
  const std::int64_t round = begin("disk:/");
  const auto ids = s.catalogue().see(round, s.catalogue().root(), entries);
  s.catalogue().see(round, ids.at(1), inside);
  s.catalogue().finish(round, s.b.now());

  begin("disk:/Books");
  CHECK(s.catalogue().root() == ids.at(1));
  CHECK(s.catalogue().find(ids.at(0))->is_gone);
  CHECK(s.catalogue().find(ids.at(2))->is_gone);
  CHECK(listed(s.catalogue().search("disk", {})) == "disk:/Books/b");

  begin("disk:/");  // What is gone comes back when it is listed.
  CHECK(listed(s.catalogue().search("disk", {})) == "disk:/Books/b");
}

TEST_CASE("a search finds files by any part of their folded names") {
  BotScene s;
  const std::int64_t round = s.catalogue().begin(BotScene::folder("/"), s.b.now());
  const ListedEntry entries[] = {
      {.path = "/1", .name = "Война и мир", .folded = "война и мир"},
      {.path = "/2", .name = "100%", .folded = "100%"},
      {.path = "/3", .name = "война", .folded = "война", .is_folder = true}};
  s.catalogue().see(round, s.catalogue().root(), entries);
  CHECK(listed(s.catalogue().search("ойна", {})) == "Война и мир");
  CHECK(listed(s.catalogue().search("%", {})) == "100%");
  CHECK(s.catalogue().search("", {}).total == 0);
  CHECK(s.catalogue().search("мир", {.offset = 1}).entries.empty());
  CHECK(s.catalogue().search("мир", {.offset = 1}).total == 1);
}

TEST_CASE("a message shows its newest job, and a job keeps its first message") {
  BotScene s;
  const JobId first = s.b.add(kRelay);
  const JobId second = s.b.add(kRelay);
  s.posts().put({.job = first, .chat = 7, .message = 1, .language = "ru"});
  s.posts().put({.job = first, .chat = 7, .message = 2, .language = "ru"});
  REQUIRE(s.posts().list({}, 10).size() == 1);
  CHECK(s.posts().list({}, 10).front().message == 1);

  s.posts().put({.job = second, .chat = 7, .message = 1, .language = "ru"});
  s.posts().put({.job = first, .chat = 7, .message = 1, .language = "ru"});
  const auto posts = s.posts().list({}, 10);
  REQUIRE(posts.size() == 2);  // The first stays for its end, without a message.
  CHECK(posts.front().message == 0);
  CHECK(posts.back().job == second);
  CHECK(posts.back().message == 1);

  CHECK(s.posts().list(second, 10).empty());
  s.posts().remove(first);
  s.posts().remove(second);
  CHECK(s.posts().list({}, 10).empty());
}

TEST_CASE("an update is handled once, and the next one has a higher id than all recent ones") {
  BotScene s;
  CHECK(s.updates().next(Bench::kStart) == 0);
  s.updates().handled(12, s.b.now());
  s.updates().handled(11, s.b.after(Millis{10}).now());
  s.updates().handled(12, s.b.after(Millis{10}).now());
  CHECK(s.updates().is_handled(11));
  CHECK_FALSE(s.updates().is_handled(10));
  CHECK(s.updates().next(Bench::kStart) == 13);
  CHECK(s.updates().next(Bench::kStart + Millis{1}) == 12);
  CHECK(s.updates().next(Bench::kStart + Millis{11}) == 0);

  CHECK(s.updates().prune(Bench::kStart + Millis{10}, 10) == 1);
  CHECK_FALSE(s.updates().is_handled(12));
  CHECK(s.updates().is_handled(11));
}

}  // namespace haul::testing
