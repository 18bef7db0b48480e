#pragma once
// The baseline for the store: what a careful programmer would write by hand against the same file.
// Raw SQLite, the same schema, indexes, triggers and rows, and none of haul's checks.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace haul::bench {

struct BareJob {
  std::int64_t id = 0;
  std::int64_t seq = 0;
  std::int64_t fence = 0;
};

class Bare {
 public:
  explicit Bare(const std::filesystem::path& file);
  ~Bare();
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  void begin();
  void commit();
  void add(const std::string& request, const std::string& lane, std::int64_t now);
  std::vector<BareJob> claim(const std::string& lane, std::size_t limit, std::int64_t worker,
                             std::int64_t now);
  void finish(const BareJob& job, std::int64_t worker, std::int64_t now);

  // One book job and one move of it, for the benchmark with many clients.
  void add_book(const std::string& request, std::int64_t now);
  bool move_book(const BareJob& job, const char* from, const char* to, const char* end,
                 const char* on, std::int64_t now);

  void drop_triggers();

 private:
  void move(const BareJob& job, const char* from, const char* to, const char* end, const char* on,
            std::int64_t worker, std::int64_t now);
  sqlite3_stmt* prepare(const char* sql);
  void run(sqlite3_stmt* statement);
  void exec(const char* sql);

  sqlite3* db_ = nullptr;
  std::vector<sqlite3_stmt*> statements_;
  sqlite3_stmt* begin_;
  sqlite3_stmt* commit_;
  sqlite3_stmt* add_job_;
  sqlite3_stmt* add_request_;
  sqlite3_stmt* added_;
  sqlite3_stmt* job_added_;
  sqlite3_stmt* due_;
  sqlite3_stmt* move_;
  sqlite3_stmt* move_on_;
  sqlite3_stmt* moved_;
  sqlite3_stmt* started_;
  sqlite3_stmt* done_;
  sqlite3_stmt* counts_;
};

}  // namespace haul::bench
