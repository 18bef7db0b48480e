// Pages of which the second cannot be read, with the real engine and a real server: haul fetches
// the files of the first page, repeats the listing, and fails the job if no listing completes.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/json.h"
#include "support/io/temp_folder.h"
#include "support/process/real_get.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// Short, so that the test sees the end of a wait. Tests with a turned clock check that it is 30 s.
const flow::Settings kSoon{.environment_wait = 100ms, .host = {.at_once = 16, .apart = 0ms}};

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

struct PagesJob {
  TempFolder home;
  TempFolder site;
  FaultServer server{"127.0.0.1", site.path().string()};
  RealGet get{kSoon};
  JobId id;

  // The first page has three files. The second page has a fourth; `faults` are its switches.
  void ask(const std::string& faults) {
    std::ofstream{site / "second.html"} << R"(<html><body><a href="/f/d.png">d</a></body></html>)";
    const std::string first = server.url("/page?links=/f/a.png,/f/b.png,/f/c.png&next=" +
                                         encoded("/d/second.html?" + faults));
    id = get.add(fmt::format(R"({{"url":{},"folder":{},"discover":true,"pages_max":9}})",
                             json_quoted(first), json_quoted((home / "out").string())));
  }
  bool ends() {
    return get.until([&] { return get.job(id).ended_at.has_value(); });
  }
  // How often haul asked for a path.
  std::ptrdiff_t asked(const std::string& path) const {
    return std::ranges::count(server.log(), path, &LoggedRequest::path);
  }
  bool holds(const std::string& name) const {
    std::ifstream file{home / "out" / name, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    return bytes == FaultServer::content(name, 1'024);
  }
};

}  // namespace

TEST_CASE("a listing whose second page always fails: its files arrive, then the job has failed") {
  PagesJob job;
  job.ask("status=503");

  REQUIRE(job.ends());

  CHECK(job.get.job(job.id).version.state == "FAILED");
  CHECK(job.get.job(job.id).reason == "listing_incomplete");
  CHECK(job.get.job(job.id).detail.find("http_503") != std::string::npos);
  CHECK(job.asked("/d/second.html") == 5);
  for (const char* name : {"a.png", "b.png", "c.png"}) {
    CHECK_MESSAGE(job.holds(name), name);
    CHECK_MESSAGE(job.asked(fmt::format("/f/{}", name)) == 1, name);
  }
}

TEST_CASE("a listing whose second page fails twice is repeated until it is whole") {
  PagesJob job;
  job.ask("status=503&status_times=2");

  REQUIRE(job.ends());

  CHECK(job.get.job(job.id).version.state == "COMPLETED");
  CHECK(job.asked("/d/second.html") == 3);
  for (const char* name : {"a.png", "b.png", "c.png", "d.png"}) {
    CHECK_MESSAGE(job.holds(name), name);
    CHECK_MESSAGE(job.asked(fmt::format("/f/{}", name)) == 1, name);
  }
}
