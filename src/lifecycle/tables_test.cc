#include "lifecycle/tables.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("messages list the lifecycles by name, with or without those of items") {
  CHECK(lifecycle_names(NamesOf::all) == "book, media, batch, item, relay or image");
  CHECK(lifecycle_names(NamesOf::jobs) == "book, media, batch, relay or image");

  static constexpr State kStates[] = {{"there", End::good}};
  static constexpr Lifecycle kErrand{.name = "errand", .states = kStates, .moves = {}};
  const OwnLifecycle registered{kErrand};
  CHECK(lifecycle_names(NamesOf::jobs) == "book, media, batch, relay, image or errand");
}

}  // namespace haul
