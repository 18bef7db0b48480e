// What an item engine promises about stops (ItemEngine::stop).

#include "conformance/engine/item_engine.h"

namespace haul::conformance {

TEST_CASE("item engine: a stop ends a transfer within two seconds, and nothing follows") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::held);
    b.engine().start(order, b.sights);
    b.await_hold(order);

    CHECK(b.stop(order, Leftovers::remove));

    if (b.follows(ItemRule::quiet_after_end)) CHECK(b.is_quiet(order));
    CHECK(b.ends(order) == 1);
    if (b.follows(ItemRule::has_files))
      CHECK(b.until([&] { return b.leftovers().empty(); }, kPatience));
  });
}

TEST_CASE("item engine: a stop right after a start ends it") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::held);

    b.engine().start(order, b.sights);
    CHECK(b.stop(order, Leftovers::remove));

    if (b.follows(ItemRule::quiet_after_end)) CHECK(b.is_quiet(order));
    CHECK(b.ends(order) == 1);
  });
}

TEST_CASE("item engine: a stop of an unknown order is answered with the order's numbers") {
  with_each<ItemBench>([](ItemBench& b) {
    Order order = b.item(Pace::quick);
    order.item = 4;
    order.fence = 6;
    order.start = 8;

    for (const Leftovers leftovers : {Leftovers::keep, Leftovers::remove}) {
      b.sights.take();
      CHECK(b.stop(order, leftovers));
      const std::vector<Sight> answers = b.sights.all();
      REQUIRE(answers.size() == 1);
      CHECK((answers.front().job == order.job));
      CHECK(answers.front().item == 4);
      CHECK(answers.front().fence == 6);
      CHECK(answers.front().start == 8);
    }
  });
}

TEST_CASE("item engine: a stop of a fetched item removes the part, and nothing lands") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);
    REQUIRE(b.fetch(order));

    CHECK(b.stop(order, Leftovers::remove));

    if (!b.follows(ItemRule::has_files)) return;
    CHECK(b.until([&] { return b.leftovers().empty(); }, kPatience));
    CHECK(b.files().empty());
  });
}

// The lander may be faster than the stop. Then the file is in its place, and the start has
// finished.
TEST_CASE("item engine: a stop while a file lands has one end, which says where the file is") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);

    b.engine().land(order, b.sights);
    b.engine().stop(order, Leftovers::remove, b.sights);
    REQUIRE(b.until([&] { return b.ends(order) > 0; }, kStopWithin));

    const bool has_finished = b.told<Finished>(order).has_value();
    if (b.follows(ItemRule::quiet_after_end)) {
      // A stop that came after the end is answered, too.
      const bool is_quiet = b.is_quiet(order);
      CHECK((is_quiet || has_finished));
      CHECK(b.ends(order) == (has_finished && b.told<Stopped>(order) ? 2 : 1));
    }
    if (!b.follows(ItemRule::has_files)) return;
    const auto wanted =
        has_finished ? std::vector<std::string>{fetched->path} : std::vector<std::string>{};
    CHECK(b.files() == wanted);
    CHECK(b.until([&] { return b.leftovers().empty(); }, kPatience));
  });
}

TEST_CASE("item engine: a stop that removes leftovers removes the part of a start that is over") {
  with_each<ItemBench>([](ItemBench& b) {
    if (!b.follows(ItemRule::has_files)) return;
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);
    b.crash();
    REQUIRE_FALSE(b.leftovers().empty());

    CHECK(b.stop(next_lease(order, fetched->checkpoint), Leftovers::remove));

    CHECK(b.until([&] { return b.leftovers().empty(); }, kPatience));
    CHECK(b.files().empty());
  });
}

TEST_CASE("item engine: a stop that keeps the part lets the next start finish without its source") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);
    CHECK(b.stop(order, Leftovers::keep));
    b.lose_source();

    const auto finished = b.finish(next_lease(order, fetched->checkpoint));

    REQUIRE(finished);
    CHECK(finished->size == b.size());
  });
}

TEST_CASE("item engine: a stop names one start, and ends no other of the same item") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order former = b.item(Pace::held);
    const Order latter = next_lease(former, "");
    b.engine().start(former, b.sights);
    b.await_hold(former);
    b.engine().start(latter, b.sights);
    b.await_hold(latter);

    CHECK(b.stop(former, Leftovers::keep));
    CHECK(b.ends(latter) == 0);
    CHECK(b.stop(latter, Leftovers::remove));

    CHECK(b.ends(latter) == 1);
    for (const Sight& sight : b.sights.all()) CHECK(sight.fence == sight.start);
  });
}

TEST_CASE("item engine: a stop of a whole job removes its parts, and those of no other job") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order ours = b.item(Pace::quick);
    Order theirs = ours;
    theirs.job = JobId{2};
    theirs.start = 2;
    REQUIRE(b.fetch(ours));
    const auto kept = b.fetch(theirs);
    REQUIRE(kept);
    b.crash();

    Order job = ours;
    job.item = 0;
    job.start = 0;
    job.fence = 2;
    CHECK(b.stop(job, Leftovers::remove));

    if (!b.follows(ItemRule::has_files) || !b.follows(ItemRule::clears_jobs)) return;
    CHECK(b.until([&] { return b.leftovers().size() == 1; }, kPatience));
    b.lose_source();
    CHECK(b.finish(next_lease(theirs, kept->checkpoint)));
    CHECK(b.leftovers().empty());
  });
}

}  // namespace haul::conformance
