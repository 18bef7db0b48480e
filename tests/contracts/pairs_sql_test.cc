// SX-4 without haul: the database enforces the same pairs on a user who opens the file with plain
// SQLite.

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contracts/pairs.h"
#include "store/sqlite/sqlite.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

// Opens the file as the sqlite3 shell does: without haul, without pragmas.
class Shell {
 public:
  explicit Shell(const std::filesystem::path& file) {
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
    db_.reset(db);
  }

  // SQLite's error message. Empty if the statement succeeded.
  std::string run(const std::string& sql) {
    char* error = nullptr;
    sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, &error);
    const std::string text = error ? error : "";
    sqlite3_free(error);
    return text;
  }

  // Every column of every row, so that equal results mean equal content.
  std::string ask(const std::string& sql) {
    std::string text;
    const auto take = [](void* out, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i)
        *static_cast<std::string*>(out) += (values[i] ? values[i] : "NULL") + std::string{"|"};
      return 0;
    };
    REQUIRE(sqlite3_exec(db_.get(), sql.c_str(), take, &text, nullptr) == SQLITE_OK);
    return text;
  }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::unique_ptr<sqlite3, Close> db_;
};

struct Pair {
  std::string_view from;
  std::string_view to;

  std::string text(const Pairs& pairs) const {
    return std::string{pairs.lifecycle} + ": " + std::string{from} + " -> " + std::string{to};
  }
};

// A row in each state of each lifecycle, as a WHERE clause: "book queued" maps to "id = 7".
using Rows = std::map<std::string, std::string>;

std::string row_name(std::string_view lifecycle, std::string_view state) {
  return std::string{lifecycle} + " " + std::string{state};
}

// Adds items in five states to a running job. CANCELLED needs a job that has ended.
void add_items(Bench& b, Rows& rows) {
  const JobId ended = b.reach(kBatch, "RUNNING");
  const JobId id = b.reach(kBatch, "RUNNING");
  const auto add = [&](JobId job, const std::vector<NewItem>& items) {
    b.store().items().add(b.hold(job), items, Enumeration::complete, b.now()).value();
  };
  const auto move = [&](std::int64_t n, std::string_view from, On on) {
    const ItemMove ask{.n = n,
                       .from = from,
                       .on = on,
                       .path = "/in/a",
                       .proof = {Proof::evidence, "{}"},
                       .holds = {Guard::filtered_out, Guard::file_exists}};
    b.store().items().move(b.hold(id), {&ask, 1}, b.now()).front().value();
  };
  add(ended, {{"a", "u", {}}});
  b.ask(ended, On::cancel).value();
  add(id, {{"a", "u", {}}, {"b", "u", {}}, {"c", "u", {}}, {"d", "u", {}}, {"e", "u", {}}});
  for (const std::int64_t n : {2, 3, 4}) move(n, "PENDING", On::start);
  move(3, "DOWNLOADING", On::landed);
  move(4, "DOWNLOADING", On::fail);
  move(5, "PENDING", On::skip);

  const auto item = [](JobId job, int n) {
    return "job = " + std::to_string(job.value) + " AND n = " + std::to_string(n);
  };
  rows["item PENDING"] = item(id, 1);
  rows["item DOWNLOADING"] = item(id, 2);
  rows["item COMPLETED"] = item(id, 3);
  rows["item FAILED"] = item(id, 4);
  rows["item SKIPPED"] = item(id, 5);
  rows["item CANCELLED"] = item(ended, 1);
}

// Fills a store and closes it.
Rows fill(const TempFolder& folder) {
  Bench b{open_sqlite(folder.path(), {}, Bench::kStart)};
  Rows rows;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states)
      rows[row_name(table->name, state.name)] =
          "id = " + std::to_string(b.reach(*table, state.name).value);
  add_items(b, rows);
  return rows;
}

// The move as a user who knows the schema would write it.
std::string well_formed(const Pairs& pairs, std::string_view to) {
  const std::string state = "'" + std::string{to} + "'";
  if (pairs.lifecycle == "item")
    return "UPDATE items SET state = " + state + ", path = '/in/a', evidence = '{}'";
  const State* wanted = find_lifecycle(pairs.lifecycle)->find(to);
  REQUIRE(wanted);
  const std::string end = "'" + std::string{name(wanted->end)} + "'";
  const bool open = wanted->is_open();
  return "UPDATE jobs SET state = " + state + ", \"end\" = " + end + ", seq = seq + 1" +
         ", worker = NULL, due_at = " + (open ? "1" : "NULL") +
         ", ended_at = " + (open ? "NULL" : "1");
}

// Also less careful updates, and conflict clauses that might bypass a trigger. If `from` equals
// `to`, only updates that would count as a move.
std::vector<std::string> every_form(const Pairs& pairs, std::string_view from,
                                    std::string_view to) {
  const bool item = pairs.lifecycle == "item";
  const std::string plain =
      std::string{"UPDATE "} + (item ? "items" : "jobs") + " SET state = '" + std::string{to} + "'";
  if (item && from == to) return {};
  const std::string update = well_formed(pairs, to);
  const std::string rest = update.substr(std::string_view{"UPDATE"}.size());
  std::vector<std::string> forms{update};
  for (const char* clause : {"REPLACE", "IGNORE", "FAIL", "ROLLBACK"})
    forms.push_back(std::string{"UPDATE OR "} + clause + rest);
  if (!item) forms.push_back(plain + ", seq = seq + 1");
  if (from != to) forms.push_back(plain);
  return forms;
}

// Everything in the file that a move could change.
std::string contents(Shell& shell) {
  return shell.ask("SELECT * FROM jobs ORDER BY id") + shell.ask("SELECT * FROM items") +
         shell.ask("SELECT * FROM events ORDER BY id") + shell.ask("SELECT * FROM counts");
}

void check_forbidden(Shell& shell, const Pairs& pairs, const Pair& pair, const std::string& where) {
  const std::string before = contents(shell);
  for (const std::string& form : every_form(pairs, pair.from, pair.to)) {
    CAPTURE(form);
    CHECK(shell.run(form + " WHERE " + where) != "");
    // A refused statement in a transaction leaves nothing to commit either.
    CHECK(shell.run("BEGIN") == "");
    CHECK(shell.run(form + " WHERE " + where) != "");
    shell.run("COMMIT");
  }
  CHECK(contents(shell) == before);
  const bool ended_item =
      pairs.lifecycle == "item" && pair.from != "PENDING" && pair.from != "DOWNLOADING";
  if (pair.from == pair.to || ended_item) return;
  const std::string refusal = shell.run(well_formed(pairs, pair.to) + " WHERE " + where);
  CHECK_MESSAGE(refusal.contains(pair.text(pairs)), refusal);
}

void check_allowed(Shell& shell, const Pairs& pairs, const Pair& pair, const std::string& where) {
  REQUIRE(shell.run("BEGIN") == "");
  CHECK(shell.run(well_formed(pairs, pair.to) + " WHERE " + where) == "");
  CHECK(shell.ask("SELECT changes()") == "1|");
  REQUIRE(shell.run("ROLLBACK") == "");
}

int check_pairs(Shell& shell, const Pairs& pairs, const Rows& rows) {
  int checked = 0;
  for (const std::string_view from : pairs.states)
    for (const std::string_view to : pairs.states) {
      const Pair pair{from, to};
      CAPTURE(pair.text(pairs));
      REQUIRE(rows.contains(row_name(pairs.lifecycle, from)));
      const std::string& where = rows.at(row_name(pairs.lifecycle, from));
      if (pairs.by(from, to).empty())
        check_forbidden(shell, pairs, pair, where);
      else
        check_allowed(shell, pairs, pair, where);
      ++checked;
    }
  return checked;
}

TEST_CASE(
    "SX-4: plain SQLite takes the allowed pairs of all six lifecycles and refuses the others") {
  const TempFolder folder;
  const Rows rows = fill(folder);
  Shell shell{folder / "haul.db"};

  CHECK(check_pairs(shell, kBookPairs, rows) == 25);
  CHECK(check_pairs(shell, kMediaPairs, rows) == 36);
  CHECK(check_pairs(shell, kBatchPairs, rows) == 25);
  CHECK(check_pairs(shell, kItemPairs, rows) == 36);
  CHECK(check_pairs(shell, kRelayPairs, rows) == 64);
  CHECK(check_pairs(shell, kImagePairs, rows) == 36);
}

}  // namespace
}  // namespace haul::testing
