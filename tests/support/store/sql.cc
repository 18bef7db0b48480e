#include "support/store/sql.h"

#include <sqlite3.h>

#include <stdexcept>

namespace haul::testing {
namespace {

constexpr std::int64_t kUnixEpochJulianMs = 210'866'760'000'000;  // As SQLite counts.

// The system's default VFS with a stopped clock.
struct Stopped : sqlite3_vfs {
  std::string name;
  std::int64_t julian_ms = 0;

  explicit Stopped(Time now)
      : sqlite3_vfs{*sqlite3_vfs_find(nullptr)}, julian_ms{kUnixEpochJulianMs + to_unix_ms(now)} {
    name = "stopped-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
    zName = name.c_str();
    xCurrentTimeInt64 = [](sqlite3_vfs* vfs, sqlite3_int64* out) {
      *out = static_cast<const Stopped*>(vfs)->julian_ms;
      return SQLITE_OK;
    };
    sqlite3_vfs_register(this, 0);
  }
  ~Stopped() { sqlite3_vfs_unregister(this); }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
};

}  // namespace

struct Sql::Handle {
  std::unique_ptr<Stopped> clock;
  sqlite3* db = nullptr;
};

Sql::Sql(const std::filesystem::path& file, std::optional<Time> now)
    : handle_{std::make_unique<Handle>()} {
  if (now) handle_->clock = std::make_unique<Stopped>(*now);
  const char* vfs = now ? handle_->clock->zName : nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle_->db, SQLITE_OPEN_READONLY, vfs);
  if (code != SQLITE_OK) {
    sqlite3_close_v2(handle_->db);
    throw std::runtime_error{"cannot open " + file.string() + ": " + sqlite3_errstr(code)};
  }
  sqlite3_busy_timeout(handle_->db, 5'000);
}

Sql::~Sql() { sqlite3_close_v2(handle_->db); }

std::string Sql::ask(const std::string& sql) {
  std::string text;
  const auto add_row = [](void* out, int columns, char** values, char**) {
    auto& rows = *static_cast<std::string*>(out);
    if (!rows.empty()) rows += '\n';
    for (int i = 0; i < columns; ++i)
      rows.append(i > 0 ? "|" : "").append(values[i] ? values[i] : "NULL");
    return 0;
  };
  if (sqlite3_exec(handle_->db, sql.c_str(), add_row, &text, nullptr) != SQLITE_OK)
    throw std::runtime_error{std::string{sqlite3_errmsg(handle_->db)} + ", in: " + sql};
  return text;
}

}  // namespace haul::testing
