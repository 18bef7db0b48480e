// What other jobs know about an item: the receipts of files that landed (Z-24), and the checkpoint
// of an unfinished item in a paused job.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct Batches {
  Bench b;

  // A running job with the items a and b.
  JobId run() {
    const JobId id = b.reach(kBatch, "RUNNING");
    const std::vector<NewItem> found{{.key = "a", .url = "https://h/a", .size = {}, .skip = {}},
                                     {.key = "b", .url = "https://h/b", .size = {}, .skip = {}}};
    REQUIRE(items().add(b.hold(id), found, Enumeration::complete, b.now()));
    return id;
  }
  void land(JobId id, std::int64_t n, const std::string& path) {
    const std::vector<ItemMove> moves{{.n = n, .from = "PENDING", .on = On::start},
                                      {.n = n,
                                       .from = "DOWNLOADING",
                                       .on = On::landed,
                                       .path = path,
                                       .size = 5,
                                       .proof = {Proof::evidence, R"({"kind":"size"})"},
                                       .holds = {Guard::file_exists}}};
    for (const ItemAnswer& moved : items().move(b.hold(id), moves, b.now())) REQUIRE(moved);
  }
  Items& items() { return b.store().items(); }
  std::vector<ItemPast> past(JobId id, PastParts parts = PastParts::find) {
    const std::vector<std::string_view> keys{"a", "b", "none"};
    return items().past(id, keys, parts);
  }
};

}  // namespace

TEST_CASE("Z-24: a receipt is found by the item's key, the newest first, never the job's own") {
  Batches j;
  const JobId first = j.run();
  j.land(first, 1, "/in/old");
  const JobId second = j.run();
  j.land(second, 1, "/in/new");
  const JobId third = j.run();

  const std::string evidence = R"({"kind":"size"})";
  const auto past = j.past(third);
  REQUIRE(past.size() == 3);
  CHECK((past[0].receipts ==
         std::vector<Receipt>{{"/in/new", 5, evidence}, {"/in/old", 5, evidence}}));
  CHECK(past[1].receipts.empty());
  CHECK(past[2].receipts.empty());
  CHECK((j.past(second)[0].receipts == std::vector<Receipt>{{"/in/old", 5, evidence}}));
}

TEST_CASE("a checkpoint is taken over from a paused job that no worker has, if it is asked for") {
  Batches j;
  const JobId first = j.run();
  const ItemObservation kept{.n = 1, .checkpoint = R"({"part":"x"})"};
  REQUIRE(j.items().observe(j.b.hold(first), {&kept, 1}, j.b.now()));
  const JobId second = j.run();

  CHECK(j.past(second)[0].checkpoint.empty());  // The first one still runs.
  REQUIRE(j.b.ask(first, On::release));
  CHECK(j.past(second)[0].checkpoint.empty());  // It may run again at any time.
  REQUIRE(j.b.jobs().pause(j.b.version(first), j.b.now()));

  CHECK(j.past(second)[0].checkpoint == R"({"part":"x"})");
  CHECK(j.past(second)[1].checkpoint.empty());
  CHECK(j.past(second, PastParts::ignore)[0].checkpoint.empty());
}

TEST_CASE("a checkpoint is taken over from an item that failed, once its job has ended") {
  Batches j;
  const JobId first = j.run();
  const std::vector<ItemMove> moves{
      {.n = 1, .from = "PENDING", .on = On::start},
      {.n = 1,
       .from = "DOWNLOADING",
       .on = On::fail,
       .checkpoint = R"({"part":"x"})",
       .reason = "max_time"},
      {.n = 2, .from = "PENDING", .on = On::start},
      {.n = 2, .from = "DOWNLOADING", .on = On::fail, .checkpoint = "{}", .reason = "http_404"}};
  for (const ItemAnswer& moved : j.items().move(j.b.hold(first), moves, j.b.now())) REQUIRE(moved);
  const JobId second = j.run();
  CHECK(j.past(second)[0].checkpoint.empty());  // The first one still runs.
  REQUIRE(j.b.ask(first, On::done));

  CHECK(j.past(second)[0].checkpoint == R"({"part":"x"})");
  CHECK(j.past(second)[1].checkpoint.empty());
  CHECK(j.past(second, PastParts::ignore)[0].checkpoint.empty());
}

TEST_CASE("Z-24: receipts are found by the address, whatever name the item had") {
  Batches j;
  const JobId first = j.run();
  j.land(first, 1, "/in/x");
  const JobId second = j.run();
  const std::vector<std::string_view> keys{"a #2", "a", "ab", "A"};

  const auto past = j.items().past(second, keys, PastParts::find);
  CHECK(past[0].receipts.size() == 1);
  CHECK(past[1].receipts.size() == 1);
  CHECK(past[2].receipts.empty());
  CHECK(past[3].receipts.empty());
}
