#include "base/secret.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace haul {
namespace {

using namespace std::string_literals;

constexpr const char* kBase62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr const char* kBase64Url =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

bool is_made_of(const std::string& text, const char* letters) {
  return text.find_first_not_of(letters) == std::string::npos;
}

const std::string kKey = "haul_0aZ9bY8c_" + std::string(32, 'x');

}  // namespace

TEST_CASE("a token is base64url without padding, of the length its bytes need") {
  CHECK(random_token(0).empty());
  CHECK(random_token(1).size() == 2);
  CHECK(random_token(3).size() == 4);
  CHECK(random_token(32).size() == 43);
  CHECK(is_made_of(random_token(3'000), kBase64Url));
}

TEST_CASE("no two of many tokens are equal, and every letter of the alphabets comes up") {
  std::set<std::string> seen;
  for (int i = 0; i < 1'000; ++i) {
    CHECK(seen.insert(random_token(16)).second);
    CHECK(seen.insert(random_base62(22)).second);
  }
  const std::string many62 = random_base62(10'000);
  const std::string many64 = random_token(10'000);
  CHECK((std::set<char>(many62.begin(), many62.end()).size() == 62));
  CHECK((std::set<char>(many64.begin(), many64.end()).size() == 64));
  CHECK(is_made_of(many62, kBase62));
  CHECK(random_base62(0).empty());
}

TEST_CASE("a token's hash is its SHA-256") {
  CHECK(hash_token("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("promise 21: a password's hash is argon2id, names its parameters, and is salted") {
  const std::string hash = hash_password("correct horse").value();

  CHECK(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
  CHECK(hash.find("correct") == std::string::npos);
  CHECK(hash_password("correct horse").value() != hash);
}

TEST_CASE("promise 21: the password fits its hash, and no other does") {
  const std::string hash = hash_password("correct horse").value();

  CHECK(verify_password(hash, "correct horse"));
  for (const std::string& other :
       {""s, "correct hors"s, "correct horse "s, "Correct horse"s, "correct horse\0"s})
    CHECK_FALSE(verify_password(hash, other));
}

TEST_CASE("a NUL does not end a password") {
  const std::string hash = hash_password("a\0b 8 bytes"s).value();

  CHECK(verify_password(hash, "a\0b 8 bytes"s));
  CHECK_FALSE(verify_password(hash, "a"));
  CHECK_FALSE(verify_password(hash, "a\0c 8 bytes"s));
}

TEST_CASE("a password has at least 8 characters and at most 1,024 bytes") {
  CHECK(hash_password("").error().code == "bad_password");
  CHECK(hash_password("7 bytes").error().code == "bad_password");
  CHECK(hash_password("8 bytes.").has_value());
  CHECK(hash_password("\u00e9\u00e9\u00e9\u00e9").error().code == "bad_password");
  CHECK(hash_password("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9").has_value());
  const std::string longest(kPasswordMax, 'x');
  CHECK(verify_password(hash_password(longest).value(), longest));
  CHECK(hash_password(longest + "x").error().code == "bad_password");
  CHECK(hash_password(std::string(10'000'000, 'x')).error().code == "bad_password");
  CHECK_FALSE(verify_password(hash_password(longest).value(), longest + "x"));
}

TEST_CASE("text that is not a hash matches no password") {
  for (const std::string& hash :
       {""s, "x"s, "$argon2id$"s, "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA"s,
        std::string(127, '$'), std::string(128, '$'), std::string(1'000'000, 'x'), "\0"s})
    CHECK_FALSE(verify_password(hash, "x"));
}

TEST_CASE("promise 21: a name that does not exist is refused after the same work") {
  CHECK_FALSE(verify_no_password("x"));
  CHECK_FALSE(verify_no_password(""));
}

TEST_CASE("secrets are the same if every byte is") {
  CHECK(is_same_secret("", ""));
  CHECK(is_same_secret("abc", "abc"));
  CHECK(is_same_secret("a\0b"s, "a\0b"s));
  CHECK_FALSE(is_same_secret("abc", "abd"));
  CHECK_FALSE(is_same_secret("abc", "xbc"));
  CHECK_FALSE(is_same_secret("abc", "ab"));
  CHECK_FALSE(is_same_secret("abc", "abcd"));
  CHECK_FALSE(is_same_secret("a\0b"s, "a\0c"s));
  CHECK_FALSE(is_same_secret("", "a"));
}

TEST_CASE("an API key is haul_, 8 characters to find it by, _ and 32 more") {
  const std::string key = make_api_key();

  REQUIRE(key.size() == 46);
  CHECK(key.starts_with("haul_"));
  CHECK(api_key_prefix(key) == key.substr(5, 8));
  CHECK(is_made_of(key.substr(5, 8) + key.substr(14), kBase62));
  CHECK(make_api_key() != key);
}

TEST_CASE("what has not the form of a key has no prefix") {
  REQUIRE(api_key_prefix(kKey) == "0aZ9bY8c");
  std::string no_bar = kKey;
  no_bar[13] = '-';
  std::string nul = kKey;
  nul[45] = '\0';
  std::string wide = kKey;
  wide.replace(44, 2, "\u00e4");
  for (const std::string& text :
       {""s, "haul_"s, kKey.substr(0, 45), kKey + "x", " " + kKey.substr(0, 45),
        "HAUL_" + kKey.substr(5), kKey.substr(0, 5) + "0aZ9bY8_" + kKey.substr(13), no_bar, nul,
        wide, std::string(46, '_'), std::string(10'000'000, 'x')})
    CHECK_FALSE(api_key_prefix(text).has_value());
}

}  // namespace haul
