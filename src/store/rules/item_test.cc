#include "store/rules/item.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::rules {
namespace {

ItemCount counted(std::string_view from, On on) { return count_of(kItem, *kItem.find(from, on)); }

}  // namespace

TEST_CASE("an item is counted by how its state ends, a skipped one apart") {
  CHECK((counted("PENDING", On::start) == ItemCount::none));
  CHECK((counted("PENDING", On::skip) == ItemCount::skipped));
  CHECK((counted("DOWNLOADING", On::landed) == ItemCount::downloaded));
  CHECK((counted("DOWNLOADING", On::fail) == ItemCount::failed));
  CHECK((counted("PENDING", On::cancel) == ItemCount::cancelled));
}

TEST_CASE("the end of an item is told unless it was cancelled, and counts as progress then") {
  const auto told = [](ItemCount counted) {
    ItemTally tally;
    tally.count(counted);
    CHECK(tally.is_progress() == is_told(counted));
    return is_told(counted);
  };
  CHECK(told(ItemCount::downloaded));
  CHECK(told(ItemCount::skipped));
  CHECK(told(ItemCount::failed));
  CHECK_FALSE(told(ItemCount::cancelled));
  CHECK_FALSE(told(ItemCount::none));
}

TEST_CASE("a tally counts each item once, by its end") {
  using enum ItemCount;
  ItemTally tally;
  for (const ItemCount each : {downloaded, none, skipped, skipped, failed, cancelled})
    tally.count(each);
  CHECK(tally.downloaded == 1);
  CHECK(tally.skipped == 2);
  CHECK(tally.failed == 1);
  CHECK(tally.cancelled == 1);
}

TEST_CASE("items move with their job by the rows of their own table") {
  using Steps = std::vector<ItemStep>;
  CHECK((steps_by(kItem, On::cancel) ==
         Steps{{"PENDING", "CANCELLED"}, {"DOWNLOADING", "CANCELLED"}}));
  CHECK((steps_by(kItem, On::lost) == Steps{{"DOWNLOADING", "PENDING"}}));
  CHECK((steps_by(kItem, On::release) == Steps{{"DOWNLOADING", "PENDING"}}));
  CHECK((steps_by(kItem, On::fail) == Steps{{"DOWNLOADING", "FAILED"}}));
  CHECK((steps_before_fail(kItem) == Steps{{"PENDING", "DOWNLOADING"}}));
  CHECK(steps_by(kItem, On::retry).empty());
}

}  // namespace haul::rules
