// Where a torrent file's redirects may lead.

#include <doctest/doctest.h>

#include "support/client/client_bench.h"

namespace haul::testing {

TEST_CASE(
    "U31: after an answer from a public address a torrent's redirect reaches no private one") {
  ClientBench b{FakeQbittorrent::Shape::v4, [](qbittorrent::QbittorrentSettings& settings) {
                  settings.reach.private_too = true;
                }};
  std::string reaches;
  b.web = [&](const io::HttpRequest& request) -> FakeReply {
    const char step = request.url.back();
    reaches += step;
    reaches += request.reach.private_too ? " any, " : " public, ";
    if (step == '4') return {.status = 404};
    return {
        .status = 302,
        .headers = {{"location", std::string{"http://t.example/"} + static_cast<char>(step + 1)}},
        .from_public = step == '2'};
  };
  CHECK(b.start(b.order(7, "", "http://t.example/1")) == "7 failed permanent http_404");
  CHECK(reaches == "1 any, 2 any, 3 public, 4 public, ");
}

}  // namespace haul::testing
