// S2-31: haul resumes a part only with proof that the file is still the same version. It never
// joins bytes of two versions. Each case breaks off once in the middle, all in one run.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <vector>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul::testing;

namespace {

constexpr std::size_t kSize = 200'000;
constexpr std::size_t kHalf = 100'000;

enum class Second : std::uint8_t {
  goes_on,    // Sends Range and If-Range, and accepts the rest.
  from_zero,  // Sends both, receives the whole file, and accepts it from byte zero.
  refused,    // Sends both, receives no proof, and fetches the whole file again.
  plain,      // Has nothing to prove the version by, and fetches the whole file.
};

struct Break {
  std::string name;
  std::string switches;
  Second second;
  FaultServer::Version content = FaultServer::Version::first;
};

constexpr auto kChanged = FaultServer::Version::changed;

// clang-format off
const std::vector<Break> kBreaks = {
    {"etag",            "",                                                Second::goes_on},
    {"reset",           "limit_rate=2000000&reset_after=100000&reset_times=1", Second::goes_on},
    {"date",            "etag=none",                                       Second::goes_on},
    {"weak_and_date", "etag=weak", Second::goes_on},  // H27
    {"no_etag_no_date", "etag=none&last_modified=none",                    Second::plain},
    {"weak_alone", "etag=weak&last_modified=none", Second::plain},  // H27
    {"date_is_now", "etag=none&last_modified=now", Second::plain},  // H29
    {"date_is_future", "etag=none&last_modified=future", Second::plain},  // H29
    {"date_is_epoch", "etag=none&last_modified=epoch", Second::plain},  // H29
    {"wrong_start",     "content_range=wrong_start",                       Second::refused},
    {"wrong_total", "content_range=wrong_total", Second::refused},  // H19
    {"inverted", "content_range=inverted", Second::refused},  // H21
    {"missing", "content_range=missing", Second::refused},  // H22
    {"ignores_range", "ranges=ignore", Second::from_zero},  // H17
    {"changed", "etag_change_after=1", Second::from_zero, kChanged},
    {"changed_date", "etag=none&etag_change_after=1", Second::from_zero, kChanged},
    {"ignores_if_range", "etag_change_after=1&ignore_if_range=1", Second::refused, kChanged},
    {"ignores_if_date", "etag=none&etag_change_after=1&ignore_if_range=1", Second::refused,
     kChanged},
    {"ignores_if_weak", "etag=weak&etag_change_after=1&ignore_if_range=1", Second::refused,
     kChanged},
};
// clang-format on

std::string path_of(const Break& one) { return "/f/" + one.name; }

std::string url_of(const FaultServer& server, const Break& one) {
  const bool breaks_itself = one.switches.find("_after=100000") != std::string::npos;
  const std::string how = breaks_itself ? "" : fmt::format("&close_after={}&close_times=1", kHalf);
  return server.url(fmt::format("{}?size={}{}{}{}", path_of(one), kSize, how,
                                one.switches.empty() ? "" : "&", one.switches));
}

std::vector<LoggedRequest> requests_of(const std::vector<LoggedRequest>& log,
                                       const std::string& path) {
  std::vector<LoggedRequest> found;
  for (const LoggedRequest& request : log)
    if (request.path == path) found.push_back(request);
  return found;
}

// Status of every answer, and whether the request had a range: "200, 206 of the rest, 200".
std::string dialogue(const std::vector<LoggedRequest>& requests) {
  std::string text;
  for (const LoggedRequest& request : requests)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", request.status,
                        request.range.empty() ? "" : " of the rest");
  return text;
}

std::string expected(Second second) {
  switch (second) {
    case Second::goes_on:
      return "200, 206 of the rest";
    case Second::from_zero:
      return "200, 200 of the rest";
    case Second::refused:
      return "200, 206 of the rest, 200";
    case Second::plain:
      return "200, 200";
  }
  return {};
}

}  // namespace

TEST_CASE("S2-31: a broken transfer resumes only with proof, and otherwise starts again") {
  const FaultServer server;
  GetBench bench;
  Words urls;
  for (const Break& one : kBreaks) urls.push_back(url_of(server, one));
  urls.push_back(server.url("/f/all_here?size=50000&chunked=no_end"));
  const Told told = bench.get(urls);
  const std::vector<LoggedRequest> log = server.log();

  CHECK(told.code == 0);
  for (const Break& one : kBreaks) {
    CAPTURE(one.name);
    const std::vector<LoggedRequest> requests = requests_of(log, path_of(one));
    CHECK(bench.holds(one.name, FaultServer::content(one.name, kSize, one.content)));
    CHECK(dialogue(requests) == expected(one.second));
    for (const LoggedRequest& request : requests)
      CHECK(request.range.empty() == request.if_range.empty());
  }
  CHECK(bench.files().size() == kBreaks.size() + 1);

  const auto tagged = requests_of(log, "/f/etag");
  REQUIRE(tagged.size() == 2);
  CHECK(tagged[1].range == "bytes=100000-");
  CHECK(tagged[1].if_range.starts_with("\""));
  const auto dated = requests_of(log, "/f/weak_and_date");
  REQUIRE(dated.size() == 2);
  CHECK(dated[1].if_range == "Mon, 01 Jan 2024 00:00:00 GMT");

  // H24: the server has no bytes after the part, so the part is the whole file.
  CHECK(bench.holds("all_here", FaultServer::content("all_here", 50'000)));
  const auto finished = requests_of(log, "/f/all_here");
  REQUIRE(finished.size() == 2);
  CHECK(finished[1].range == "bytes=50000-");
  CHECK(finished[1].status == 416);
}
