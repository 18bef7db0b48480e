// Z-4: the trash is emptied of what is old enough, by one process, a few files at a time.

#include "flow/media/trash_keeper.h"

#include <doctest/doctest.h>

#include "support/flow/fake_trash.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Time kStart = Bench::kStart;
constexpr Millis kDay = 24h;

struct Keeping {
  Keeping() { trash.keeps = 7 * kDay; }

  // haul has run for so long since kStart.
  Keeping& ran(Millis time) {
    if (!stretch) stretch = b.store().uptime().begin(kStart, Millis{0});
    b.store().uptime().extend(stretch->id, kStart + time);
    return *this;
  }
  Keeping& put(int job, const std::string& path, Time at) {
    trash.put(JobId{job}, path, at);
    return *this;
  }

  Bench b;
  FakeTrash trash;
  bool may_delete = true;
  std::vector<TrashEmptied> told;
  std::optional<Stretch> stretch;
  flow::TrashKeeper keeper{b.store(), &trash, [this] { return may_delete; },
                           [this](const TrashEmptied& emptied) { told.push_back(emptied); }};
};

}  // namespace

TEST_CASE("promise 6: only time that haul ran makes a trashed file older") {
  const std::vector<Stretch> whole{{1, kStart, kStart + 10 * kDay, 0ms}};
  CHECK(flow::trash_until(whole, 7 * kDay) == kStart + 3 * kDay);
  CHECK(flow::trash_until(whole, 10 * kDay) == kStart);
  CHECK_FALSE(flow::trash_until(whole, 10 * kDay + 1ms));
  CHECK_FALSE(flow::trash_until({}, 7 * kDay));

  // Two days, a year without haul, two more days.
  const Time later = kStart + 365 * kDay;
  const std::vector<Stretch> gap{{1, kStart, kStart + 2 * kDay, 0ms},
                                 {2, later, later + 2 * kDay, 2 * kDay}};
  CHECK(flow::trash_until(gap, 3 * kDay) == kStart + kDay);
  CHECK_FALSE(flow::trash_until(gap, 5 * kDay));
}

TEST_CASE("Z-4: the trash keeper deletes what is there for trash_days, and nothing newer") {
  Keeping k;
  k.put(7, "old", kStart + kDay).put(7, "new", kStart + kDay + 1ms).put(3, "other", kStart);

  CHECK(k.ran(7 * kDay - 1ms).keeper.step() == 1h);
  CHECK(k.trash.text() == "3:other 7:old 7:new");

  CHECK(k.ran(8 * kDay).keeper.step() == 1h);
  CHECK(k.trash.text() == "7:new");
  REQUIRE(k.told.size() == 1);
  CHECK(k.told[0].files == 2);
  CHECK(k.told[0].bytes == 2);
  CHECK(k.told[0].kept.empty());
}

TEST_CASE("the trash keeper deletes at most a hundred files at a time, over all jobs") {
  Keeping k;
  for (int i = 0; i < 60; ++i)
    k.put(8, std::to_string(i), kStart).put(7, std::to_string(i), kStart);
  for (int job = 100; job < 250; ++job) k.put(job, "x", kStart + 8 * kDay);  // Not old enough.
  k.ran(8 * kDay);

  CHECK(k.keeper.step() == 1s);  // A hundred jobs in a turn.
  CHECK(k.told.empty());
  CHECK(k.keeper.step() == 1s);
  REQUIRE(k.told.size() == 1);
  CHECK(k.told[0].files == 100);
  CHECK(k.keeper.step() == 1h);
  REQUIRE(k.told.size() == 2);
  CHECK(k.told[1].files == 20);
}

TEST_CASE("a trash keeper that has lost its duty deletes nothing, and later goes on") {
  Keeping k;
  k.put(7, "a", kStart).ran(8 * kDay);

  k.may_delete = false;
  CHECK(k.keeper.step() == 1s);
  CHECK(k.trash.text() == "7:a");

  k.may_delete = true;
  CHECK(k.keeper.step() == 1h);
  CHECK(k.trash.text().empty());
}

TEST_CASE("Z-31: the trash of a restored store is kept until an admin clears it") {
  Keeping k;
  k.put(7, "a", kStart).ran(8 * kDay);
  k.b.store().identity().mark_restored(kStart);
  CHECK(k.keeper.step() == 1h);
  CHECK(k.trash.text() == "7:a");

  k.b.store().identity().clear_restored(kAdmin, kStart);
  CHECK(k.keeper.step() == 1h);
  CHECK(k.trash.text().empty());
}

TEST_CASE("without trash_days, and without a trash, nothing is deleted") {
  Keeping k;
  k.put(7, "a", kStart).ran(100 * kDay);
  k.trash.keeps = 0ms;
  CHECK(k.keeper.step() == 1h);
  CHECK(k.trash.text() == "7:a");

  flow::TrashKeeper none{k.b.store(), nullptr, [] { return true; }, [](const TrashEmptied&) {}};
  CHECK(none.step() == 1h);
}

TEST_CASE("the trash keeper tells what it could not delete, and passes over what is in use") {
  Keeping k;
  k.put(9, "a", kStart).put(8, "b", kStart).put(7, "c", kStart).ran(8 * kDay);
  k.trash.busy = {JobId{9}};
  k.trash.taken = {"b"};

  CHECK(k.keeper.step() == 1h);

  CHECK(k.trash.text() == "8:b 9:a");
  REQUIRE(k.told.size() == 1);
  CHECK((k.told[0].kept == std::vector<std::string>{"job 8: b: it changed"}));

  k.trash.away = Fault{FaultKind::environment, "folder_gone", "/in: not there"};
  CHECK(k.keeper.step() == 1h);
  CHECK((k.told.back().kept == std::vector<std::string>{"/in: not there"}));
}

}  // namespace haul::testing
