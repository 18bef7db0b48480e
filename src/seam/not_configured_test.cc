#include "seam/not_configured.h"

#include <doctest/doctest.h>

#include <functional>
#include <vector>

namespace haul {
namespace {

struct Letterbox final : Inbox {
  void push(Sight sight) override { sights.push_back(std::move(sight)); }
  std::vector<Sight> sights;
};

}  // namespace

TEST_CASE("Z-30: what stands in for a missing engine or sink says what to configure") {
  const NotConfigured not_configured{"configure engine.x.url"};
  const ItemEngine& items = not_configured;
  const RemoteEngine& client = not_configured;
  const Sink& library = not_configured;

  CHECK(items.not_ready("").text == "configure engine.x.url");
  CHECK(items.not_ready("yt-dlp").text == "configure engine.x.url");
  CHECK(client.not_ready("").text == "configure engine.x.url");
  CHECK(client.not_ready("http").text == "configure engine.x.url");
  CHECK(library.not_ready().text == "configure engine.x.url");
}

TEST_CASE("Z-30: every call to it fails with not_configured, for its own job, item and fence") {
  NotConfigured not_configured{"configure engine.x.url"};
  const Order order{.job = JobId{7}, .item = 3, .fence = 2, .start = 5};
  const Parcel parcel{.job = JobId{7}, .fence = 2};
  using Calls = std::vector<std::function<void(Inbox&)>>;
  const Calls of_items = {
      [&](Inbox& inbox) { not_configured.plan(order, inbox); },
      [&](Inbox& inbox) { not_configured.start(order, inbox); },
      [&](Inbox& inbox) { not_configured.land(order, inbox); },
      [&](Inbox& inbox) { not_configured.look({&order, 1}, inbox); },
      [&](Inbox& inbox) { not_configured.stop(order, Leftovers::keep, inbox); },
      [&](Inbox& inbox) { not_configured.list(order, inbox); },
      [&](Inbox& inbox) { not_configured.release(order, inbox); },
  };
  const Calls of_parcels = {
      [&](Inbox& inbox) { not_configured.land(parcel, inbox); },
      [&](Inbox& inbox) { not_configured.verify(parcel, inbox); },
      [&](Inbox& inbox) { not_configured.clean(parcel, inbox); },
      [&](Inbox& inbox) { not_configured.stop(parcel, inbox); },
  };
  const auto check = [](const Calls& calls, std::int64_t item, std::int64_t start) {
    for (const auto& call : calls) {
      Letterbox inbox;
      call(inbox);
      REQUIRE(inbox.sights.size() == 1);
      const Sight& sight = inbox.sights.front();
      CHECK(sight.job == JobId{7});
      CHECK(sight.item == item);
      CHECK(sight.fence == 2);
      CHECK(sight.start == start);
      const auto* failed = std::get_if<Failed>(&sight.what);
      REQUIRE(failed);
      CHECK(failed->fault.kind == FaultKind::environment);
      CHECK(failed->fault.code == "not_configured");
      CHECK(failed->fault.detail == "configure engine.x.url");
    }
  };

  check(of_items, 3, 5);
  check(of_parcels, 0, 0);
}

}  // namespace haul
