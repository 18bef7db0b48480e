#include "seam/forward.h"

#include <doctest/doctest.h>

#include "seam/not_configured.h"
#include "support/process/ending.h"

namespace haul {
namespace {

class DropsSights final : public Inbox {
 public:
  void push(Sight) override {}
};

}  // namespace

TEST_CASE("an engine is called only while it exists, and a transfer names its item") {
  std::unique_ptr<ItemEngine> engine;
  ForwardItems forward{engine};
  DropsSights inbox;
  const auto broken = [&](const Order& order) {
    return testing::ending_of([&] { forward.start(order, inbox); }).text;
  };
  const Order item{.store = "a1b2c3d4e5f6", .job = JobId{1}, .item = 1, .fence = 1, .start = 1};
  Order whole_job = item;
  whole_job.item = 0;

  CHECK(broken(item).starts_with("haul: broken: an engine is called only while it exists ("));
  engine = std::make_unique<NotConfigured>("configure it");
  CHECK(broken(item).empty());
  CHECK(broken(whole_job).starts_with("haul: broken: a transfer is one start of an item ("));
}

TEST_CASE("a sink removes a source only under a lease, and only after its copies landed") {
  const std::unique_ptr<Sink> sink = std::make_unique<NotConfigured>("configure it");
  ForwardSink forward{sink};
  DropsSights inbox;
  const auto broken = [&](const Parcel& parcel) {
    return testing::ending_of([&] { forward.clean(parcel, inbox); }).text;
  };
  const Parcel landed{.job = JobId{1}, .fence = 1, .placed = {{.path = "/library/a", .size = 1}}};
  Parcel nowhere = landed;
  nowhere.placed.clear();
  Parcel without_lease = landed;
  without_lease.fence = 0;

  CHECK(broken(landed).empty());
  CHECK(broken(nowhere).starts_with(
      "haul: broken: a source is removed only after its copies landed ("));
  CHECK(broken(without_lease).starts_with("haul: broken: a sink works for a job under a lease ("));
}

}  // namespace haul
