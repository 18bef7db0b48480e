// What a remote engine promises about looks and stops (RemoteEngine::look and stop).

#include "conformance/engine/remote_engine.h"

namespace haul::conformance {
namespace {

bool is_missing(const std::vector<What>& seen) {
  return seen.size() == 1 && std::holds_alternative<Missing>(seen.front());
}

bool is_unseen(const std::vector<What>& seen) {
  return seen.size() == 1 && std::holds_alternative<Unseen>(seen.front());
}

// A healthy answer about a transfer that is there.
bool is_there(const std::vector<What>& seen) {
  return seen.size() == 1 && !is_missing(seen) && !is_unseen(seen);
}

}  // namespace

TEST_CASE("remote engine: a look at many reports one sight of each") {
  with_each<RemoteBench>([](RemoteBench& b) {
    std::vector<Order> orders;
    for (int job = 1; job <= 20; ++job) orders.push_back(b.started(job));

    const auto seen = b.look(orders);

    CHECK(seen.size() == 20);
    for (const auto& each : seen) CHECK_MESSAGE(is_there(each.second), each.first.value);
    for (const Sight& sight : b.sights.all()) CHECK(sight.fence == 1);
  });
}

TEST_CASE("remote engine: an unknown transfer is Missing, and the others are seen all the same") {
  with_each<RemoteBench>([](RemoteBench& b) {
    const Order known = b.started(1);
    const Order unknown = b.unknown();

    auto seen = b.look({known, unknown});

    CHECK(is_there(seen[known.job]));
    CHECK(is_missing(seen[unknown.job]));
  });
}

TEST_CASE("remote engine: a system that is down makes its transfers Unseen, never Missing") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::outages) || !b.follows(RemoteRule::asks)) return;
    const Order known = b.started(1);
    const Order unknown = b.unknown();
    b.go_down();

    auto seen = b.look({known, unknown});

    for (const Order* order : {&known, &unknown}) {
      REQUIRE(is_unseen(seen[order->job]));
      CHECK_FALSE(std::get<Unseen>(seen[order->job].front()).code.empty());
    }
    b.come_back();
    CHECK(is_there(b.look({known})[known.job]));
  });
}

TEST_CASE("remote engine: a stop removes the transfer within two seconds, and no other") {
  with_each<RemoteBench>([](RemoteBench& b) {
    b.add_stranger();
    const std::size_t before = b.transfers();
    const Order ours = b.started(1);
    const Order other = b.started(2);

    CHECK(b.stop(ours));

    CHECK(b.transfers() == before + 1);
    auto seen = b.look({ours, other});
    CHECK(is_missing(seen[ours.job]));
    CHECK(is_there(seen[other.job]));
    if (b.follows(RemoteRule::strangers)) CHECK(b.has_stranger());
  });
}

TEST_CASE("remote engine: a stop carries the order's numbers, and a repeated one is answered too") {
  with_each<RemoteBench>([](RemoteBench& b) {
    Order order = b.order(1);
    order.fence = 4;
    order.start = 6;
    const auto handle = b.start(order);
    REQUIRE(handle);
    order.handle = *handle;

    for (int i = 0; i < 2; ++i) {
      CHECK(b.stop(order));
      for (const Sight& sight : b.sights.all()) {
        CHECK(sight.fence == 4);
        CHECK(sight.start == 6);
      }
    }
    CHECK(b.transfers() == 0);
  });
}

TEST_CASE("remote engine: a stop under a later lease ends the transfer of an earlier one") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::outlives)) return;
    Order order = b.started(1);
    order.fence = 4;
    order.start = 6;

    CHECK(b.stop(order));

    for (const Sight& sight : b.sights.all()) {
      CHECK(sight.fence == 4);
      CHECK(sight.start == 6);
    }
    CHECK(b.transfers() == 0);
  });
}

TEST_CASE("remote engine: nothing follows the stop of a transfer") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::quiet)) return;
    const Order order = b.started(1);

    CHECK(b.stop(order));

    CHECK(b.is_quiet());
  });
}

TEST_CASE("remote engine: a stop of an unknown transfer is answered") {
  with_each<RemoteBench>([](RemoteBench& b) {
    CHECK(b.stop(b.unknown()));
    CHECK(b.stop(b.order(1)));
  });
}

TEST_CASE("remote engine: a stop during a start leaves no transfer behind") {
  with_each<RemoteBench>([](RemoteBench& b) {
    const Order order = b.order(1);

    b.engine().start(order, b.sights);
    CHECK(b.stop(order));

    b.until([] { return false; }, kStopWithin);
    CHECK(b.transfers() == 0);
    if (b.follows(RemoteRule::quiet)) CHECK(b.is_quiet());
  });
}

TEST_CASE("remote engine: a stop while the other system is down fails, and works later") {
  with_each<RemoteBench>([](RemoteBench& b) {
    if (!b.follows(RemoteRule::outages) || !b.follows(RemoteRule::asks)) return;
    const Order order = b.started(1);
    b.go_down();

    CHECK_FALSE(b.stop(order));
    const auto failed = b.told<Failed>(order);
    REQUIRE(failed);
    check_fault(failed->fault);
    b.come_back();

    CHECK(b.stop(order));
    CHECK(b.transfers() == 0);
  });
}

}  // namespace haul::conformance
