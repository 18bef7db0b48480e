// What an item engine promises about enumerations (ItemEngine::plan).

#include <set>

#include "conformance/engine/item_engine.h"

namespace haul::conformance {
namespace {

// The items found so far, or no value while more may follow.
std::optional<std::vector<FoundItem>> whole_list(const ItemBench& b, const Order& order) {
  std::vector<FoundItem> items;
  for (const Sight& sight : b.of(order))
    if (const auto* planned = std::get_if<Planned>(&sight.what)) {
      items.insert(items.end(), planned->items.begin(), planned->items.end());
      if (planned->complete) return items;
    }
  return std::nullopt;
}

std::vector<FoundItem> list(ItemBench& b, const Order& order) {
  b.engine().plan(order, b.sights);
  b.until([&] { return whole_list(b, order).has_value(); }, kPatience);
  return whole_list(b, order).value_or(std::vector<FoundItem>{});
}

}  // namespace

TEST_CASE("item engine: an enumeration finds items with keys and addresses, and says it is whole") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.listing(Pace::quick);

    const std::vector<FoundItem> items = list(b, order);

    REQUIRE_FALSE(items.empty());
    std::set<std::string> keys;
    for (const FoundItem& item : items) {
      CHECK_FALSE(item.key.empty());
      CHECK_FALSE(item.url.empty());
      CHECK_MESSAGE(keys.insert(item.key).second, item.key);
    }
    CHECK(b.ends(order) == 0);
  });
}

TEST_CASE("item engine: sights of an enumeration carry its numbers, with item 0") {
  with_each<ItemBench>([](ItemBench& b) {
    Order order = b.listing(Pace::quick);
    order.fence = 3;
    order.start = -9;

    REQUIRE_FALSE(list(b, order).empty());

    for (const Sight& sight : b.sights.all()) {
      CHECK((sight.job == order.job));
      CHECK(sight.item == 0);
      CHECK(sight.fence == 3);
      CHECK(sight.start == -9);
    }
  });
}

TEST_CASE("item engine: an item that an enumeration found can be fetched") {
  with_each<ItemBench>([](ItemBench& b) {
    Order order = b.listing(Pace::quick);
    const std::vector<FoundItem> items = list(b, order);
    REQUIRE_FALSE(items.empty());

    order.item = 1;
    order.start = 1;
    order.key = items.front().key;
    order.url = items.front().url;

    CHECK(b.finish(order));
  });
}

TEST_CASE("item engine: a stop ends an enumeration within two seconds, and nothing follows") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.listing(Pace::held);
    b.engine().plan(order, b.sights);
    b.await_hold(order);

    CHECK(b.stop(order, Leftovers::keep));

    if (b.follows(ItemRule::quiet_after_end)) CHECK(b.is_quiet(order));
    CHECK(b.ends(order) == 1);
    if (b.follows(ItemRule::has_files))
      CHECK(b.until([&] { return b.leftovers().empty(); }, kPatience));
  });
}

TEST_CASE("item engine: a stop of an unknown enumeration is answered") {
  with_each<ItemBench>([](ItemBench& b) {
    Order order = b.listing(Pace::quick);
    order.start = -77;

    CHECK(b.stop(order, Leftovers::keep));
    b.sights.take();
    CHECK(b.stop(order, Leftovers::remove));
  });
}

}  // namespace haul::conformance
