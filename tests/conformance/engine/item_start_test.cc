// What an item engine promises about starts and landings (ItemEngine::start and land).

#include <algorithm>
#include <fstream>

#include "base/json.h"
#include "conformance/engine/item_engine.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

std::vector<Fetched> all_fetched(const ItemBench& b, const Order& order) {
  std::vector<Fetched> found;
  for (const Sight& sight : b.of(order))
    if (const auto* fetched = std::get_if<Fetched>(&sight.what)) found.push_back(*fetched);
  return found;
}

std::string content(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("item engine: a fetched file is not in its place before it is landed") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);

    const auto fetched = b.fetch(order);

    REQUIRE(fetched);
    CHECK(fetched->size == b.size());
    CHECK(is_json_text(fetched->checkpoint));
    CHECK(b.ends(order) == 0);
    if (b.follows(ItemRule::has_files)) CHECK_FALSE(fs::exists(fetched->path));
  });
}

TEST_CASE("item engine: a landed file is whole, in its place, and proven") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);

    b.engine().land(order, b.sights);
    const auto finished = b.await<Finished>(order);

    REQUIRE(finished);
    CHECK(finished->path == fetched->path);
    CHECK(finished->size == b.size());
    CHECK(finished->in_place);
    CHECK(is_json_text(finished->evidence));
    if (!b.follows(ItemRule::has_files)) return;
    CHECK(b.files() == std::vector<std::string>{finished->path});
    CHECK(static_cast<std::int64_t>(fs::file_size(finished->path)) == b.size());
    CHECK(b.until([&] { return b.leftovers().empty(); }, kPatience));
  });
}

TEST_CASE("item engine: a start is fetched once and ends once") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);

    REQUIRE(b.finish(order));

    CHECK(b.is_quiet(order));
    CHECK(b.ends(order) == 1);
    CHECK(all_fetched(b, order).size() <= 1);
  });
}

TEST_CASE("item engine: every sight carries the job, item, fence and start of its order") {
  with_each<ItemBench>([](ItemBench& b) {
    Order order = b.item(Pace::quick);
    order.job = JobId{5};
    order.item = 7;
    order.fence = 3;
    order.start = 9;

    REQUIRE(b.finish(order));

    for (const Sight& sight : b.sights.all()) {
      CHECK((sight.job == order.job));
      CHECK(sight.item == 7);
      CHECK(sight.fence == 3);
      CHECK(sight.start == 9);
    }
  });
}

// The outside of a held order never answers. A call that waits for it does not return, and the time
// limit of the test program ends the test.
TEST_CASE("item engine: every call returns at once, whatever the outside does") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order listing = b.listing(Pace::held);
    const Order item = b.item(Pace::held);

    b.engine().plan(listing, b.sights);
    b.engine().start(item, b.sights);
    b.engine().land(item, b.sights);
    b.engine().stop(listing, Leftovers::remove, b.sights);
    b.engine().stop(item, Leftovers::remove, b.sights);

    CHECK(b.await<Stopped>(listing, kStopWithin));
    CHECK(b.await<Stopped>(item, kStopWithin));
  });
}

TEST_CASE("item engine: a file that has taken the name meanwhile stays, and another name is used") {
  with_each<ItemBench>([](ItemBench& b) {
    if (!b.follows(ItemRule::has_files)) return;
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);
    std::ofstream{fetched->path} << "of a user";

    b.engine().land(order, b.sights);
    REQUIRE(b.until([&] { return all_fetched(b, order).size() == 2; }, kPatience));
    CHECK(b.ends(order) == 0);
    b.engine().land(order, b.sights);
    const auto finished = b.await<Finished>(order);

    REQUIRE(finished);
    CHECK(finished->path == all_fetched(b, order).back().path);
    CHECK(finished->path != fetched->path);
    CHECK(static_cast<std::int64_t>(fs::file_size(finished->path)) == b.size());
    CHECK(content(fetched->path) == "of a user");
  });
}

TEST_CASE("item engine: two items of a job that want the same name get two, before either lands") {
  with_each<ItemBench>([](ItemBench& b) {
    if (!b.follows(ItemRule::has_files)) return;
    const Order first = b.item(Pace::quick);
    Order second = first;
    second.item = 2;
    second.start = 2;

    const auto one = b.fetch(first);
    const auto two = b.fetch(second);

    REQUIRE(one);
    REQUIRE(two);
    CHECK(one->path != two->path);
    b.engine().land(first, b.sights);
    b.engine().land(second, b.sights);
    CHECK(b.await<Finished>(first));
    CHECK(b.await<Finished>(second));
    CHECK(b.files().size() == 2);
  });
}

TEST_CASE("item engine: a source that is gone is a fault with a kind and a stable code") {
  with_each<ItemBench>([](ItemBench& b) {
    if (!b.follows(ItemRule::fails)) return;
    Order order = b.item(Pace::quick);
    b.lose_source();

    CHECK_FALSE(b.finish(order));
    const auto failed = b.told<Failed>(order);
    REQUIRE(failed);
    check_fault(failed->fault);
    CHECK(b.is_quiet(order));
    CHECK(b.ends(order) == 1);
    CHECK(b.leftovers().empty());

    ++order.start;
    CHECK_FALSE(b.finish(order));
    const auto again = b.told<Failed>(order);
    REQUIRE(again);
    CHECK(again->fault.code == failed->fault.code);
    CHECK((again->fault.kind == failed->fault.kind));
  });
}

TEST_CASE("item engine: a request that cannot be read is a fault, and the order ends once") {
  with_each<ItemBench>([](ItemBench& b) {
    if (!b.follows(ItemRule::fails)) return;
    Order order = b.item(Pace::quick);
    order.request = "{";

    CHECK_FALSE(b.finish(order));
    const auto failed = b.told<Failed>(order);
    REQUIRE(failed);
    check_fault(failed->fault);
    CHECK(b.ends(order) == 1);
  });
}

}  // namespace haul::conformance
