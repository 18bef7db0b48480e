// Jobs::add_past: jobs that another program has had so far, with their moves at the old times.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr Time kOld = Bench::kStart - 1000h;

// A film that was added at kOld, began an hour later and was fetched after another hour.
PastJob fetched_film(int number = 1) {
  return {.job = {.lifecycle = &kMedia,
                  .request = request_for(kMedia, number),
                  .due_at = Bench::kStart,
                  .caller_key = fmt::format("row {}", number)},
          .added_at = kOld,
          .steps = {{{.on = On::started,
                      .by = By::system,
                      .due_at = Bench::kStart,
                      .holds = {Guard::active_report}},
                     kOld + 1h},
                    {{.on = On::fetched, .by = By::system, .due_at = Bench::kStart}, kOld + 2h}}};
}

// "MOVED 3600", …: the events of a job, and how many seconds after kOld they happened.
std::string events_of(Bench& b, JobId id) {
  std::string text;
  for (const Event& event : b.store().events().of(id, {}, kListMax))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", event.type,
                        std::chrono::duration_cast<std::chrono::seconds>(event.at - kOld).count());
  return text;
}

std::size_t jobs_in(Bench& b) { return b.reader().list({.limit = kListMax}).jobs.size(); }

}  // namespace

TEST_CASE("Z-17, A1-10: a past job has the times of its past, and every move has its event") {
  Bench b;
  const PastJob film = fetched_film();

  const auto added = b.jobs().add_past({&film, 1});

  REQUIRE(added.size() == 1);
  REQUIRE(added[0].has_value());
  CHECK_FALSE(added[0]->replayed);
  const Job job = b.job(added[0]->id);
  CHECK(job.version.state == "completed");
  CHECK(job.version.seq == 2);
  CHECK((job.created_at == kOld));
  CHECK((job.moved_at == kOld + 2h));
  CHECK((job.due_at == Bench::kStart));
  CHECK_FALSE(bool{job.worker});
  CHECK(b.trail(job.version.id) == "queued > downloading > completed");
  CHECK(events_of(b, job.version.id) == "ADDED 0, MOVED 3600, MOVED 7200");
}

TEST_CASE("Z-17: a past job that is there already gets no moves, whatever has become of it") {
  Bench b;
  const PastJob film = fetched_film();
  const JobId id = b.jobs().add_past({&film, 1}).front().value().id;
  REQUIRE((b.claim(kMedia).version.id == id));
  REQUIRE(b.ask(id, On::fail).has_value());
  const Job before = b.job(id);

  const auto again = b.jobs().add_past({&film, 1});

  CHECK((again.front().value() == Added{id, true}));
  CHECK((b.job(id) == before));
  CHECK(jobs_in(b) == 1);
}

TEST_CASE("Z-17: a past move that the rules refuse leaves nothing of the whole call") {
  Bench b;
  std::vector<PastJob> films{fetched_film(1), fetched_film(2)};
  films[1].steps[1].ask.on = On::verified;  // Not from downloading.

  CHECK_THROWS_AS(b.jobs().add_past(films), StoreFault);
  CHECK(jobs_in(b) == 0);

  films[1].steps[1].ask.on = On::fetched;
  films[1].steps[0].ask.holds = {};  // The guard is not checked.
  CHECK_THROWS_AS(b.jobs().add_past(films), StoreFault);
  CHECK(jobs_in(b) == 0);
}

TEST_CASE("Z-17: a past job that add() would refuse is refused alone; a call takes 4,000") {
  Bench b;
  std::vector<PastJob> films{fetched_film(1), fetched_film(2)};
  films[0].job.owner = UserId{99};

  const auto added = b.jobs().add_past(films);

  CHECK(added[0].error().code == "no_such_user");
  CHECK(added[1].has_value());
  CHECK(jobs_in(b) == 1);
  CHECK(b.jobs().add_past({}).empty());
  const std::vector<PastJob> many(4'001, fetched_film());
  CHECK_THROWS_AS(b.jobs().add_past(many), StoreFault);
}
