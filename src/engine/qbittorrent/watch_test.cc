// Which questions the client is asked.

#include <doctest/doctest.h>

#include "support/client/client_bench.h"

namespace haul::testing {

TEST_CASE("Q26: the client is asked for whole answers, never for differences that count rids") {
  for (const auto shape : {FakeQbittorrent::Shape::v4, FakeQbittorrent::Shape::v5}) {
    ClientBench b{shape};
    CHECK(b.start(b.order(1)) == "1 accepted " + kHash);
    for (int i = 0; i < 3; ++i) b.look(1);
    b.stop(b.order(1, kHash));
    CHECK(b.client.count("torrents/info") > 0);
    for (const FakeRequest& request : b.client.log) {
      CHECK(request.action != "sync/maindata");
      CHECK_FALSE(request.fields.contains("rid"));
    }
  }
}

}  // namespace haul::testing
