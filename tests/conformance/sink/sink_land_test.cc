// What a sink promises about landing (Sink::land).

#include <numeric>

#include "base/json.h"
#include "conformance/sink/sink.h"

namespace haul::conformance {
namespace {

std::int64_t size_of(const std::vector<PlacedFile>& files) {
  return std::accumulate(files.begin(), files.end(), std::int64_t{0},
                         [](std::int64_t all, const PlacedFile& file) { return all + file.size; });
}

// Landed with every file, or Sent with a receipt.
void check_delivered(const Parcel& parcel, const What& answer) {
  if (const auto* sent = std::get_if<Sent>(&answer)) {
    CHECK(is_json_text(sent->ack));
    return;
  }
  const auto* landed = std::get_if<Landed>(&answer);
  REQUIRE(landed);
  CHECK_FALSE(landed->files.empty());
  CHECK(size_of(landed->files) == parcel.size);
  CHECK(is_json_text(landed->evidence));
  for (const PlacedFile& file : landed->files) CHECK_FALSE(file.path.empty());
}

}  // namespace

TEST_CASE("sink: one that works says that it is usable, at once or by one answer") {
  with_each<SinkBench>([](SinkBench& b) {
    const Parcel parcel = b.parcel(Pace::quick);
    if (b.sink().is_usable(parcel, b.sights)) return;

    const auto answer = b.await(parcel);

    REQUIRE(answer);
    CHECK(std::holds_alternative<Usable>(*answer));
    CHECK(b.answers(parcel) == 1);
  });
}

TEST_CASE("sink: a parcel is delivered whole, with proof, and answered once") {
  with_each<SinkBench>([](SinkBench& b) {
    const Parcel parcel = b.parcel(Pace::quick);

    const auto answer = b.land(parcel);

    REQUIRE(answer);
    check_delivered(parcel, *answer);
    CHECK(b.is_quiet());
    CHECK(b.answers(parcel) == 1);
    CHECK(b.has_source(Pace::quick));
  });
}

TEST_CASE("sink: every sight carries the job and the fence of its parcel, and no item") {
  with_each<SinkBench>([](SinkBench& b) {
    Parcel parcel = b.parcel(Pace::quick);
    parcel.fence = 7;

    REQUIRE(b.land(parcel));

    for (const Sight& sight : b.sights.all()) {
      CHECK((sight.job == parcel.job));
      CHECK(sight.item == 0);
      CHECK(sight.fence == 7);
      CHECK(sight.start == 0);
    }
  });
}

TEST_CASE("sink: a parcel that is landed twice is there once, and both are answered") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::keeps_one)) return;
    const auto once = b.landed(b.parcel(Pace::quick));
    REQUIRE(once);

    Parcel again = b.parcel(Pace::quick);
    again.fence = 2;
    const auto twice = b.landed(again);

    REQUIRE(twice);
    CHECK(twice->placed == once->placed);
    CHECK(b.kept() == once->placed.size());
  });
}

TEST_CASE("sink: a parcel that is landed twice at the same time is there once") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::keeps_one)) return;
    const Parcel parcel = b.parcel(Pace::quick);
    Sights other;  // Of another worker.

    b.sink().land(parcel, b.sights);
    b.sink().land(parcel, other);
    const auto landed = [](const Sights& sights) {
      return first<Landed>(sights.all(), [](const Sight&) { return true; });
    };
    b.until([&] { return landed(b.sights) && landed(other); }, kPatience);

    REQUIRE(landed(b.sights));
    REQUIRE(landed(other));
    CHECK(landed(other)->files == landed(b.sights)->files);
    CHECK(b.kept() == landed(other)->files.size());
  });
}

TEST_CASE("sink: progress is reported while a parcel is on its way") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::tells_progress)) return;
    const Parcel parcel = b.parcel(Pace::held);
    b.sink().land(parcel, b.sights);

    REQUIRE(b.until([&] { return !b.sights.all().empty(); }, kPatience));

    const Sight sight = b.sights.all().front();
    const auto* moving = std::get_if<Moving>(&sight.what);
    REQUIRE(moving);
    CHECK(moving->have > 0);
    CHECK(moving->have < parcel.size);
    CHECK(moving->size == parcel.size);
    CHECK(sight.fence == parcel.fence);
    CHECK(b.answers(parcel) == 0);
  });
}

TEST_CASE("sink: a source that is gone is a fault with a kind and a stable code") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::fails)) return;
    b.lose_source();

    for (int i = 0; i < 2; ++i) {
      const auto answer = b.land(b.parcel(Pace::quick));
      REQUIRE(answer);
      const auto* failed = std::get_if<Failed>(&*answer);
      REQUIRE(failed);
      check_fault(failed->fault);
      CHECK(b.kept() == 0);
    }
  });
}

}  // namespace haul::conformance
