#include "base/piece_hashes.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

using namespace haul;

namespace {

const std::string kHash(64, 'A');

std::string why(const std::string& json) {
  const auto read = read_piece_hashes(json);
  return read ? "" : read.error().detail.substr(0, read.error().detail.find(':'));
}

}  // namespace

TEST_CASE("the hashes of pieces are read in lower case") {
  const auto read = read_piece_hashes(
      fmt::format(R"({{"algorithm":"sha256","length":1024,"hashes":["{}"]}})", kHash));
  REQUIRE(read);
  CHECK(read->length == 1'024);
  CHECK(read->hashes == std::vector<std::string>{std::string(64, 'a')});
}

TEST_CASE("pieces of no known algorithm, of no length or without hashes are refused") {
  const std::string hashes = fmt::format(R"("hashes":["{}"])", kHash);
  CHECK(why(R"({"algorithm":"sha256","length":1023,)" + hashes + "}") == "length");
  CHECK(why(R"({"algorithm":"sha256","length":-1,)" + hashes + "}") == "length");
  CHECK(why(R"({"algorithm":"sha256",)" + hashes + "}") == "length");
  CHECK(why(R"({"algorithm":"crc","length":1024,)" + hashes + "}") == "hashes");
  CHECK(why(R"({"length":1024,)" + hashes + "}") == "hashes");
  CHECK(why(R"({"algorithm":"sha256","length":1024,"hashes":[]})") == "hashes");
  CHECK(why(R"({"algorithm":"sha256","length":1024,"hashes":"x"})") == "hashes");
  CHECK(why(R"({"algorithm":"sha256","length":1024,"hashes":["x"]})") == "hashes");
  CHECK(why(R"({"algorithm":"sha256","length":1024,"piece":1})") == "piece");
}

TEST_CASE("pieces must cover their file exactly") {
  const PieceHashes two{.algorithm = "sha256", .length = 1'024, .hashes = {kHash, kHash}};
  CHECK(!wrong_with_pieces(two, 1'024).empty());
  CHECK(wrong_with_pieces(two, 1'025).empty());
  CHECK(wrong_with_pieces(two, 2'048).empty());
  CHECK(!wrong_with_pieces(two, 2'049).empty());
  CHECK(wrong_with_pieces({}, 5).empty());
}
