// Which torrent a magnet link names, and which links are refused.

#include "engine/qbittorrent/magnet.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::qbittorrent {
namespace {

const std::string kV1 = "0123456789abcdef0123456789abcdef01234567";
const std::string kV2 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

// "V1|V2|ID", or the fault.
std::string read(const std::string& text) {
  const auto hash = read_magnet(text);
  if (!hash) return hash.error().code + ": " + hash.error().detail;
  return fmt::format("{}|{}|{}", hash->v1, hash->v2, hash->id());
}

}  // namespace

TEST_CASE("a magnet link names its torrent in hex, base32 or as version 2, in any case") {
  CHECK(read("magnet:?xt=urn:btih:" + kV1 + "&dn=a%20b&tr=http%3A%2F%2Ft%2Fannounce") ==
        kV1 + "||" + kV1);
  CHECK(read("MAGNET:?XT=URN:BTIH:0123456789ABCDEF0123456789ABCDEF01234567") == kV1 + "||" + kV1);
  CHECK(read("magnet:?xt=urn:btih:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH") == kV1 + "||" + kV1);
  CHECK(read("magnet:?xt=urn:btmh:1220" + kV2) == "|" + kV2 + "|" + kV2.substr(0, 40));
}

TEST_CASE("Q9: a hybrid link goes by its second version, as the client has it") {
  CHECK(read("magnet:?xt=urn:btih:" + kV1 + "&xt=urn:btmh:1220" + kV2) ==
        kV1 + "|" + kV2 + "|" + kV2.substr(0, 40));
}

TEST_CASE("a link that names none, or two, or nonsense is refused") {
  CHECK(read("magnet:?dn=x") == "bad_magnet: it names no torrent");
  CHECK(read("magnet:?xt=urn:sha1:" + kV1) == "bad_magnet: it names no torrent");
  CHECK(read("magnet:?xt=urn:btih:" + kV1.substr(1)) ==
        "bad_magnet: the torrent it names cannot be read");
  CHECK(read("magnet:?xt=urn:btmh:1220" + kV1) ==
        "bad_magnet: the torrent it names cannot be read");
  CHECK(read("magnet:?xt=urn:btih:" + kV1 + "&xt=urn:btih:" + std::string(40, 'a')) ==
        "bad_magnet: the torrent it names cannot be read");
  CHECK(read("http://x/") == "bad_magnet: not a magnet link");
  CHECK(read("") == "bad_magnet: not a magnet link");
}

TEST_CASE("a second line would be a second address to the client, so there is none") {
  const std::string good = "magnet:?xt=urn:btih:" + kV1;
  CHECK(read(good + "\n/etc/passwd") == "bad_magnet: it contains a blank or a control character");
  CHECK(read(good + "\rx") == "bad_magnet: it contains a blank or a control character");
  CHECK(read(good + " x") == "bad_magnet: it contains a blank or a control character");
}

TEST_CASE("Q36: a link has at most 100 trackers, peers and seeds, and 16 KiB") {
  std::string link = "magnet:?xt=urn:btih:" + kV1;
  for (int i = 0; i < 100; ++i) link += fmt::format("&tr=http://t{}", i);
  CHECK(read(link) == kV1 + "||" + kV1);
  CHECK(read(link + "&ws=http://s") == "bad_magnet: more than 100 trackers, peers and seeds");
  const std::string padded = "magnet:?xt=urn:btih:" + kV1 + "&dn=";
  CHECK(read(padded + std::string(16'384 - padded.size(), 'x')) == kV1 + "||" + kV1);
  CHECK(read(padded + std::string(16'385 - padded.size(), 'x')) ==
        "bad_magnet: longer than 16 KiB");
}

}  // namespace haul::qbittorrent
