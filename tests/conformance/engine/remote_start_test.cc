// What a remote engine promises about handing work over (RemoteEngine::start).

#include "conformance/engine/remote_engine.h"

namespace haul::conformance {

TEST_CASE("remote engine: a start is accepted once, under a handle, with the order's numbers") {
  with_each<RemoteBench>([](RemoteBench& b) {
    Order order = b.order(5);
    order.fence = 3;
    order.start = 9;

    const auto handle = b.start(order);

    REQUIRE(handle);
    CHECK(b.transfers() == 1);
    int accepts = 0;
    for (const Sight& sight : b.sights.all()) {
      CHECK((sight.job == JobId{5}));
      CHECK(sight.item == 0);
      CHECK(sight.fence == 3);
      CHECK(sight.start == 9);
      accepts += std::holds_alternative<Accepted>(sight.what) ? 1 : 0;
    }
    const bool has_handle = b.follows(RemoteRule::outlives);
    CHECK(accepts == (has_handle ? 1 : 0));
    CHECK(handle->empty() != has_handle);
  });
}

TEST_CASE("remote engine: a repeated start finds by its tag what the first one left") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::repeats)) return;
    const auto handle = b.start(b.order(1));
    REQUIRE(handle);

    Order again = b.order(1);
    again.fence = 2;
    again.start = 2;
    const auto found = b.start(again);

    REQUIRE(found);
    CHECK(*found == *handle);
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
    if (!b.exempt(RemoteRule::outlives).empty()) return;  // A read costs nothing.
    const auto first = b.start(b.order(1));
    REQUIRE(first);

    Order again = b.order(1);
    again.fence = 2;
    again.start = 2;
    const auto second = b.start(again);

    REQUIRE(second);
    CHECK(*second != *first);
    CHECK(b.paid_calls() == 2);
  });
}

// The worker that holds a job under the latest lease is the only one that may read for it.
TEST_CASE("remote engine: a transfer that ends with its lease is replaced under a later one") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (b.exempt(RemoteRule::outlives).empty()) return;
    const Order former = b.started(1);
    Order latter = b.order(1);
    latter.fence = 2;
    latter.start = 2;

    REQUIRE(b.start(latter));
    b.engine().start(former, b.sights);  // Late: it changes nothing.
    b.until([] { return false; }, kQuiet);

    for (const Sight& sight : b.sights.all()) {
      CHECK(sight.fence == 2);
      CHECK(sight.start == 2);
    }
    CHECK(b.transfers() == 1);
    CHECK(b.stop(former));
    CHECK(b.transfers() == 1);
    CHECK(b.stop(latter));
    CHECK(b.transfers() == 0);
  });
}

TEST_CASE("remote engine: each job has a transfer and a handle of its own") {
  with_each<RemoteBench>([](RemoteBench& b) {
    const Order one = b.started(1);
    const Order two = b.started(2);

    CHECK(b.transfers() == 2);
    if (b.follows(RemoteRule::outlives)) CHECK(one.handle != two.handle);
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
