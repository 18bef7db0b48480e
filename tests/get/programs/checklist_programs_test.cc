// S2-33: the ten points of 002's verification checklist for the real yt-dlp and the real
// gallery-dl, in their order.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <memory>

#include "base/clock.h"
#include "base/json.h"
#include "support/process/get_bench.h"
#include "support/process/media.h"
#include "support/process/relatives.h"
#include "support/run/proof.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// A page with four files: two arrive, a filter skips one, and one does not exist.
struct Mixture {
  std::string engine;
  MediaServer server;
  GetBench bench;
  Told told;

  explicit Mixture(const std::string& its_engine)
      : engine{its_engine}, bench{engine}, told{bench.get({"--exclude", "webm,png", page()})} {}

  std::string page() const {
    if (engine == "yt-dlp")
      return server.page("mixture.html",
                         "<title>M</title><video src=clip.mp4></video><video src=gone.mp4></video>"
                         "<video src=other.webm></video><video src=hls.m3u8></video>");
    std::string links;
    for (const char* name : {"1.jpg", "2.jpg", "3.png", "gone.jpg"})
      links += fmt::format("<a href=\"{}\">x</a>\n", server.file(name));
    return "r:" + server.page("mixture-list.html", links);
  }
  std::string column(const std::string& name) const {
    return bench.ask("SELECT " + name + " FROM contract_batch_jobs");
  }
};

// A slow file, cancelled for good once bytes have arrived.
struct Cancelled {
  MediaServer server;
  GetBench bench;
  std::string word = unique_word();
  Millis took{0};
  Fields progress;  // The last progress before the cancel.

  explicit Cancelled(const std::string& engine) : bench{engine} {
    Child child{bench.command({"--discard", page(engine)})};
    while (progress["active"].find("have_bytes\":") == std::string::npos ||
           progress["active"].find("have_bytes\":0,") != std::string::npos) {
      const auto line = child.line();
      REQUIRE(line);
      progress.clear();
      const auto fields = read_object(*line);
      REQUIRE(fields);
      for (const JsonField& field : *fields) progress[field.name] = field.text;
    }
    const Steady before = system_clock().steady();
    interrupt_for_good(child);
    told(child);
    took = system_clock().steady() - before;
  }

  std::string page(const std::string& engine) const {
    const std::string slow = server.url(fmt::format(
        "/f/slow.{}?size=9000000&limit_rate=200000&type={}&{}", engine == "yt-dlp" ? "mp4" : "jpg",
        engine == "yt-dlp" ? "video/mp4" : "image/jpeg", "etag=" + word));
    if (engine == "yt-dlp")
      return server.page(word + ".html", fmt::format("<video src=\"{}\"></video>", slow));
    return "r:" + server.page(word + ".html", fmt::format("<a href=\"{}\">x</a>", slow));
  }
};

// Runs once per engine and is shared by all tests.
const Mixture& mixture(const std::string& engine) {
  static std::map<std::string, std::unique_ptr<Mixture>> all;
  auto& found = all[engine];
  if (!found) found = std::make_unique<Mixture>(engine);
  return *found;
}

constexpr const char* kEngines[] = {"yt-dlp", "gallery-dl"};

}  // namespace

TEST_CASE("S2-33, 1, S2-11: the total is known before anything is fetched") {
  for (const char* engine : kEngines) {
    INFO(engine);
    const Mixture& m = mixture(engine);
    INFO(m.told.out);
    CHECK(m.column("total_items") == "4");
    for (const Fields& line : m.told.of_type("progress")) {
      if (line.at("active") == "[]") continue;
      CHECK(line.at("total") == "4");
      CHECK(line.at("enumeration_complete") == "true");
    }
  }
}

TEST_CASE("S2-33, 2 to 4: completion, failure and skip count where they should") {
  for (const char* engine : kEngines) {
    INFO(engine);
    const Mixture& m = mixture(engine);
    INFO(m.told.out);
    CHECK(m.column("status, completed_items, failed_items, skipped_items") == "COMPLETED|3|1|1");
    CHECK(m.told.code == 1);
    CHECK(m.bench.ask("SELECT reason FROM items WHERE state = 'FAILED'") == "http_404");
    CHECK(m.bench.ask("SELECT reason FROM items WHERE state = 'SKIPPED'") == "excluded_extension");
  }
}

TEST_CASE("S2-33, 5, 6, 8: progress tells which file; a cancel leaves nothing (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  for (const char* engine : kEngines) {
    INFO(engine);
    Cancelled c{engine};
    CHECK(is_within(c.took, 2s));
    CHECK(relatives(c.bench.folder()).empty());
    CHECK(c.bench.listing().empty());
    CHECK(c.bench.ask("SELECT status FROM contract_batch_job_items") == "CANCELLED");
    CHECK(c.progress["active"].find("\"item\":1") != std::string::npos);
    CHECK(c.progress["active"].find("\"status\":\"Downloading\"") != std::string::npos);
  }
}

TEST_CASE("S2-33, 7: JOB_PROGRESS comes after each item") {
  for (const char* engine : kEngines)
    CHECK(mixture(engine).bench.ask(
              "SELECT count(*) FROM contract_batch_events i WHERE i.type = 'ITEM_DONE' "
              "AND NOT EXISTS (SELECT 1 FROM contract_batch_events p "
              "WHERE p.type = 'JOB_PROGRESS' AND p.id > i.id)") == "0");
}

TEST_CASE("S2-33, 9: the result equals the final counters") {
  for (const char* engine : kEngines) {
    const Mixture& m = mixture(engine);
    Fields summary = m.told.summary();
    CHECK(m.column("total_items, completed_items, failed_items, skipped_items") ==
          fmt::format("{}|{}|{}|{}", summary["total"], summary["completed"], summary["failed"],
                      summary["skipped"]));
  }
}

TEST_CASE("S2-33, 10: events come in the right order") {
  for (const char* engine : kEngines)
    CHECK(mixture(engine).bench.ask(
              "SELECT group_concat(DISTINCT type) FROM (SELECT type FROM contract_batch_events "
              "WHERE type <> 'LOG' ORDER BY id)") ==
          "JOB_ADDED,JOB_STARTED,ITEM_DONE,JOB_PROGRESS,JOB_DONE");
}
