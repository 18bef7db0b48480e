// What a sink promises about stops, and that no call waits (Sink::stop).

#include "conformance/sink/sink.h"

namespace haul::conformance {

TEST_CASE("sink: a stop is answered within two seconds, and Stopped means that nothing arrived") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::stops)) return;
    const Parcel parcel = b.parcel(Pace::held);
    b.sink().land(parcel, b.sights);
    if (b.follows(SinkRule::tells_progress))
      b.until([&] { return !b.sights.all().empty(); }, kPatience);

    b.sink().stop(parcel, b.sights);
    const auto answer = b.await(parcel, kStopWithin);

    REQUIRE(answer);
    CHECK(b.has_source(Pace::held));
    if (std::holds_alternative<Stopped>(*answer)) CHECK(b.kept() == 0);
    if (!b.follows(SinkRule::quiet_after_end)) return;
    CHECK(b.is_quiet());
    CHECK(b.answers(parcel) == 1);
    if (std::holds_alternative<Stopped>(*answer)) CHECK(b.kept() == 0);
  });
}

TEST_CASE("sink: a stopped parcel can be landed again") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::stops)) return;
    const Parcel parcel = b.parcel(Pace::quick);
    b.sink().land(parcel, b.sights);
    b.sink().stop(parcel, b.sights);
    REQUIRE(b.await(parcel, kStopWithin));

    Parcel again = parcel;
    again.fence = 2;

    const auto answer = b.land(again);

    REQUIRE(answer);
    CHECK((std::holds_alternative<Landed>(*answer) || std::holds_alternative<Sent>(*answer)));
  });
}

TEST_CASE("sink: a stop of an unknown parcel is answered") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::stops)) return;
    const Parcel parcel = b.parcel(Pace::quick);

    b.sink().stop(parcel, b.sights);
    const auto answer = b.await(parcel, kStopWithin);

    REQUIRE(answer);
    CHECK(std::holds_alternative<Stopped>(*answer));
  });
}

// A held parcel is never delivered. A call that waits for it does not return, and the time limit of
// the test program ends the test.
TEST_CASE("sink: every call returns at once, whatever the other side does") {
  with_each<SinkBench>([](SinkBench& b) {
    const Parcel parcel = b.parcel(Pace::held);

    b.sink().land(parcel, b.sights);
    b.sink().verify(parcel, b.sights);
    b.sink().clean(parcel, b.sights);
    b.sink().stop(parcel, b.sights);

    CHECK(b.await(parcel));
  });
}

}  // namespace haul::conformance
