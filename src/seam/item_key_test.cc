// Item keys: written, read again, and never confused with addresses.

#include "seam/item_key.h"

#include <doctest/doctest.h>

using namespace haul;

TEST_CASE("a key says which engine fetches the item, and what of a page it is") {
  const PageItem third{3, "https://example.org/a:b"};

  const std::string key = item_key(kGalleryDl, third);

  CHECK(key == "gallery-dl:3:https://example.org/a:b");
  CHECK(engine_of(key) == kGalleryDl);
  CHECK(page_item_of(key) == third);
  CHECK(page_item_of(item_key(kYtDlp, {0, "r:http://h/"})) == PageItem{0, "r:http://h/"});
}

TEST_CASE("an address is the http engine's, whatever it looks like") {
  for (const char* key : {"https://example.org/", "http://yt-dlp:1/", "yt-dlp", ""}) {
    CHECK_MESSAGE(engine_of(key) == kHttp, key);
    CHECK_MESSAGE(!page_item_of(key), key);
  }
}

TEST_CASE("a key that was never ours names nothing") {
  for (const char* key : {"yt-dlp:", "yt-dlp:x:http://h/", "yt-dlp:-1:http://h/", "yt-dlp:1"})
    CHECK_MESSAGE(!page_item_of(key), key);
}
