// Implements BotRows on SQLite: guests, posts and updates.

#include "store/bot.h"

#include <algorithm>

#include "base/ensure.h"
#include "store/reader.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr GuestState kGuestStates[] = {GuestState::guest, GuestState::pending, GuestState::active,
                                       GuestState::blocked, GuestState::expired};

constexpr const char* kFindGuest = R"(
SELECT id, name, language, state, user, until, query, changed_at
  FROM bot_guests
 WHERE id = ?1)";

constexpr const char* kAddGuest = R"(
INSERT INTO bot_guests (id, name, language, state, user, until, query, changed_at)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
 WHERE (SELECT count(*) FROM bot_guests) < ?9
ON CONFLICT (id) DO NOTHING)";

constexpr const char* kChangeGuest = R"(
UPDATE bot_guests
   SET state = ?2, user = ?3, until = ?4, changed_at = ?5
 WHERE id = ?1 AND state = ?6)";

constexpr const char* kKeepQuery = "UPDATE bot_guests SET query = ?2 WHERE id = ?1";

// Uses bot_guests_by_state.
constexpr const char* kListGuests = R"(
SELECT id, name, language, state, user, until, query, changed_at
  FROM bot_guests
 WHERE state = ?1 AND id > ?2
 ORDER BY id
 LIMIT ?3)";

// Uses bot_guests_by_end.
constexpr const char* kEndedGuests = R"(
SELECT id, name, language, state, user, until, query, changed_at
  FROM bot_guests
 WHERE state = 'active' AND until <= ?1
 ORDER BY id
 LIMIT ?2)";

// Uses bot_guests_by_end.
constexpr const char* kUnwarnedGuests = R"(
SELECT id, name, language, state, user, until, query, changed_at
  FROM bot_guests
 WHERE state = 'active' AND until <= ?1 AND warned_of IS NOT until
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kWarnGuest = R"(
UPDATE bot_guests
   SET warned_of = until
 WHERE id = ?1 AND state = 'active' AND until = ?2 AND warned_of IS NOT until)";

BotGuest read_guest(const Query& row) {
  BotGuest guest{.id = row.integer(0),
                 .name = row.string(1),
                 .language = row.string(2),
                 .until = row.maybe_time(5),
                 .query = row.string(6),
                 .changed_at = row.time(7)};
  for (const GuestState state : kGuestStates)
    if (name(state) == row.text(3)) guest.state = state;
  row.id(4, guest.user);
  return guest;
}

class SqliteBotGuests final : public BotGuests {
 public:
  explicit SqliteBotGuests(Database& database) : database_{database} {}

  std::optional<BotGuest> find(std::int64_t id) override {
    std::optional<BotGuest> found;
    database_.read([&](Connection& db) {
      Query row{db, kFindGuest, {id}};
      if (row.step()) found = read_guest(row);
    });
    return found;
  }

  bool add(const BotGuest& guest, std::size_t at_most) override {
    ensure(guest.id != 0, "a guest has Telegram's id");
    bool added = false;
    database_.write(1, [&](Connection& db) {
      added = db.run(kAddGuest,
                     {guest.id, guest.name, guest.language, name(guest.state), or_null(guest.user),
                      guest.until, guest.query, guest.changed_at, at_most}) > 0;
    });
    return added;
  }

  bool change(const BotGuest& to, GuestState seen, Time now) override {
    bool changed = false;
    database_.write(1, [&](Connection& db) {
      changed = db.run(kChangeGuest,
                       {to.id, name(to.state), or_null(to.user), to.until, now, name(seen)}) > 0;
    });
    return changed;
  }

  void keep_query(std::int64_t id, const std::string& query) override {
    database_.write(1, [&](Connection& db) { db.run(kKeepQuery, {id, query}); });
  }

  std::vector<BotGuest> list(GuestState state, std::int64_t after, std::size_t limit) override {
    std::vector<BotGuest> guests;
    database_.read([&](Connection& db) {
      Query rows{db, kListGuests, {name(state), after, std::min(limit, kListMax)}};
      while (rows.step()) guests.push_back(read_guest(rows));
    });
    return guests;
  }

  std::vector<BotGuest> ended(Time now, std::size_t limit) override {
    return until(kEndedGuests, now, limit);
  }

  std::vector<BotGuest> unwarned(Time by, std::size_t limit) override {
    return until(kUnwarnedGuests, by, limit);
  }

  bool warn(std::int64_t id, Time until) override {
    bool is_first = false;
    database_.write(1, [&](Connection& db) { is_first = db.run(kWarnGuest, {id, until}) > 0; });
    return is_first;
  }

 private:
  std::vector<BotGuest> until(const char* query, Time time, std::size_t limit) {
    std::vector<BotGuest> guests;
    database_.read([&](Connection& db) {
      Query rows{db, query, {time, std::min(limit, kListMax)}};
      while (rows.step()) guests.push_back(read_guest(rows));
    });
    return guests;
  }

  Database& database_;
};

// A post that shows nothing any more has a negative number, which is unique like its job.
constexpr const char* kPushPost =
    "UPDATE bot_posts SET message = -job WHERE chat = ?1 AND message = ?2 AND job < ?3";
constexpr const char* kPutPost = R"(
INSERT INTO bot_posts (job, chat, message, entry, language)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT DO NOTHING)";

constexpr const char* kListPosts = R"(
SELECT job, chat, message, entry, language
  FROM bot_posts
 WHERE job > ?1
 ORDER BY job
 LIMIT ?2)";

constexpr const char* kRemovePost = "DELETE FROM bot_posts WHERE job = ?1";

class SqliteBotPosts final : public BotPosts {
 public:
  explicit SqliteBotPosts(Database& database) : database_{database} {}

  void put(const BotPost& post) override {
    ensure(post.job && post.chat != 0 && post.message != 0, "a post shows a job in a message");
    database_.write(1, [&](Connection& db) {
      db.run(kPushPost, {post.chat, post.message, post.job});
      db.run(kPutPost, {post.job, post.chat, post.message, or_null(post.entry), post.language});
    });
  }

  std::vector<BotPost> list(JobId after, std::size_t limit) override {
    std::vector<BotPost> posts;
    database_.read([&](Connection& db) {
      Query rows{db, kListPosts, {after, std::min(limit, kListMax)}};
      while (rows.step()) {
        BotPost post{.chat = rows.integer(1),
                     .message = std::max<std::int64_t>(rows.integer(2), 0),
                     .language = rows.string(4)};
        rows.id(0, post.job);
        rows.id(3, post.entry);
        posts.push_back(std::move(post));
      }
    });
    return posts;
  }

  void remove(JobId job) override {
    database_.write(1, [&](Connection& db) { db.run(kRemovePost, {job}); });
  }

 private:
  Database& database_;
};

constexpr const char* kIsHandled = "SELECT count(*) FROM bot_updates WHERE id = ?1";
constexpr const char* kHandled =
    "INSERT INTO bot_updates (id, at) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING";
constexpr const char* kNextUpdate =
    "SELECT coalesce(max(id) + 1, 0) FROM bot_updates WHERE at >= ?1";

constexpr const char* kPruneUpdates = R"(
DELETE FROM bot_updates
 WHERE id IN (SELECT id FROM bot_updates WHERE at < ?1 ORDER BY at LIMIT ?2))";

class SqliteBotUpdates final : public BotUpdates {
 public:
  explicit SqliteBotUpdates(Database& database) : database_{database} {}

  bool is_handled(std::int64_t id) override {
    bool is = false;
    database_.read([&](Connection& db) { is = db.number(kIsHandled, {id}) > 0; });
    return is;
  }

  void handled(std::int64_t id, Time now) override {
    database_.write(1, [&](Connection& db) { db.run(kHandled, {id, now}); });
  }

  std::int64_t next(Time since) override {
    std::int64_t next = 0;
    database_.read([&](Connection& db) { next = db.number(kNextUpdate, {since}); });
    return next;
  }

  std::size_t prune(Time before, std::size_t limit) override {
    std::size_t pruned = 0;
    database_.write(1, [&](Connection& db) {
      pruned =
          static_cast<std::size_t>(db.run(kPruneUpdates, {before, std::min(limit, kBatchMax)}));
    });
    return pruned;
  }

 private:
  Database& database_;
};

class SqliteBotRows final : public BotRows {
 public:
  explicit SqliteBotRows(Database& database)
      : guests_{database},
        catalogue_{make_bot_catalogue(database)},
        posts_{database},
        updates_{database} {}

  BotGuests& guests() override { return guests_; }
  BotCatalogue& catalogue() override { return *catalogue_; }
  BotPosts& posts() override { return posts_; }
  BotUpdates& updates() override { return updates_; }

 private:
  SqliteBotGuests guests_;
  const std::unique_ptr<BotCatalogue> catalogue_;
  SqliteBotPosts posts_;
  SqliteBotUpdates updates_;
};

}  // namespace

std::unique_ptr<BotRows> make_bot_rows(Database& database) {
  return std::make_unique<SqliteBotRows>(database);
}

}  // namespace haul::sqlite
