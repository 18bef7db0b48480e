// Another link for an item that ended without its file.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

Failed refused(std::string code = "http_403") {
  Failed failure = failed(FaultKind::permanent, std::move(code));
  failure.checkpoint = R"({"part":"a.part"})";
  return failure;
}

FoundItem item(const std::string& name) {
  return {.key = "http://h/" + name, .url = "http://h/" + name};
}

// A batch whose first item failed like this.
JobId expired(Stage& s, Planned plan = {.items = {item("a")}}) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", std::move(plan));
  s.reply("http.start", refused());
  return id;
}

std::expected<Added, Refusal> relink(Stage& s, JobId id, const std::string& url,
                                     std::int64_t n = 1) {
  const auto work = s.work();
  return flow::replace_link(s.store(), s.job(id), {.item = n, .url = url}, s.clock.now(), work);
}

std::string code(const std::expected<Added, Refusal>& answer) {
  return answer ? "added" : answer.error().code;
}

std::string checkpoint(Stage& s, JobId id) {
  return s.store().items().list(id, "", 0, 1).at(0).checkpoint;
}

}  // namespace

TEST_CASE("A2-16: a refused link fails its item, and a retry goes on with its part") {
  Stage s;
  const JobId id = expired(s);
  CHECK(s.state(id) == "COMPLETED");
  CHECK(s.items(id) == "FAILED");
  CHECK(s.count("http.stop") == 0);

  const auto again = flow::retry(s.store(), id, s.clock.now(), s.work());
  REQUIRE(again);
  s.tick();

  CHECK(checkpoint(s, again->id) == R"({"part":"a.part"})");
}

TEST_CASE("a file that is wrong leaves nothing: its part goes at once, and a retry has none") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {item("a")}});
  s.reply("http.start", refused("unexpected_content"));

  CHECK(s.items(id) == "FAILED");
  CHECK((s.last("http.stop").leftovers == Leftovers::remove));
  CHECK(s.intents(id).empty());
  const auto again = flow::retry(s.store(), id, s.clock.now(), s.work());
  s.tick();
  CHECK(checkpoint(s, again->id).empty());
}

TEST_CASE("S2-31: a new link makes a job with that one item, which goes on with the part") {
  Stage s;
  const JobId id = expired(s);

  const auto added = relink(s, id, "http://h/new");
  REQUIRE(added);
  CHECK_FALSE(added->replayed);
  s.live(2s);  // The host's requests are a second apart.

  CHECK(s.job(added->id).retry_of == id);
  CHECK(s.last("http.start").url == "http://h/new");
  CHECK(checkpoint(s, added->id) == R"({"replaced":true,"part":"a.part","source":"http://h/a"})");
  CHECK(s.count("http.plan") == 1);  // The first job's: the second knows its item.
  s.reply("http.start", whole("/in/a"));
  CHECK(s.state(added->id) == "COMPLETED");
  CHECK(s.event_types(added->id).find("LINK_REPLACED") != std::string::npos);
}

TEST_CASE("S2-31: the same link again is the same job while it is open; another link is another") {
  Stage s;
  const JobId id = expired(s);
  const auto first = relink(s, id, "http://h/new");

  const auto again = relink(s, id, "http://h/new");
  CHECK(again->id == first->id);
  CHECK(again->replayed);
  CHECK(s.event_types(first->id) == "JOB_ADDED LINK_REPLACED");
  CHECK(relink(s, id, "http://h/newer")->id != first->id);
}

TEST_CASE("S2-31: a failed item gets a new link while its job still runs") {
  Stage s;
  const JobId id = expired(s, {.items = {item("a"), item("b")}});
  REQUIRE(s.state(id) == "RUNNING");

  CHECK(code(relink(s, id, "http://h/new", 1)) == "added");
  CHECK(code(relink(s, id, "http://h/new", 2)) == "item_open");
  CHECK(code(relink(s, id, "http://h/new", 3)) == "no_such_item");
}

TEST_CASE("S2-31: an item whose file is here, or that a filter skipped, gets no other link") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  FoundItem skipped = item("b");
  skipped.skip = "too_small";
  s.reply("http.plan", Planned{.items = {item("a"), skipped}});
  s.reply("http.start", whole("/in/a"));
  REQUIRE(s.items(id) == "COMPLETED SKIPPED");

  CHECK(code(relink(s, id, "http://h/new", 1)) == "item_done");
  CHECK(code(relink(s, id, "http://h/new", 2)) == "item_done");
}

TEST_CASE("S2-31: a new link is checked like that of a new job") {
  Stage s;
  const JobId id = expired(s);

  CHECK(code(relink(s, id, "ftp://h/new")) == "bad_url_scheme");
  CHECK(code(relink(s, id, "nothing")) != "added");
  CHECK(code(relink(s, id, "http://h/" + std::string(9'000, 'a'))) == "url_too_long");
  CHECK(code(relink(s, s.add(kMedia), "http://h/new")) == "no_link");
}

TEST_CASE("S2-31: a login in a new link is kept apart from the address") {
  Stage s;
  const JobId id = expired(s);

  const auto added = relink(s, id, "http://me:secret@h/new");

  REQUIRE(added);
  CHECK(s.store().items().list(added->id, "", 0, 1).at(0).url == "http://h/new");
  const std::string request = s.store().reader().request(added->id).value();
  CHECK(request.find(R"("urls":["http://h/new"])") != std::string::npos);
  CHECK(request.find(R"("logins":{"http://h":"me:secret"})") != std::string::npos);
}

TEST_CASE("parts that a job has left for a retry go after seven days, or with the job") {
  Stage s;
  const JobId kept = expired(s);
  CHECK(s.intents(kept) == "clear open");
  s.live(6 * 24h + 23h, 1h);
  CHECK(s.count("http.stop") == 0);

  const JobId deleted = expired(s);
  s.live(1min);
  CHECK(s.count("http.stop") == 0);
  REQUIRE(flow::hide(s.store(), deleted, OwnFiles::keep, s.clock.now()));
  s.live(1min);
  CHECK(s.count("http.stop") == 1);
  CHECK(s.last("http.stop").job == deleted);
  CHECK(s.intents(deleted) == "clear done");

  s.live(1h, 1min);
  CHECK(s.last("http.stop").job == kept);
  CHECK((s.last("http.stop").leftovers == Leftovers::remove));
  CHECK(s.intents(kept) == "clear done");
}

}  // namespace haul::testing
