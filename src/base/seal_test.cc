#include "base/seal.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("F52: sealed text opens with its key only, and shows nothing of what it holds") {
  const SealKey key = SealKey::make();
  const std::string plain = "y0_secret-token";

  const std::string sealed = key.seal(plain);

  CHECK(key.open(sealed) == plain);
  CHECK(sealed.find("secret") == std::string::npos);
  CHECK_FALSE(SealKey::make().open(sealed));
  CHECK(key.seal(plain) != sealed);
  CHECK(key.open(key.seal("")) == "");
}

TEST_CASE("F52: a sealed text that was changed or cut does not open") {
  const SealKey key = SealKey::make();
  const std::string sealed = key.seal("a");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    CHECK_FALSE(key.open(changed));
    CHECK_FALSE(key.open(sealed.substr(0, i)));
  }
  for (const char* bad : {"", "=", "no base64", "AAAA"}) CHECK_FALSE(key.open(bad));
}

TEST_CASE("a key is read back from its text, and from nothing else") {
  const SealKey key = SealKey::make();
  CHECK(key.text().size() == 43);
  const auto again = SealKey::read(key.text());
  REQUIRE(again);
  CHECK(again->open(key.seal("a")) == "a");
  for (const std::string& bad : {std::string{}, key.text().substr(1), key.text() + "A",
                                 key.text() + "\n", std::string(43, '!')})
    CHECK_FALSE(SealKey::read(bad));
}

}  // namespace haul
