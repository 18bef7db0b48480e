// S2-23: with defaults a server sees at most two requests at once, and one second between starts,
// whatever the requests are for. The times come from the server's log, where a busy machine may
// show two requests closer together than they were sent. So only `./dev proof` measures the gaps
// here, and pace_test.cc checks them to the millisecond in virtual time.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/clock.h"
#include "support/process/get_bench.h"
#include "support/run/proof.h"
#include "support/server/fault_server.h"

using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

constexpr auto kLate = 50ms;  // Even an idle server may log a request this late.

std::string story(const FaultServer& server) {
  std::string text;
  for (const LoggedRequest& each : server.log())
    text += fmt::format("{} us: {} {} {}, {} bytes, {}\n", each.started_at.count(), each.method,
                        each.path, each.range, each.sent, each.ended);
  return text;
}

void check_polite(const FaultServer& server, std::size_t requests_min) {
  INFO(story(server));
  CHECK(server.log().size() >= requests_min);
  CHECK(server.most_at_once() <= 2);
  for (const auto gap : server.start_gaps()) CHECK(is_apart(gap, 1s - kLate));
}

void check_ended_well(Child& child) {
  const Told told = haul::testing::told(child);
  INFO(told.out);
  INFO(told.err);
  CHECK(told.code == 0);
}

}  // namespace

TEST_CASE(
    "S2-23: two at once, across files, segments, hops, looks and pages (proof: a second apart)" *
    doctest::test_suite("proof alone")) {
  const FaultServer files;
  const FaultServer segments;
  const FaultServer looks;
  const FaultServer pages;
  GetBench a;
  GetBench b;
  GetBench c;
  GetBench d;
  // All run at the same time, each against its own server.
  Child one{a.polite_command({files.url("/f/slow?size=300000&limit_rate=100000"),
                              files.url("/f/hop?redirect_chain=2"), files.url("/f/b")})};
  Child two{b.polite_command(
      {segments.url(fmt::format("/f/large?size={}&limit_rate={}", 33 << 20, 4 << 20))})};
  Child three{c.polite_command({"--max-size", "1M", looks.url("/f/a"), looks.url("/f/b")})};
  Child four{d.polite_command(
      {"--discover", "--pages-max", "2",
       pages.url("/page?links=/f/a.png&next=" + encoded("/page?links=/f/b.png"))})};

  for (Child* child : {&one, &two, &three, &four}) check_ended_well(*child);
  check_polite(files, 5);
  CHECK(files.most_at_once() == 2);
  check_polite(segments, 2);
  INFO(story(segments));
  CHECK(segments.most_at_once() == 2);
  CHECK(b.holds("large", FaultServer::content("large", 33 << 20)));
  check_polite(looks, 4);
  check_polite(pages, 4);
}

TEST_CASE("S2-23: --per-host is obeyed as given, --segments within it (proof: --delay, too)" *
          doctest::test_suite("proof alone")) {
  const FaultServer server;
  GetBench bench;
  Words words{"--per-host", "3", "--delay", "400ms", "--segments", "8", "--speed-limit", "8M"};
  for (int i = 0; i < 6; ++i)
    words.push_back(server.url(fmt::format("/f/{}?size=160000&limit_rate=100000", i)));
  words.push_back(server.url(fmt::format("/f/large?size={}", 33 << 20)));
  CHECK(bench.get_politely(words).code == 0);

  CHECK(server.most_at_once() == 3);
  for (const auto gap : server.start_gaps()) CHECK(is_apart(gap, 400ms - kLate));
}

TEST_CASE("S2-23: many small files obey --per-host, too, and each is asked for once") {
  const FaultServer server;
  GetBench bench;
  Words words{"--per-host", "3", "--delay", "0"};
  for (int i = 0; i < 300; ++i)
    words.push_back(server.url(fmt::format("/f/small-{}?size=2000", i)));
  // Others wait behind these for longer than a start waits for a slot.
  for (int i = 0; i < 6; ++i)
    words.push_back(server.url(fmt::format("/f/slow-{}?size=60000&limit_rate=40000", i)));
  for (int i = 0; i < 20; ++i) words.push_back(server.url(fmt::format("/f/last-{}?size=2000", i)));
  const Told told = bench.get_politely(words);
  INFO(told.err);
  CHECK(told.code == 0);

  CHECK(server.log().size() == 326);
  CHECK(server.most_at_once() == 3);
  CHECK(bench.holds("last-19", FaultServer::content("last-19", 2'000)));
}

// That the other host does not wait shows in the order: its request comes before the second one to
// the first host. The run lasts as long as that one waits.
TEST_CASE("A2-12: another port is the same host; another host has limits of its own (proof: 4 s)" *
          doctest::test_suite("proof alone")) {
  const FaultServer server;
  const FaultServer other_port;
  const FaultServer other_host{"127.0.0.2"};
  GetBench bench;
  const haul::Clock& clock = haul::system_clock();
  const haul::Steady before = clock.steady();
  CHECK(bench
            .get_politely({"--per-host", "1", "--delay", "4s", server.url("/f/a"),
                           other_port.url("/f/b"), other_host.url("/f/c")})
            .code == 0);

  const auto took = clock.steady() - before;

  CHECK(took >= 4s - kLate);
  const auto one = server.log().at(0).started_at;
  const auto two = other_port.log().at(0).started_at;
  CHECK(is_apart(std::chrono::abs(two - one), 4s - kLate));
  CHECK(other_host.log().at(0).started_at < std::max(one, two));
}
