#include "store/sqlite/db.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <cerrno>
#include <new>
#include <utility>

#include "base/ensure.h"
#include "base/redact.h"
#include "store/refusal.h"

namespace haul::sqlite {
namespace {

constexpr const char* kBegin = "BEGIN IMMEDIATE";
constexpr const char* kSnapshot = "BEGIN";
constexpr const char* kCommit = "COMMIT";
constexpr const char* kRollback = "ROLLBACK";

// A writer's room for small allocations, three times SQLite's default: moves take 2 % less time.
constexpr int kSmallBytes = 1'200;
constexpr int kSmallCount = 120;

constexpr int kBusyTimeoutMs = 2'000;

// Turns off SQLite's memory statistics: haul does not read them, and they cost a lock per
// allocation. Runs once per process. It has no effect if SQLite is already in use, which is
// harmless.
void without_memory_counts() {
  static const int configured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  (void)configured;
}

void without_secrets(sqlite3_context* context, int, sqlite3_value** values) {
  sqlite3_value* json = values[0];
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(json));
  if (!text) return;  // NULL stays NULL.
  try {
    const std::string safe =
        redacted_json({text, static_cast<std::size_t>(sqlite3_value_bytes(json))});
    sqlite3_result_text64(context, safe.data(), safe.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

// A failed flush never counts as a full disk, whatever its errno: it is final (F22).
bool lacks_room(int code, int system_error) {
  const bool writes = code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE ||
                      code == SQLITE_IOERR_TRUNCATE || (code & 0xff) == SQLITE_CANTOPEN;
  return writes && (system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG);
}

}  // namespace

StoreFault::Kind kind_of(int code, int system_error) {
  if (lacks_room(code, system_error)) return StoreFault::Kind::full;
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return StoreFault::Kind::busy;
    case SQLITE_FULL:
      return StoreFault::Kind::full;
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_NOMEM:
    case SQLITE_CANTOPEN:
      return StoreFault::Kind::gone;
    default:
      return StoreFault::Kind::broken;
  }
}

void Value::bind(sqlite3_stmt* statement, int index) const {
  switch (kind_) {
    case Kind::null:
      sqlite3_bind_null(statement, index);
      return;
    case Kind::integer:
      sqlite3_bind_int64(statement, index, number_);
      return;
    case Kind::text:
      sqlite3_bind_text64(statement, index, text_.data() ? text_.data() : "", text_.size(),
                          SQLITE_STATIC, SQLITE_UTF8);
      return;
  }
}

Value or_null(std::string_view text) { return text.empty() ? Value{nullptr} : Value{text}; }

Query::Query(Connection& db, const char* sql, std::initializer_list<Value> values)
    : db_{db}, statement_{db.prepared(sql)} {
  // A parameter without one would keep the value of the last use, which is gone.
  ensure(std::cmp_greater_equal(values.size(), sqlite3_bind_parameter_count(statement_)),
         "each parameter of a statement has a value");
  int index = 0;
  for (const Value& value : values) value.bind(statement_, ++index);
}

Query::~Query() { sqlite3_reset(statement_); }

bool Query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  db_.fail(sqlite3_sql(statement_));
}

std::optional<int> Query::column(const char* name) const {
  for (int i = 0; i < sqlite3_column_count(statement_); ++i)
    if (sqlite3_stricmp(sqlite3_column_name(statement_, i), name) == 0) return i;
  return std::nullopt;
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Query::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (!text) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::optional<Time> Query::maybe_time(int column) const {
  if (is_null(column)) return std::nullopt;
  return time(column);
}

std::optional<std::int64_t> Query::maybe_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

Connection::Connection(const std::filesystem::path& path, OpenFor what) {
  const int how =
      what == OpenFor::writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  // One thread at a time uses a connection, so SQLite's own mutexes would only cost time.
  without_memory_counts();
  const int code = sqlite3_open_v2(path.c_str(), &db_,
                                   how | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = fmt::format("cannot open {}: {}", path.string(), sqlite3_errstr(code));
    const StoreFault::Kind kind = sqlite::kind_of(code, db_ ? sqlite3_system_errno(db_) : 0);
    sqlite3_close_v2(db_);
    throw StoreFault{kind, why};
  }
  // From the first statement on: another reader may be reading the log that a killed haul left.
  sqlite3_busy_timeout(db_, kBusyTimeoutMs);
  // Only the writer checkpoints: two connections that checkpoint can lose a commit on the SQLite
  // that Debian 12 ships.
  if (what == OpenFor::reading)
    sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  else
    sqlite3_db_config(db_, SQLITE_DBCONFIG_LOOKASIDE, nullptr, kSmallBytes, kSmallCount);
  sqlite3_wal_autocheckpoint(db_, 0);
  sqlite3_create_function(db_, "without_secrets", 1,
                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nullptr,
                          without_secrets, nullptr, nullptr);
}

Connection::~Connection() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close_v2(db_);
}

std::int64_t Connection::run(const char* sql, std::initializer_list<Value> values) {
  Query query{*this, sql, values};
  while (query.step()) {
  }
  return sqlite3_changes64(db_);
}

void Connection::script(const std::string& sql) {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("script");
}

std::int64_t Connection::last_id() const { return sqlite3_last_insert_rowid(db_); }

std::int64_t Connection::number(const char* sql, std::initializer_list<Value> values) {
  Query query{*this, sql, values};
  return query.step() ? query.integer(0) : 0;
}

sqlite3_stmt* Connection::prepared(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  if (!statement &&
      sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
    fail(sql);
  return statement;
}

// SQLite keeps the errno of a failed COMMIT with the file it wrote to, and nowhere else.
StoreFault::Kind Connection::kind_of(int code) const {
  if ((code & 0xff) != SQLITE_IOERR) return sqlite::kind_of(code, sqlite3_system_errno(db_));
  int of_log = 0;
  int of_file = 0;
  sqlite3_file* log = nullptr;
  sqlite3_file_control(db_, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
  if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
  sqlite3_file_control(db_, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
  for (const int error : {of_log, of_file})
    if (lacks_room(code, error)) return StoreFault::Kind::full;
  return sqlite::kind_of(code, sqlite3_system_errno(db_));
}

void Connection::fail(const char* doing) const {
  const int code = sqlite3_extended_errcode(db_);
  const std::string why = fmt::format("{} (sqlite {}), in: {}", sqlite3_errmsg(db_), code,
                                      std::string_view{doing}.substr(0, 200));
  throw StoreFault{kind_of(code), why};
}

Transaction::Transaction(Connection& db) : db_{db} { db_.run(kBegin); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    db_.run(kRollback);
  } catch (const StoreFault&) {
    return;  // SQLite has rolled back by itself already.
  }
}

void Transaction::commit() {
  ensure(open_, "a transaction commits once");
  db_.run(kCommit);
  open_ = false;
}

Snapshot::Snapshot(Connection& db) : db_{db} { db_.run(kSnapshot); }

Snapshot::~Snapshot() {
  try {
    db_.run(kCommit);
  } catch (const StoreFault&) {
    return;  // SQLite has ended the transaction by itself already.
  }
}

}  // namespace haul::sqlite
