// What a remote engine promises about handing work over (RemoteEngine::start).

#include "conformance/engine/remote_engine.h"

namespace haul::conformance {

TEST_CASE("remote engine: a start is accepted once, under a handle, with the order's numbers") {
  with_each<RemoteBench>([](RemoteBench& b) {
    Order order = b.order(5);
    order.fence = 3;
    order.start = 9;

    const auto accepted = b.start(order);

    REQUIRE(accepted);
    CHECK_FALSE(accepted->handle.empty());
    CHECK(b.transfers() == 1);
    int accepts = 0;
    for (const Sight& sight : b.sights.all()) {
      CHECK((sight.job == JobId{5}));
      CHECK(sight.item == 0);
      CHECK(sight.fence == 3);
      CHECK(sight.start == 9);
      accepts += std::holds_alternative<Accepted>(sight.what) ? 1 : 0;
    }
    CHECK(accepts == 1);
  });
}

TEST_CASE("remote engine: a repeated start finds by its tag what the first one left") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::repeats)) return;
    const auto accepted = b.start(b.order(1));
    REQUIRE(accepted);

    Order again = b.order(1);
    again.fence = 2;
    again.start = 2;
    const auto found = b.start(again);

    REQUIRE(found);
    CHECK(found->handle == accepted->handle);
    CHECK(b.sights.all().back().fence == 2);
    CHECK(b.transfers() == 1);
  });
}

TEST_CASE("remote engine: a start by another worker finds what the first one left") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::repeats)) return;
    const Order order = b.started(1);
    Sights other;

    b.engine().start(b.order(1), other);
    b.until([&] { return !other.all().empty(); }, kPatience);

    const auto found = first<Accepted>(other.all(), [](const Sight&) { return true; });
    REQUIRE(found);
    CHECK(found->handle == order.handle);
    CHECK(b.transfers() == 1);
  });
}

// The flow pays again only after it has recorded that an earlier call failed or is unknown. So a
// start must not be taken for a repetition of one that is over.
TEST_CASE("A4-13: remote engine: a repeated start of a paid engine is a second call") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (b.exempt(RemoteRule::repeats).empty()) return;
    const auto first = b.start(b.order(1));
    REQUIRE(first);

    Order again = b.order(1);
    again.fence = 2;
    again.start = 2;
    const auto second = b.start(again);

    REQUIRE(second);
    CHECK(second->handle != first->handle);
    CHECK(b.paid_calls() == 2);
  });
}

TEST_CASE("remote engine: each job has a handle of its own") {
  with_each<RemoteBench>([](RemoteBench& b) {
    const Order one = b.started(1);
    const Order two = b.started(2);

    CHECK(one.handle != two.handle);
    CHECK(b.transfers() == 2);
  });
}

TEST_CASE("remote engine: a start while the other system is down fails with a kind and a code") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::outages)) return;
    b.go_down();

    CHECK_FALSE(b.start(b.order(1)));
    const auto failed = b.told<Failed>(b.order(1));
    REQUIRE(failed);
    check_fault(failed->fault);
    b.come_back();

    CHECK(b.start(b.order(1)));
  });
}

// The other system never answers here. A call that waits for it does not return, and the time limit
// of the test program ends the test.
TEST_CASE("remote engine: every call returns at once, whatever the other system does") {
  with_each<RemoteBench>([](RemoteBench& b) {
    b.fall_silent();
    const Order order = b.order(1);

    b.engine().start(order, b.sights);
    b.engine().look({&order, 1}, b.sights);
    b.engine().stop(order, Leftovers::keep, b.sights);

    CHECK_FALSE(b.told<Accepted>(order));
    CHECK(b.until([&] { return b.told<Stopped>(order) || b.told<Failed>(order); }, kStopWithin));
  });
}

}  // namespace haul::conformance
