// S2-33: the ten points of 002's verification checklist, for the http engine, in their order.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include "base/clock.h"
#include "base/json.h"
#include "support/process/get_bench.h"
#include "support/run/proof.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// Four files: two arrive, a filter skips one, and one does not exist.
struct Mixture {
  FaultServer server;
  GetBench bench;
  Told told = bench.get({"--exclude", "zip", server.url("/f/a?size=1000"), server.url("/f/b"),
                         server.url("/f/c.zip"), server.url("/f/d?status=404")});

  std::string column(const std::string& name) const {
    return bench.ask("SELECT " + name + " FROM contract_batch_jobs");
  }
};

// A long file, cancelled for good once bytes have arrived.
struct Cancelled {
  FaultServer server;
  GetBench bench;
  Steady before;
  Steady after;
  Fields progress;  // The last progress before the cancel.

  Cancelled() {
    Child child{
        bench.command({"--discard", server.url("/f/long?size=90000000&limit_rate=1000000")})};
    for (int i = 0; i < 2; ++i) {
      const auto line = child.line();
      REQUIRE(line);
      const auto fields = read_object(*line);
      REQUIRE(fields);
      for (const JsonField& field : *fields) progress[field.name] = field.text;
    }
    before = system_clock().steady();
    ::kill(child.pid(), SIGINT);
    told(child);
    after = system_clock().steady();
  }
};

// Each runs once and is shared by all tests.
const Mixture& mixture() {
  static const Mixture mixture;
  return mixture;
}
const Cancelled& cancelled() {
  static const Cancelled cancelled;
  return cancelled;
}

}  // namespace

TEST_CASE("S2-33, 1: total_items is set before any download starts") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get(
      {server.url("/f/a?size=100000&limit_rate=80000"), server.url("/f/b"), server.url("/f/c")});

  bool seen = false;
  for (const Fields& line : told.of_type("progress")) {
    if (line.at("active") == "[]") continue;
    seen = true;
    CHECK(line.at("total") == "3");
    CHECK(line.at("enumeration_complete") == "true");
  }
  CHECK(seen);
}

TEST_CASE("S2-33, 2: completed_items counts completion and skip") {
  const Mixture& m = mixture();
  CHECK(m.column("completed_items") == "3");
}

TEST_CASE("S2-33, 3: failed_items counts failures only") {
  const Mixture& m = mixture();
  CHECK(m.column("failed_items") == "1");
}

TEST_CASE("S2-33, 4: skipped_items counts skips only") {
  const Mixture& m = mixture();
  CHECK(m.column("skipped_items") == "1");
}

TEST_CASE("S2-33, 5, 6, 8: progress tells which file; a cancel leaves no part (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  const Cancelled& c = cancelled();
  CHECK(is_within(c.after - c.before, 2s));
  CHECK(c.bench.listing().empty());
  CHECK(c.bench.ask("SELECT status FROM contract_batch_job_items") == "CANCELLED");

  const auto active = read_array(c.progress.at("active"));
  REQUIRE(active);
  REQUIRE(active->size() == 1);
  const auto fields = read_object(active->front());
  REQUIRE(fields);
  Fields file;
  for (const JsonField& field : *fields) file[field.name] = field.text;
  CHECK(file["item"] == "1");
  CHECK(file["name"] == "long");
  CHECK(std::stol(file["have_bytes"]) > 0);
  CHECK(file["size_bytes"] == "90000000");
  CHECK(std::stol(file["speed_bytes_per_s"]) > 0);
  CHECK(std::stol(file["eta_s"]) > 0);
  CHECK(file["status"] == "Downloading");
}

TEST_CASE("S2-33, 7: JOB_PROGRESS comes after each item") {
  const Mixture& m = mixture();
  CHECK(m.bench.ask("SELECT count(*) FROM contract_batch_events i WHERE i.type = 'ITEM_DONE' "
                    "AND NOT EXISTS (SELECT 1 FROM contract_batch_events p "
                    "WHERE p.type = 'JOB_PROGRESS' AND p.id > i.id)") == "0");
}

TEST_CASE("S2-15: progress of an item has its address and its path") {
  const Cancelled& c = cancelled();
  const std::string& active = c.progress.at("active");
  CHECK(active.find(c.server.url("/f/long")) != std::string::npos);
  CHECK(active.find((c.bench.folder() / "long").string()) != std::string::npos);
}

TEST_CASE("S2-33, 9: the result equals the final counters") {
  const Mixture& m = mixture();
  Fields summary = m.told.summary();
  CHECK(m.bench.ask("SELECT total_items, completed_items, failed_items, skipped_items "
                    "FROM contract_batch_jobs") ==
        fmt::format("{}|{}|{}|{}", summary["total"], summary["completed"], summary["failed"],
                    summary["skipped"]));
}

TEST_CASE("S2-33, 10: events come in the right order") {
  const Mixture& m = mixture();
  CHECK(m.bench.ask("SELECT group_concat(DISTINCT type) FROM "
                    "(SELECT type FROM contract_batch_events ORDER BY id)") ==
        "JOB_ADDED,JOB_STARTED,ITEM_DONE,JOB_PROGRESS,JOB_DONE");
}
