// The hashes of torrent files, and which files are refused.

#include "engine/qbittorrent/torrent_file.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/hash.h"

namespace haul::qbittorrent {
namespace {

std::string bytes_of(std::string_view text) { return fmt::format("{}:{}", text.size(), text); }

std::string torrent_with(std::string_view info) {
  return fmt::format("d8:announce{}4:info{}e", bytes_of("http://t/"), info);
}

const std::string kInfo =
    "d6:lengthi5e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae";
const std::string kInfo2 =
    "d9:file treed1:ad0:d6:lengthi5e11:pieces root32:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaeee"
    "12:meta versioni2e4:name1:a12:piece lengthi16384ee";
const std::string kHybrid =
    "d9:file treed1:ad0:d6:lengthi5e11:pieces root32:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaeee"
    "6:lengthi5e12:meta versioni2e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae";

std::string why_not(std::string_view bytes) {
  const auto torrent = read_torrent(bytes);
  return torrent ? "fine" : torrent.error().code + ": " + torrent.error().detail;
}

std::string with_pieces_of(std::int64_t length) {
  return torrent_with(fmt::format(
      "d6:lengthi5e4:name1:a12:piece lengthi{}e6:pieces20:aaaaaaaaaaaaaaaaaaaae", length));
}

std::string with_files(int files) {
  std::string list;
  for (int i = 0; i < files; ++i) list += "d6:lengthi1e4:pathl1:aee";
  return torrent_with(fmt::format(
      "d5:filesl{}e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae", list));
}

}  // namespace

TEST_CASE("a torrent goes by the hash of its info, byte for byte") {
  const auto torrent = read_torrent(torrent_with(kInfo));
  REQUIRE(torrent.has_value());
  // printf %s INFO | sha1sum
  CHECK(torrent->hash.v1 == "d0d24694da2b8aa2fb5978c5a9f0ded040b4fb36");
  CHECK(torrent->hash.v2.empty());
  CHECK(torrent->name == "a");
}

TEST_CASE("Q9: version 2 goes by SHA-256, a hybrid by both") {
  const auto second = read_torrent(torrent_with(kInfo2));
  REQUIRE(second.has_value());
  CHECK(second->hash.v1.empty());
  CHECK(second->hash.v2 == sha256_hex(kInfo2));
  CHECK(second->hash.id() == sha256_hex(kInfo2).substr(0, 40));
  const auto hybrid = read_torrent(torrent_with(kHybrid));
  REQUIRE(hybrid.has_value());
  CHECK(hybrid->hash.v1.size() == 40);
  CHECK(hybrid->hash.v2 == sha256_hex(kHybrid));
}

TEST_CASE("Q31: depth of a hundred thousand is refused, not fallen over") {
  CHECK(why_not(std::string(100'000, 'l') + std::string(100'000, 'e')) ==
        "bad_torrent: nested too deep");
  CHECK(why_not(std::string(100'000, 'd')).starts_with("bad_torrent"));
}

TEST_CASE("Q32: numbers and lengths that are none, or more than there is") {
  const auto in_place_of_length = [](std::string_view number) {
    return why_not(torrent_with(fmt::format(
        "d6:length{}4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaae", number)));
  };
  CHECK(in_place_of_length("i5e") == "fine");
  CHECK(in_place_of_length("i0e") == "fine");
  CHECK(in_place_of_length("i-0e") == "bad_torrent: not a number");
  CHECK(in_place_of_length("i03e") == "bad_torrent: not a number");
  CHECK(in_place_of_length("ie") == "bad_torrent: not a number");
  CHECK(in_place_of_length("i99999999999999999999e") == "bad_torrent: not a number");
  CHECK(in_place_of_length("i1") == "bad_torrent: not a number");
  CHECK(in_place_of_length("99999999999:x") == "bad_torrent: the string is longer than the file");
  CHECK(in_place_of_length("18446744073709551615:x").starts_with("bad_torrent"));
  CHECK(in_place_of_length("01:x") == "bad_torrent: expected a string length");
}

TEST_CASE("Q34: a million files, pieces of no size, pieces of 2 GiB") {
  CHECK(why_not(with_files(2)) == "fine");
  CHECK(why_not(with_files(100'000)) == "fine");
  CHECK(why_not(with_files(100'001)) == "bad_torrent: more than 100000 files");
  CHECK(why_not(with_pieces_of(0)) == "bad_torrent: the pieces have no size");
  CHECK(why_not(with_pieces_of(-1)) == "bad_torrent: the pieces have no size");
  CHECK(why_not(with_pieces_of(std::int64_t{512} << 20U)) == "fine");
  CHECK(why_not(with_pieces_of(std::int64_t{1} << 31U)) == "bad_torrent: the pieces have no size");
}

TEST_CASE("text that is not a torrent is refused: a page, a half, two infos, extra bytes") {
  CHECK(why_not("<html>").starts_with("bad_torrent"));
  CHECK(why_not("").starts_with("bad_torrent"));
  CHECK(why_not("i5e") == "bad_torrent: it has no info dictionary");
  CHECK(why_not("d4:info1:xe") == "bad_torrent: it has no info dictionary");
  const std::string good = torrent_with(kInfo);
  CHECK(why_not(good) == "fine");
  for (std::size_t cut = 0; cut < good.size(); ++cut) CHECK(why_not(good.substr(0, cut)) != "fine");
  CHECK(why_not(good + "e") == "bad_torrent: extra bytes follow its end");
  CHECK(why_not("d4:info" + kInfo + "4:info" + kInfo2 + "e") ==
        "bad_torrent: it has two info dictionaries");
  CHECK(why_not(torrent_with("d4:name1:a12:piece lengthi16384ee")) ==
        "bad_torrent: it has no pieces");
}

TEST_CASE("names out of order are read: torrents are about that do not sort") {
  CHECK(why_not("d4:info" + kInfo + "8:announce3:xyze") == "fine");
}

}  // namespace haul::qbittorrent
