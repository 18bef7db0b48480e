// A batch whose items are fetched by programs: how many at once, within which limits, and which
// engine haul chose.

#include <doctest/doctest.h>

#include "seam/item_key.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

FoundItem item(std::string_view engine, int index) {
  const std::string page = "https://h/p";
  return {.key = item_key(engine, {index, page}), .url = page, .size = {}, .skip = {}};
}

JobId running(Stage& s, std::vector<FoundItem> items) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = std::move(items)});
  return id;
}

}  // namespace

TEST_CASE("videos are fetched two at a time; their own requests take the slots, not their starts") {
  Stage s;
  running(s, {item(kYtDlp, 1), item(kYtDlp, 2), item(kYtDlp, 3)});

  CHECK(s.asked() == "http.plan 1, http.start 1.1, http.start 1.2");
  CHECK(s.host_slots("h") == 0);

  s.reply("http.start", whole("/in/b"));
  CHECK(s.asked() == "http.start 1.3");
}

TEST_CASE("pictures start together, so that they can share a process") {
  Stage s;
  running(s, {item(kGalleryDl, 1), item(kGalleryDl, 2), item(kGalleryDl, 3)});

  CHECK(s.asked() == "http.plan 1, http.start 1.1, http.start 1.2, http.start 1.3");
  CHECK(s.host_slots("h") == 0);
}

TEST_CASE("which engine was chosen stands in the job, and why in its events") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  const Call plan = s.last("http.plan");

  s.push(plan, Chosen{.engine = "yt-dlp", .reason = "a \"page\""});
  s.push(plan, Chosen{.engine = "yt-dlp", .reason = "told again"});
  s.tick();

  CHECK(s.job(id).engine == "yt-dlp");
  std::string notes;
  for (const Event& event : s.store().events().of(id, {}, 100))
    if (event.type == "LOG") notes += event.data;
  CHECK(notes == R"({"message":"engine yt-dlp: a \"page\"","level":"info"})");
}

TEST_CASE("a warning about the engine stands in the job's events, also where it was asked for") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  const Call plan = s.last("http.plan");

  s.push(plan, Chosen{.engine = "yt-dlp", .reason = "x", .warning = "no walls"});
  s.push(plan, Planned{.items = {item(kYtDlp, 1)}, .complete = false});
  s.push(plan, Chosen{.engine = "yt-dlp", .reason = "x", .warning = "no walls"});
  s.tick();

  int warnings = 0;
  for (const Event& event : s.store().events().of(id, {}, 100))
    warnings += event.data == R"({"message":"no walls","level":"warning"})" ? 1 : 0;
  CHECK(warnings == 1);
}

TEST_CASE("what a program does besides, and its guess at the size, are for people only") {
  Stage s;
  const JobId id = running(s, {item(kYtDlp, 0)});
  const Call start = s.last("http.start");

  Moving moving{.have = 5, .size = {}, .path = {}, .checkpoint = {}};
  moving.status = "Merging";
  moving.about = 10;
  s.push(start, moving);
  s.tick();
  const auto views = s.worker().transfers(id);
  REQUIRE(views.size() == 1);
  CHECK(views[0].status == "Merging");
  CHECK(views[0].size == 10);

  s.reply("http.start", whole("/in/a", 9));  // The size may differ from the estimate.
  CHECK(s.trail(id) == "PENDING > RUNNING > COMPLETED");
}

}  // namespace haul::testing
