// 002 as `haul get` shows it: states, counters, result, tables. Runs the real program against a
// server that fails on request, and then reads the contract views of its store.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/json.h"
#include "support/process/daemon.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

// Four files: two arrive, a filter skips one, and one does not exist.
struct Mixture {
  FaultServer server;
  GetBench bench;
  Told told = bench.get({"--exclude", "zip", server.url("/f/a.bin?size=1000"),
                         server.url("/f/b.bin?size=70000&chunked=ok"), server.url("/f/c.zip"),
                         server.url("/f/d.bin?status=404")});

  std::string items() const {
    return bench.ask(
        "SELECT substr(item_key, instr(item_key, '/f/') + 3, 1), status "
        "FROM contract_batch_job_items ORDER BY item_key");
  }
  std::string counters() const {
    return bench.ask(
        "SELECT total_items, completed_items, failed_items, skipped_items "
        "FROM contract_batch_jobs");
  }
};

// Runs once and is shared by all tests that only read it.
const Mixture& mixture() {
  static const Mixture mixture;
  return mixture;
}

// The outcome of a batch as the API tells it: haul get shows no outcome of its own.
std::string outcome_in_daemon(const std::string& page) {
  const Daemon daemon;
  const std::string body =
      fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}","discover":true}}}})", page);
  const std::string id{member_of(daemon.post("/api/v1/jobs", body).body(), "id")};
  REQUIRE(daemon.comes_to(id, "COMPLETED"));
  return member_of(daemon.job(id), "outcome");
}

const std::string kTypes = "SELECT type FROM contract_batch_events ORDER BY id";

}  // namespace

TEST_CASE("S2-1, S2-2: a batch that ran is COMPLETED, was started, and has no item left to do") {
  const Mixture& m = mixture();

  CHECK(m.bench.ask("SELECT status, started_at >= created_at, finished_at >= started_at "
                    "FROM contract_batch_jobs") == "COMPLETED|1|1");
  CHECK(m.bench.ask("SELECT count(*) FROM contract_batch_job_items "
                    "WHERE status IN ('PENDING', 'DOWNLOADING')") == "0");
}

TEST_CASE("S2-3: a batch whose page cannot be read is FAILED, and error_message says why") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--discover", server.url("/f/page?status=404")});

  CHECK(told.code == 1);
  CHECK(told.summary()["success"] == "false");
  CHECK(bench.ask("SELECT status, error_message IS NOT NULL FROM contract_batch_jobs") ==
        "FAILED|1");
  CHECK(bench.ask(kTypes) == "JOB_ADDED\nJOB_STARTED\nJOB_ERROR\nJOB_DONE");
  CHECK(server.log().size() == 1);
}

TEST_CASE("S2-5: an ended batch stays as it is; the same command again is another one") {
  Mixture m;
  const std::string first = "SELECT * FROM contract_batch_jobs WHERE job_id = '1'";
  const std::string before = m.bench.ask(first);

  m.bench.get({"--exclude", "zip", m.server.url("/f/a.bin?size=1000"),
               m.server.url("/f/b.bin?size=70000&chunked=ok"), m.server.url("/f/c.zip"),
               m.server.url("/f/d.bin?status=404")});

  CHECK(m.bench.ask(first) == before);
  CHECK(m.bench.ask("SELECT job_id, status FROM contract_batch_jobs ORDER BY job_id") ==
        "1|COMPLETED\n2|COMPLETED");
}

TEST_CASE("S2-6: items end COMPLETED, FAILED or SKIPPED, and an ITEM_DONE tells each apart") {
  const Mixture& m = mixture();

  CHECK(m.items() == "a|COMPLETED\nb|COMPLETED\nc|SKIPPED\nd|FAILED");
  CHECK(m.bench.ask("SELECT json_extract(payload_json, '$.success'), count(*) "
                    "FROM contract_batch_events WHERE type = 'ITEM_DONE' GROUP BY 1 ORDER BY 1") ==
        "0|1\n1|3");
}

TEST_CASE("S2-7: an item is COMPLETED when its file is there, whole, and what proves it is kept") {
  const Mixture& m = mixture();

  CHECK(m.bench.listing() == "a.bin, b.bin");
  CHECK(m.bench.holds("a.bin", FaultServer::content("a.bin", 1000)));
  CHECK(m.bench.holds("b.bin", FaultServer::content("b.bin", 70'000)));
  CHECK(m.bench.ask("SELECT size, json_extract(evidence, '$.kind') FROM items "
                    "WHERE state = 'COMPLETED' ORDER BY key") == "1000|etag\n70000|etag");
  CHECK(m.bench.ask("SELECT file_path FROM contract_batch_job_items WHERE status = 'COMPLETED' "
                    "ORDER BY item_key LIMIT 1") == (m.bench.folder() / "a.bin").string());
}

TEST_CASE("S2-9: completed counts what arrived and what was passed over, failed only failures") {
  const Mixture& m = mixture();

  CHECK(m.counters() == "4|3|1|1");
  CHECK(m.bench.ask("SELECT downloaded, skipped, failed, cancelled FROM counts") == "2|1|1|0");
}

TEST_CASE("S2-10: completed and failed make the total; a batch with failures is no success") {
  const Mixture& m = mixture();
  CHECK(m.bench.ask("SELECT completed_items + failed_items = total_items "
                    "FROM contract_batch_jobs") == "1");
  CHECK(m.told.code == 1);
  CHECK(m.told.summary()["success"] == "false");

  const FaultServer server;
  GetBench bench;
  const Told good = bench.get({"--exclude", "zip", server.url("/f/a"), server.url("/f/c.zip")});
  CHECK(good.code == 0);
  CHECK(good.summary()["success"] == "true");
}

TEST_CASE("S2-10, Z-25: a batch with nothing in it is COMPLETED, but its outcome is nothing") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--discover", server.url("/page?links=")});

  CHECK(told.code == 1);
  CHECK(bench.ask("SELECT status, total_items, completed_items FROM contract_batch_jobs") ==
        "COMPLETED|0|0");
  CHECK(outcome_in_daemon(server.url("/page?links=")) == "nothing");
  CHECK(outcome_in_daemon(server.url("/page?links=/f/a.png")) == "whole");
}

TEST_CASE("S2-17: what is said at the end equals the counters, and names what failed and why") {
  const Mixture& m = mixture();
  Fields summary = m.told.summary();

  CHECK(fmt::format("{}|{}|{}|{}", summary["total"], summary["completed"], summary["failed"],
                    summary["skipped"]) == m.counters());
  CHECK(summary["downloaded"] == "2");
  CHECK(summary["bytes"] == "71000");
  const auto failures = read_array(summary["failures"]);
  REQUIRE(failures);
  REQUIRE(failures->size() == 1);
  CHECK(failures->front().find("\"reason\":\"http_404\"") != std::string::npos);
  CHECK(failures->front().find("/f/d.bin") != std::string::npos);
  CHECK(m.told.of_type("item").size() == 4);
  CHECK(m.told.outcome("/f/c.zip") == "skipped excluded_extension");
}

TEST_CASE("S2-18, S2-20: ADDED, STARTED, each ITEM_DONE, and one JOB_DONE that is the last") {
  const Mixture& m = mixture();
  const std::string types = m.bench.ask(kTypes) + "\n";

  CHECK(types.starts_with("JOB_ADDED\nJOB_STARTED\n"));
  CHECK(types.ends_with("\nJOB_DONE\n"));
  CHECK(m.bench.ask("SELECT type, count(*) FROM contract_batch_events "
                    "WHERE type IN ('ITEM_DONE', 'JOB_DONE', 'JOB_STARTED', 'JOB_ADDED') "
                    "GROUP BY type ORDER BY type") ==
        "ITEM_DONE|4\nJOB_ADDED|1\nJOB_DONE|1\nJOB_STARTED|1");
  CHECK(m.bench.ask("SELECT type FROM events ORDER BY id DESC LIMIT 1") == "JOB_DONE");
}

TEST_CASE("S2-16: JOB_PROGRESS follows its items, with counters that have them already") {
  const Mixture& m = mixture();

  // The counters of each JOB_PROGRESS equal the sum of the ITEM_DONE events before it.
  CHECK(m.bench.ask("SELECT count(*) > 0, count(*) FILTER (WHERE "
                    "json_extract(p.payload_json, '$.completed_items') <> "
                    "(SELECT count(*) FROM contract_batch_events i WHERE i.type = 'ITEM_DONE' "
                    "AND i.id < p.id AND json_extract(i.payload_json, '$.success'))) "
                    "FROM contract_batch_events p WHERE p.type = 'JOB_PROGRESS'") == "1|0");
  CHECK(m.bench.ask("SELECT max(i.id) < max(p.id) FROM contract_batch_events i, "
                    "contract_batch_events p WHERE i.type = 'ITEM_DONE' "
                    "AND p.type = 'JOB_PROGRESS'") == "1");
}

TEST_CASE("S2-19: every event has what the document wants of it") {
  const Mixture& m = mixture();
  const auto keys = [&](const std::string& type) {
    return m.bench.ask(
        "SELECT DISTINCT k.key FROM contract_batch_events e, "
        "json_each(e.payload_json) k WHERE e.type = '" +
        type + "' ORDER BY 1");
  };

  CHECK(keys("JOB_ADDED") == "engine\noutput_folder\nurl");
  CHECK(keys("JOB_STARTED") == "engine\nurl");
  CHECK(keys("ITEM_DONE") == "file_id\nfile_path\nsuccess");
  CHECK(keys("JOB_PROGRESS") == "completed_items\ntotal_items");
  CHECK(keys("JOB_DONE") == "completed_items\nfailed_items\nskipped_items\nstatus\ntotal_items");
  CHECK(m.bench.ask("SELECT json_extract(payload_json, '$.status', '$.total_items', "
                    "'$.completed_items', '$.failed_items', '$.skipped_items') "
                    "FROM contract_batch_events WHERE type = 'JOB_DONE'") ==
        "[\"COMPLETED\",4,3,1,1]");
  CHECK(m.bench.ask("SELECT json_extract(payload_json, '$.output_folder') "
                    "FROM contract_batch_events WHERE type = 'JOB_ADDED'") ==
        m.bench.folder().string());
}

TEST_CASE("S2-26: the document's columns are there, by its names") {
  const Mixture& m = mixture();
  const auto columns = [&](const std::string& view) {
    return m.bench.ask("SELECT group_concat(name, ' ') FROM pragma_table_info('" + view + "')");
  };

  CHECK(columns("contract_batch_jobs") ==
        "job_id url engine status created_at started_at finished_at total_items completed_items "
        "failed_items skipped_items output_folder error_message options_json");
  CHECK(columns("contract_batch_events") == "id job_id timestamp type payload_json");
  CHECK(columns("contract_batch_job_items") == "job_id item_key status file_path updated_at");
}

TEST_CASE("S2-29: an address in two spellings is one item, and is asked for once") {
  const FaultServer server;
  GetBench bench;
  const std::string host = fmt::format("127.0.0.1:{}", server.port());
  const Told told =
      bench.get({"HTTP://" + host + "/f/a.bin?size=9", "http://" + host + "/x/../f/a.bin?size=9",
                 "http://" + host + "/f/a.bin?size=9#part"});

  CHECK(told.code == 0);
  CHECK(bench.ask("SELECT item_key FROM contract_batch_job_items") ==
        server.url("/f/a.bin?size=9"));
  CHECK(server.log().size() == 1);
}

TEST_CASE("S2-32: the options are kept with the job, the ones for the server and the filters") {
  const FaultServer server;
  GetBench bench;
  bench.get({"--exclude", "zip", "--min-size", "10", "--until", "2099-01-01", "--segments", "3",
             "--speed-limit", "1M", "--user-agent", "me", "--header", "X-Y: z",
             server.url("/f/a")});

  CHECK(bench.ask("SELECT json_extract(options_json, '$.filters', '$.segments', "
                  "'$.limits.speed_limit', '$.user_agent', '$.headers', '$.folder') "
                  "FROM contract_batch_jobs") ==
        R"([{"date_to":"2099-01-01","exclude_extensions":["zip"],"min_size":10},3,1048576,"me",)"
        R"(["X-Y: z"],")" +
            bench.folder().string() + "\"]");
  CHECK(server.log().back().headers.at("user-agent") == "me");
  CHECK(server.log().back().headers.at("x-y") == "z");
}
