#include "base/url_feed.h"

#include <doctest/doctest.h>

using namespace haul;

TEST_CASE("a feed is read in parts, and its last part is known once it is closed") {
  UrlFeed feed;
  for (const char* url : {"a", "b", "c"}) feed.add({.url = url, .key = url});

  CHECK(feed.read(0, 2).entries.size() == 2);
  CHECK_FALSE(feed.read(0, 2).is_last);
  CHECK(feed.read(2, 2).entries.front().url == "c");
  CHECK_FALSE(feed.read(2, 2).is_last);
  CHECK(feed.read(9, 2).entries.empty());
  feed.close();
  CHECK(feed.read(2, 2).is_last);
  CHECK_FALSE(feed.read(0, 2).is_last);
}
