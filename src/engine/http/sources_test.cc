#include "engine/http/sources.h"

#include <doctest/doctest.h>

namespace haul::http {

TEST_CASE("sources: the address comes first, and each mirror counts once") {
  const UrlOptions own{.mirrors = {"http://b/f", "http://A/f", "http://b:80/f", "http://c/f"}};
  CHECK(sources_of("http://a/f", own) ==
        std::vector<std::string>{"http://a/f", "http://b/f", "http://c/f"});
  CHECK(sources_of("http://a/f", {}) == std::vector<std::string>{"http://a/f"});
}

TEST_CASE("sources: a fault of the request or of the disk is that of no source") {
  CHECK(is_of_source({FaultKind::permanent, "http_404", ""}));
  CHECK(is_of_source({FaultKind::retryable, "checksum_mismatch", ""}));
  CHECK(is_of_source({FaultKind::permanent, "size_mismatch", ""}));
  CHECK(!is_of_source({FaultKind::permanent, "max_time", ""}));
  CHECK(!is_of_source({FaultKind::permanent, "exists", ""}));
  CHECK(!is_of_source({FaultKind::environment, "disk_full", ""}));
  CHECK(!is_of_source({FaultKind::cancelled, "stopped", ""}));
}

TEST_CASE("sources: the last piece ends with the file") {
  const PieceHashes pieces{.algorithm = "md5", .length = 10, .hashes = {"", "", ""}};
  CHECK(piece_range(pieces, 1, 25) == Range{10, 20});
  CHECK(piece_range(pieces, 2, 25) == Range{20, 25});
}

TEST_CASE("sources: a damaged piece is asked of a source that has sent no byte of it") {
  Blame blame;
  Blame::Sent sent;
  sent[0].add({0, 15});
  sent[1].add({15, 40});
  blame.add(1, {10, 20}, sent);  // Both have sent some of it.
  blame.add(2, {20, 30}, sent);

  CHECK(blame.choose({2}, 2) == 0);
  CHECK(blame.choose({1}, 2) == std::nullopt);
  CHECK(blame.choose({1, 2}, 3) == 2);
  CHECK(blame.has(1, 0));
  CHECK(!blame.has(2, 0));
  CHECK(blame.choose({7}, 1) == 0);  // Of an earlier start: no one knows who sent it.
}

}  // namespace haul::http
