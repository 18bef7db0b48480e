// The files of deleted jobs that their users want removed: the wish, its progress, and which other
// jobs need a file.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct Batches {
  Bench b;

  Purges& purges() { return b.store().purges(); }
  Items& items() { return b.store().items(); }

  // A running job with the items a and b.
  JobId run() {
    const JobId id = b.reach(kBatch, "RUNNING");
    const std::vector<NewItem> found{{.key = "a", .url = "https://h/a", .size = {}, .skip = {}},
                                     {.key = "b", .url = "https://h/b", .size = {}, .skip = {}}};
    REQUIRE(items().add(b.hold(id), found, Enumeration::complete, b.now()));
    return id;
  }
  void move(JobId id, const ItemMove& move) {
    REQUIRE(items().move(b.hold(id), {&move, 1}, b.now()).front());
  }
  void land(JobId id, std::int64_t n, const std::string& path) {
    move(id, {.n = n, .from = "PENDING", .on = On::start});
    move(id, {.n = n,
              .from = "DOWNLOADING",
              .on = On::landed,
              .path = path,
              .size = 5,
              .checkpoint = R"({"inode":7})",
              .proof = {Proof::evidence, R"({"kind":"size"})"},
              .holds = {Guard::file_exists}});
  }
  // A job that has landed both items and ended.
  JobId done(const std::string& a = "/in/a") {
    const JobId id = run();
    land(id, 1, a);
    land(id, 2, "/in/b");
    REQUIRE(b.ask(id, On::done));
    return id;
  }
  MoveAnswer remove(JobId id) { return b.jobs().hide(b.version(id), OwnFiles::remove, b.now()); }
  JobId purged() {
    const JobId id = done();
    REQUIRE(remove(id));
    return id;
  }
  FileNeeds needs(JobId id) {
    return purges().needs(id, {.key = "a", .path = "/in/a", .inode = 7, .size = 5});
  }
};

}  // namespace

TEST_CASE("a job is deleted and its purge begins in one step; without the wish there is none") {
  Batches j;
  const JobId plain = j.done();
  REQUIRE(j.b.jobs().hide(j.b.version(plain), OwnFiles::keep, j.b.now()));
  CHECK_FALSE(j.purges().find(plain));
  CHECK(j.purges().open({}, 10).empty());

  const JobId id = j.purged();

  CHECK(j.b.job(id).hidden_at == j.b.now());
  const Purge wanted{.job = id, .asked_at = j.b.now(), .ended_at = {}};
  CHECK((j.purges().find(id) == wanted));
  CHECK((j.purges().open({}, 10) == std::vector{wanted}));
  CHECK(j.purges().open(id, 10).empty());
  CHECK(j.b.event_types(id).ends_with("HIDDEN FILES_UNWANTED"));
}

TEST_CASE("a job that was deleted without its files can be asked for them later") {
  Batches j;
  const JobId id = j.done();
  REQUIRE(j.b.jobs().hide(j.b.version(id), OwnFiles::keep, j.b.now()));
  j.b.after(1h);

  REQUIRE(j.remove(id));

  CHECK(j.purges().find(id)->asked_at == j.b.now());
  CHECK(j.b.job(id).hidden_at == j.b.now() - 1h);
}

TEST_CASE(
    "a lifecycle without files of its own, and an open job, are refused and stay as they are") {
  Batches j;
  const JobId film = j.b.reach(kMedia, "cleaned");
  CHECK(j.remove(film).error().code == "no_own_files");
  CHECK_FALSE(j.b.job(film).hidden_at);
  const JobId open = j.run();
  CHECK(j.remove(open).error().code == "open");
  CHECK(j.purges().open({}, 10).empty());
}

TEST_CASE("how far a purge is, is recorded once: a second record from the same point is void") {
  Batches j;
  const JobId id = j.purged();
  const Purge begun = j.purges().find(id).value();
  Purge half = begun;
  half.after = 1;
  half.removed = 1;
  half.bytes = 5;
  half.detail = "the disk is read-only";
  CHECK(j.purges().record(begun, half, j.b.now()));
  CHECK((j.purges().find(id) == half));
  CHECK_FALSE(j.purges().record(begun, half, j.b.now()));

  Purge ended = half;
  ended.after = 2;
  ended.kept = 1;
  ended.reasons = {"/in/b: \"changed\""};
  ended.detail.clear();
  ended.ended_at = j.b.now();
  CHECK(j.purges().record(half, ended, j.b.now()));

  CHECK((j.purges().find(id) == ended));
  CHECK(j.purges().open({}, 10).empty());
  CHECK_FALSE(j.purges().record(half, ended, j.b.now()));
  CHECK(j.b.event_types(id).ends_with("FILES_UNWANTED FILES_REMOVED"));
  CHECK(j.b.store().events().of(id, {}, 100).back().data ==
        R"({"removed":1,"bytes":5,"gone":0,"kept":1,"reasons":["/in/b: \"changed\""]})");
}

TEST_CASE("a purge is asked for again once it has ended with files left, and not otherwise") {
  Batches j;
  const JobId id = j.purged();
  Purge ended = j.purges().find(id).value();
  const Purge begun = ended;
  j.b.after(1s);
  REQUIRE(j.remove(id));
  CHECK((j.purges().find(id) == begun));  // It goes on.
  ended.after = 2;
  ended.gone = 2;
  ended.ended_at = j.b.now();
  REQUIRE(j.purges().record(begun, ended, j.b.now()));

  j.b.after(1s);
  REQUIRE(j.remove(id));

  CHECK((j.purges().find(id) == Purge{.job = id, .asked_at = j.b.now(), .ended_at = {}}));
  CHECK_FALSE(j.purges().record(begun, ended, j.b.now()));  // Of the wish before.
  const Purge again = j.purges().find(id).value();
  Purge all = again;
  all.after = 2;
  all.removed = 2;
  all.ended_at = j.b.now();
  REQUIRE(j.purges().record(again, all, j.b.now()));
  REQUIRE(j.remove(id));
  CHECK((j.purges().find(id) == all));
}

TEST_CASE("the retention of events loses neither the wish nor what became of it") {
  Batches j;
  const JobId id = j.purged();
  const Purge before = j.purges().find(id).value();

  j.b.store().events().prune(j.b.now() + 1h, {}, 1'000);

  CHECK(j.b.event_types(id) == "FILES_UNWANTED");  // The newest event always stays.
  CHECK((j.purges().open({}, 10) == std::vector{before}));
}

TEST_CASE("a file is another job's if that job has a receipt of it and is not deleted") {
  Batches j;
  const JobId id = j.purged();
  CHECK((j.needs(id) == FileNeeds{}));

  const JobId elsewhere = j.done("/in/other");
  CHECK((j.needs(id) == FileNeeds{}));
  const JobId other = j.done();
  CHECK((j.needs(id) == FileNeeds{.owner = other, .taker = {}}));
  CHECK((j.needs(elsewhere).owner == other));

  REQUIRE(j.b.jobs().hide(j.b.version(other), OwnFiles::keep, j.b.now()));
  CHECK((j.needs(id) == FileNeeds{}));
}

TEST_CASE("a file that another job may clean stays until that job has done it") {
  Batches j;
  const JobId id = j.purged();
  const JobId film = j.b.reach(kMedia, "imported");
  const auto list = [&](std::int64_t inode, std::int64_t size) {
    const ManifestEntry entry{.root = "/in", .path = "a", .inode = inode, .size = size};
    REQUIRE(j.b.store().manifest().list(j.b.hold(film), {&entry, 1}));
  };
  list(8, 5);
  CHECK((j.needs(id) == FileNeeds{}));
  list(7, 6);
  CHECK((j.needs(id) == FileNeeds{}));
  list(7, 5);
  CHECK((j.needs(id) == FileNeeds{.owner = film, .taker = {}}));

  const FileId file = j.b.store().manifest().of(film, 1).front().id;
  REQUIRE(j.b.store().manifest().settle(j.b.hold(film), file, Removal::kept_unsafe, j.b.now()));
  CHECK((j.needs(id) == FileNeeds{}));
}

TEST_CASE("a leased job that has not finished the same address may take the file") {
  Batches j;
  const JobId id = j.purged();
  const JobId runs = j.run();
  CHECK((j.needs(id) == FileNeeds{.owner = {}, .taker = runs}));

  j.move(runs, {.n = 1, .from = "PENDING", .on = On::start});
  CHECK(j.needs(id).taker == runs);
  j.move(runs, {.n = 1, .from = "DOWNLOADING", .on = On::fail, .reason = "http_404"});
  CHECK((j.needs(id) == FileNeeds{}));
}

TEST_CASE("a job that waits for a worker takes no file: it does not find receipts of purged jobs") {
  Batches j;
  const JobId kept = j.done();
  const JobId id = j.purged();
  const JobId later = j.run();
  REQUIRE(j.b.ask(later, On::release));

  CHECK((j.needs(id).taker == JobId{}));
  const std::vector<std::string_view> keys{"a"};
  CHECK(j.items().past(later, keys, PastParts::find).front().receipts.size() == 1);
  REQUIRE(j.remove(kept));
  CHECK(j.items().past(later, keys, PastParts::find).front().receipts.empty());
}

TEST_CASE("the landings of a path are found by its address, the newest first") {
  Batches j;
  const JobId first = j.done();
  j.b.after(1s);
  j.done();
  j.done("/in/other");
  const JobId id = j.purged();

  const auto found = j.purges().landings(id, {.key = "a #2", .path = "/in/a"}, 10);

  REQUIRE(found.size() == 2);
  CHECK((found[0] == LandedItem{R"({"inode":7})", j.b.now()}));
  CHECK((found[1] == LandedItem{R"({"inode":7})", j.b.now() - 1s}));
  CHECK(j.purges().landings(first, {.key = "a", .path = "/in/none"}, 10).empty());
}
