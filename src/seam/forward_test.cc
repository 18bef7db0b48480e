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

TEST_CASE("a transfer is listed and released under a lease, and only for a whole job") {
  const std::unique_ptr<RemoteEngine> engine = std::make_unique<NotConfigured>("configure it");
  ForwardRemote forward{engine};
  DropsSights inbox;
  const Order leased{.store = "a1b2c3d4e5f6", .job = JobId{1}, .fence = 1};
  Order without_lease = leased;
  without_lease.fence = 0;
  Order item = leased;
  item.item = 1;
  const auto broken = [&](const Order& order) {
    const std::string listed = testing::ending_of([&] { forward.list(order, inbox); }).text;
    const std::string released = testing::ending_of([&] { forward.release(order, inbox); }).text;
    CHECK(listed == released);
    return listed;
  };

  CHECK(broken(leased).empty());
  CHECK(broken(without_lease)
            .starts_with("haul: broken: a complete transfer is listed and released under a lease"));
  CHECK(broken(item).starts_with("haul: broken: a remote engine works for a whole job ("));
}

TEST_CASE("an engine that can neither list nor release a transfer says so") {
  struct Plain final : RemoteEngine {
    void start(Order, Inbox&) override {}
    void look(std::span<const Order>, Inbox&) override {}
    void stop(const Order&, Leftovers, Inbox&) override {}
  };
  struct Letters final : Inbox {
    void push(Sight sight) override { sights.push_back(std::move(sight)); }
    std::vector<Sight> sights;
  };
  Plain engine;
  Letters inbox;
  const Order order{.job = JobId{7}, .fence = 2};

  engine.list(order, inbox);
  engine.release(order, inbox);

  REQUIRE(inbox.sights.size() == 2);
  for (const Sight& sight : inbox.sights) {
    CHECK(sight.job == JobId{7});
    CHECK(sight.fence == 2);
    const auto* failed = std::get_if<Failed>(&sight.what);
    REQUIRE(failed);
    CHECK((failed->fault.kind == FaultKind::permanent));
    CHECK(failed->fault.code == "not_supported");
  }
}

TEST_CASE("a sink says what it would do, and what it lacks, without a lease") {
  const std::unique_ptr<Sink> sink = std::make_unique<NotConfigured>("configure it");
  const ForwardSink forward{sink};

  const ImportPreview preview = forward.preview({});
  REQUIRE(preview.problem);
  CHECK(*preview.problem == ImportProblem{kNotConfigured, "configure it"});
  CHECK(forward.lack_for("{}").text == "configure it");
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
  Parcel elsewhere = landed;
  elsewhere.sources = {{.root = "/in", .path = "/etc/passwd"}};
  Parcel a_root = landed;
  a_root.sources = {{.root = "/in", .path = ""}};

  CHECK(broken(landed).empty());
  CHECK(broken(elsewhere).starts_with("haul: broken: a source lies beneath its root ("));
  CHECK(broken(a_root).starts_with("haul: broken: a source lies beneath its root ("));
  CHECK(broken(nowhere).starts_with(
      "haul: broken: a source is removed only after its copies landed ("));
  CHECK(broken(without_lease).starts_with("haul: broken: a sink works for a job under a lease ("));
}

}  // namespace haul
