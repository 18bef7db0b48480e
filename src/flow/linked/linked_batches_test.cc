// Batches that fetch the files of films: one per life of the film, whatever crashes.

#include "flow/linked/linked_batches.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "flow/user/user.h"
#include "seam/engine.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

constexpr const char* kUrl = "https://user:secret@h/film.mkv";
using Is = LinkedJob::Is;

struct Films {
  Bench b;
  HandClock clock;
  int woken = 0;
  std::string checkpoint = R"({"inode":4711,"size":10,"target":"film.mkv"})";  // Of fetch().
  std::unique_ptr<LinkedJobs> linked =
      flow::make_linked_batches(b.store(), clock, "/in", [this] { ++woken; });

  // A film of this owner, which asks for the http engine.
  Order film(UserId owner = kAdmin) {
    const auto added =
        flow::add(b.store(),
                  {.lifecycle = &kMedia, .owner = owner, .request = full_request(kMedia, ++films_)},
                  clock.now());
    return {.store = "a1b2c3d4e5f6", .job = added.value().id};
  }
  // The film fails and is retried by hand.
  void retry(const Order& order) {
    REQUIRE(b.ask(order.job, On::fail).has_value());
    REQUIRE(flow::retry(b.store(), order.job, clock.now()).has_value());
  }
  // A worker takes the one batch that waits.
  void claim(JobId batch) {
    const auto claims = b.jobs().claim(
        {.lifecycle = &kBatch, .lane = "h", .worker = b.worker(), .limit = 1}, b.now());
    REQUIRE(claims.size() == 1);
    REQUIRE((claims.front().version.id == batch));
  }
  // It fetches all of it, one file of ten bytes.
  void fetch(JobId batch) {
    claim(batch);
    const Hold hold = b.hold(batch);
    const NewItem item{.key = "http:1", .url = "https://h/film.mkv", .size = 10, .skip = {}};
    REQUIRE(b.store().items().add(hold, {&item, 1}, Enumeration::complete, b.now()).has_value());
    const ItemMove start{.n = 1, .from = "PENDING", .on = On::start};
    const ItemMove land{.n = 1,
                        .from = "DOWNLOADING",
                        .on = On::landed,
                        .path = "/in/haul-a1b2c3d4e5f6-1/film.mkv",
                        .size = 10,
                        .checkpoint = checkpoint,
                        .proof = {Proof::evidence, "{}"},
                        .holds = {Guard::file_exists}};
    for (const ItemMove& move : {start, land})
      REQUIRE(b.store().items().move(hold, {&move, 1}, b.now()).front().has_value());
    REQUIRE(b.ask(batch, On::done).has_value());
  }
  LinkedJob look(JobId batch) { return linked->look({&batch, 1}).value().front().value(); }
  std::size_t batches() {
    return b.reader().list({.lifecycle = "batch", .limit = 100}).jobs.size();
  }

 private:
  int films_ = 0;
};

}  // namespace

TEST_CASE("engine http: a film's batch is of its owner, by the http engine, below the root") {
  Films f;
  const UserId ann = f.b.store().users().add("ann", Role::adder, f.clock.now()).value().id;
  const Order film = f.film(ann);

  const JobId batch = f.linked->add(film, kUrl).value();

  const Job job = f.b.job(batch);
  CHECK(job.version.lifecycle == &kBatch);
  CHECK(job.owner == ann);
  CHECK(job.lane == "h");
  CHECK(f.b.reader().request(batch) ==
        fmt::format(R"({{"engine":"http","folder":"/in/haul-a1b2c3d4e5f6-{}",)"
                    R"("logins":{{"https://h":"user:secret"}},"url":"https://h/film.mkv"}})",
                    film.job.value));
  CHECK(f.look(batch).folder == fmt::format("/in/haul-a1b2c3d4e5f6-{}", film.job.value));
}

TEST_CASE("promise 5: a film has one batch, also if haul crashed before it stored the number") {
  Films f;
  const Order film = f.film();
  CHECK_FALSE(f.linked->find(film).value());

  const JobId first = f.linked->add(film, kUrl).value();
  const auto after_crash = flow::make_linked_batches(f.b.store(), f.clock, "/in");
  CHECK((after_crash->find(film).value() == first));
  CHECK((after_crash->add(film, kUrl).value() == first));
  CHECK(f.batches() == 1);

  f.fetch(first);
  CHECK((after_crash->add(film, kUrl).value() == first));
  CHECK((f.linked->add(f.film(), kUrl).value() != first));  // Another film has its own.
  CHECK(f.batches() == 2);
}

TEST_CASE("engine http: a retry by hand begins a new batch in another folder") {
  Films f;
  const Order film = f.film();
  const JobId first = f.linked->add(film, kUrl).value();
  REQUIRE(f.linked->cancel(first).has_value());
  f.retry(film);

  CHECK_FALSE(f.linked->find(film).value());
  CHECK_FALSE(f.linked->find_earlier(film).value());  // It is not whole.
  const JobId second = f.linked->add(film, kUrl).value();
  CHECK((second != first));
  CHECK(f.look(second).folder == fmt::format("/in/haul-a1b2c3d4e5f6-{}-1", film.job.value));
  CHECK((f.linked->find(film).value() == second));
}

TEST_CASE("engine http: a retry by hand finds the last batch that is whole") {
  Films f;
  const Order film = f.film();
  const JobId first = f.linked->add(film, kUrl).value();
  f.fetch(first);
  CHECK_FALSE(f.linked->find_earlier(film).value());  // It is of this life.
  f.retry(film);
  CHECK((f.linked->find_earlier(film).value() == first));

  f.retry(film);
  CHECK((f.linked->find_earlier(film).value() == first));
  const JobId third = f.linked->add(film, kUrl).value();
  f.retry(film);
  CHECK((f.linked->find_earlier(film).value() == first));  // The third is not whole.
  CHECK((third != first));
}

TEST_CASE("a batch that is fetched has its files, and no other job is a linked one") {
  Films f;
  const Order film = f.film();
  const JobId batch = f.linked->add(film, kUrl).value();
  CHECK((f.look(batch).is == Is::waiting));
  CHECK(f.linked->files(batch).value().empty());

  f.fetch(batch);

  CHECK((f.look(batch).is == Is::whole));
  const auto files = f.linked->files(batch).value();
  REQUIRE(files.size() == 1);
  CHECK(files.front().path == "/in/haul-a1b2c3d4e5f6-1/film.mkv");
  CHECK(files.front().size == 10);
  const std::vector<JobId> ids{film.job, JobId{999}, JobId{}, batch};
  const auto seen = f.linked->look(ids).value();
  REQUIRE(seen.size() == 4);
  CHECK_FALSE(seen[0].has_value());
  CHECK_FALSE(seen[1].has_value());
  CHECK_FALSE(seen[2].has_value());
  CHECK(seen[3].has_value());
}

TEST_CASE("a file of a batch has the inode that was fetched, and the times of its writing") {
  Films f;
  const JobId batch = f.linked->add(f.film(), kUrl).value();
  f.fetch(batch);
  const Item item = f.b.store().items().list(batch, "", 0, 1).front();

  const LinkedFile file = f.linked->files(batch).value().front();

  CHECK(file.inode == 4711);
  CHECK((file.begun_at == f.b.job(batch).created_at));
  CHECK((file.landed_at == item.updated_at));
  CHECK(f.linked->files(JobId{999}).value().empty());
}

TEST_CASE("a file whose checkpoint names no inode is one that haul hardly knows") {
  for (const char* checkpoint : {R"({"size":10})", R"({"inode":null})", "{}"}) {
    Films f;
    f.checkpoint = checkpoint;
    const JobId batch = f.linked->add(f.film(), kUrl).value();
    f.fetch(batch);
    CHECK(f.linked->files(batch).value().front().inode == 0);
  }
}

TEST_CASE("a cancel of a batch that waits is done at once, and one that is over stays as it is") {
  Films f;
  const JobId waiting = f.linked->add(f.film(), kUrl).value();
  REQUIRE(f.linked->cancel(waiting).has_value());
  CHECK((f.look(waiting).is == Is::cancelled));
  REQUIRE(f.linked->cancel(waiting).has_value());  // Again.

  const JobId done = f.linked->add(f.film(), kUrl).value();
  f.fetch(done);
  REQUIRE(f.linked->cancel(done).has_value());
  CHECK((f.look(done).is == Is::whole));
}

TEST_CASE("a cancel of a batch that a worker fetches is a wish that the worker answers") {
  Films f;
  const JobId batch = f.linked->add(f.film(), kUrl).value();
  f.claim(batch);

  CHECK(f.woken == 1);  // By the add.
  REQUIRE(f.linked->cancel(batch).has_value());

  CHECK(f.woken == 2);
  CHECK((f.look(batch).is == Is::fetching));
  CHECK(f.b.store().intents().find_open(batch, kCancelIntent).has_value());
}

TEST_CASE("an address that a batch does not take, and a film that is gone, are permanent faults") {
  Films f;
  const auto fault_of = [&](const Order& order, const std::string& url) {
    const auto added = f.linked->add(order, url);
    REQUIRE_FALSE(added.has_value());
    CHECK((added.error().kind == FaultKind::permanent));
    return added.error().code;
  };
  CHECK(fault_of(f.film(), "magnet:?xt=urn:btih:x") == "bad_url_scheme");
  CHECK_FALSE(fault_of(f.film(), "").empty());
  CHECK(fault_of({.store = "a1b2c3d4e5f6", .job = JobId{999}}, kUrl) == "no_such_job");
  CHECK(f.batches() == 0);
  CHECK_FALSE(f.linked->find({.store = "a1b2c3d4e5f6", .job = JobId{999}}).value());
}

}  // namespace haul::testing
