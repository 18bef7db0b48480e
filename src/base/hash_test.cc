#include "base/hash.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {
namespace {

using namespace std::string_literals;

// The examples of FIPS 180-4.
TEST_CASE("sha256 gives the standard's answers: nothing, one block, two blocks, a million bytes") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha256 takes every byte: a NUL does not end the text, and case counts") {
  CHECK(sha256_hex("\0"s) == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
  CHECK(sha256_hex("a\0b"s) != sha256_hex("a"));
  CHECK(sha256_hex("ABC") != sha256_hex("abc"));
}

TEST_CASE("a hash is sixty-four lower-case hexadecimal digits, leading zeros and all") {
  for (int i = 0; i < 300; ++i) {
    const std::string hash = sha256_hex(std::to_string(i));
    CHECK(hash.size() == 64);
    CHECK(hash.find_first_not_of("0123456789abcdef") == std::string::npos);
  }
}

TEST_CASE("Base64 becomes digits, with every padding") {
  CHECK(base64_to_hex("YWJj") == "616263");
  CHECK(base64_to_hex("YWI=") == "6162");
  CHECK(base64_to_hex("YQ==") == "61");
  CHECK(base64_to_hex("+/+/") == "fbffbf");
}

TEST_CASE("bytes become Base64, with every padding") {
  CHECK(base64_of("").empty());
  CHECK(base64_of("a") == "YQ==");
  CHECK(base64_of("ab") == "YWI=");
  CHECK(base64_of("abc") == "YWJj");
  CHECK(base64_of("abcd") == "YWJjZA==");
  CHECK(base64_of("\xfb\xff\xbf") == "+/+/");
}

TEST_CASE("Base64 of any length becomes its bytes again") {
  std::string bytes;
  for (int i = 0; i < 3'000; ++i) {
    CHECK((bytes.empty() || base64_bytes(base64_of(bytes)) == bytes));
    bytes += static_cast<char>(i * 7);
  }
  for (const char* bad : {"", "YWJ", "YW j", "YW=j", "====", "YWJj\n"})
    CHECK_FALSE(base64_bytes(bad));
}

TEST_CASE("text that is not Base64, or has blanks around it, is refused") {
  for (const std::string& text :
       {""s, "YWJ"s, "YWJj    "s, "    YWJj"s, "YWJjYWI=   \n"s, "YWJj\r\n\r\n"s, "YW j"s, "YW=j"s,
        "===="s, "Y==="s, "YWJ-"s, "YWJ\0"s, std::string(1'004, 'A')})
    CHECK_MESSAGE(base64_to_hex(text).empty(), text);
}

}  // namespace
}  // namespace haul
