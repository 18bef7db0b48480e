// What an item engine finds after a crash. The flow stores the Fetched sight before it lets a file
// land, so the next start has the checkpoint of that sight.

#include "conformance/engine/item_engine.h"

namespace haul::conformance {

TEST_CASE("item engine: after a crash before landing, a start finds what was fetched") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);
    b.crash();
    b.lose_source();

    const Order next = next_lease(order, fetched->checkpoint);
    const auto finished = b.finish(next);

    REQUIRE(finished);
    CHECK(finished->path == fetched->path);
    CHECK(finished->size == b.size());
    CHECK(b.ends(next) == 1);
    if (!b.follows(ItemRule::has_files)) return;
    CHECK(b.files() == std::vector<std::string>{finished->path});
    CHECK(b.leftovers().empty());
  });
}

TEST_CASE("item engine: after a crash once it has landed, a start finds the file in its place") {
  with_each<ItemBench>([](ItemBench& b) {
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);
    b.engine().land(order, b.sights);
    REQUIRE(b.await<Finished>(order));
    b.crash();
    b.lose_source();

    const auto finished = b.finish(next_lease(order, fetched->checkpoint));

    REQUIRE(finished);
    CHECK(finished->path == fetched->path);
    if (b.follows(ItemRule::has_files))
      CHECK(b.files() == std::vector<std::string>{finished->path});
  });
}

TEST_CASE("item engine: a part that is gone by then is fetched again") {
  with_each<ItemBench>([](ItemBench& b) {
    if (!b.follows(ItemRule::has_files)) return;
    const Order order = b.item(Pace::quick);
    const auto fetched = b.fetch(order);
    REQUIRE(fetched);
    b.crash();
    for (const std::string& part : b.leftovers()) std::filesystem::remove_all(b.folder() / part);

    const auto finished = b.finish(next_lease(order, fetched->checkpoint));

    REQUIRE(finished);
    CHECK(static_cast<std::int64_t>(std::filesystem::file_size(finished->path)) == b.size());
  });
}

}  // namespace haul::conformance
