#pragma once
// A thin, owning wrapper around SQLite's C interface. Statements are prepared once per connection
// and found again by the address of their text, so a statement is always a named constant. Besides
// SQLite's own functions they have without_secrets(json), which is redacted_json.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "store/committed.h"
#include "store/refusal.h"

struct sqlite3;
struct sqlite3_stmt;

namespace haul::sqlite {

// One bound parameter. Text is not copied: it must live until the query is done.
class Value {
 public:
  Value(std::nullptr_t) {}
  Value(std::int64_t number) : kind_{Kind::integer}, number_{number} {}
  Value(int number) : kind_{Kind::integer}, number_{number} {}
  Value(bool flag) : kind_{Kind::integer}, number_{flag ? 1 : 0} {}
  Value(std::size_t number) : kind_{Kind::integer}, number_{static_cast<std::int64_t>(number)} {}
  Value(std::string_view text) : kind_{Kind::text}, text_{text} {}
  Value(const std::string& text) : kind_{Kind::text}, text_{text} {}
  Value(const char* text) : kind_{Kind::text}, text_{text} {}
  Value(Time at) : kind_{Kind::integer}, number_{to_unix_ms(at)} {}
  Value(std::optional<Time> at) : Value{at ? Value{*at} : Value{nullptr}} {}
  Value(std::optional<std::int64_t> number) : Value{number ? Value{*number} : Value{nullptr}} {}
  template <class Tag>
  Value(Id<Tag> id) : kind_{Kind::integer}, number_{id.value} {}

  void bind(sqlite3_stmt* statement, int index) const;

 private:
  enum class Kind : std::uint8_t { null, integer, text };
  Kind kind_ = Kind::null;
  std::int64_t number_ = 0;
  std::string_view text_;
};

// NULL for an empty text or a zero id.
Value or_null(std::string_view text);
template <class Tag>
Value or_null(Id<Tag> id) {
  return id ? Value{id} : Value{nullptr};
}

class Connection;

// A prepared statement in use: bound, stepped, and reset when it goes out of scope.
class Query {
 public:
  Query(Connection& db, const char* sql, std::initializer_list<Value> values = {});
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // True while there is a row.
  bool step();

  // The number of the column with this name, whatever its case. Nothing if there is none. For a
  // database of another program, whose columns haul does not know beforehand.
  std::optional<int> column(const char* name) const;

  std::int64_t integer(int column) const;
  std::string_view text(int column) const;  // Valid until the next step. NULL reads as empty.
  bool is_null(int column) const;
  bool flag(int column) const { return integer(column) != 0; }
  Time time(int column) const { return from_unix_ms(integer(column)); }
  std::optional<Time> maybe_time(int column) const;
  std::optional<std::int64_t> maybe_integer(int column) const;
  std::string string(int column) const { return std::string{text(column)}; }
  template <class Tag>
  void id(int column, Id<Tag>& out) const {
    out.value = integer(column);
  }

 private:
  Connection& db_;
  sqlite3_stmt* statement_;
};

// Turns a result code of SQLite into a kind of fault. `system_error` is the errno behind it, zero
// if unknown. SQLite reports only ENOSPC as a full disk; for haul a reached quota or file size
// limit is one too.
StoreFault::Kind kind_of(int code, int system_error = 0);

enum class OpenFor : std::uint8_t { writing, reading };

// What a transaction did, reported to on_commit once it is on disk.
struct CommittedWork {
  std::vector<CommittedMove> moves;
  std::size_t rescues = 0;

  void clear() {
    moves.clear();
    rescues = 0;
  }
};

class Connection {
 public:
  // `path` may be ":memory:". Throws StoreFault.
  Connection(const std::filesystem::path& path, OpenFor what);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs a statement to its end; returns how many rows it changed.
  std::int64_t run(const char* sql, std::initializer_list<Value> values = {});
  // Runs a script of many statements, which are not cached.
  void script(const std::string& sql);
  std::int64_t last_id() const;
  // The first column of the first row; zero if there is no row.
  std::int64_t number(const char* sql, std::initializer_list<Value> values = {});

  // Of the open transaction, or of the last one.
  CommittedWork& committed_work() { return deeds_; }

  sqlite3* raw() const { return db_; }
  sqlite3_stmt* prepared(const char* sql);
  // As above, with the errno that SQLite keeps for its files.
  StoreFault::Kind kind_of(int code) const;
  // Turns SQLite's last error into a StoreFault and throws it.
  [[noreturn]] void fail(const char* doing) const;

 private:
  sqlite3* db_ = nullptr;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
  CommittedWork deeds_;
};

// BEGIN IMMEDIATE, rolled back unless told to commit.
class Transaction {
 public:
  explicit Transaction(Connection& db);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& db_;
  bool open_ = true;
};

// While it lives, all reads see the database at one point in time.
class Snapshot {
 public:
  explicit Snapshot(Connection& db);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Connection& db_;
};

}  // namespace haul::sqlite
