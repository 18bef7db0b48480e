#include "base/query.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("fields are encoded, so that nothing in them is a second field or line") {
  CHECK(query_text({{"hashes", "a|b"}, {"urls", "magnet:?x&y=\n"}}) ==
        "hashes=a%7Cb&urls=magnet%3A%3Fx%26y%3D%0A");
  CHECK(query_text({{"a&b", ""}}) == "a%26b=");
  CHECK(query_text({}).empty());
}

TEST_CASE("a path has a query only if there are fields") {
  CHECK(with_query("/a", {}) == "/a");
  CHECK(with_query("/a", {{"path", "/media"}, {"n", "1"}}) == "/a?path=%2Fmedia&n=1");
}

}  // namespace haul
