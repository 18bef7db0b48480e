// kill -9 of haul while programs run for it (F31): no program and no descendant of one is left, and
// the same command completes the job with every file whole.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <random>

#include "support/process/get_bench.h"
#include "support/process/media.h"
#include "support/process/relatives.h"
#include "support/run/moment.h"
#include "support/run/proof.h"

using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kKillsInTest = 6;
constexpr int kKillsInProof = 50;

std::string listing_below(const GetBench& bench) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{bench.folder()})
    if (entry.is_regular_file()) all += entry.path().filename().string() + "\n";
  return all;
}

// A page whose file takes longer than the test waits before the kill. `word` is unique per round.
std::string slow_page(const MediaServer& server, const std::string& word, bool pictures) {
  const std::string file =
      server.url(fmt::format("/f/{}.{}?size=250000&limit_rate=100000&type={}", word,
                             pictures ? "jpg" : "mp4", pictures ? "image/jpeg" : "video/mp4"));
  if (pictures)
    return "r:" + server.page(word + ".html", fmt::format("<a href=\"{}\">x</a>", file));
  return server.page(word + ".html", fmt::format("<video src=\"{}\"></video>", file));
}

}  // namespace

TEST_SUITE_BEGIN("proof");

TEST_CASE("F31: killed at random moments, haul leaves no program behind, and goes on after") {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  const MediaServer server;

  for (int round = 0; round < rounds(kKillsInTest, kKillsInProof); ++round) {
    INFO("HAUL_TEST_SEED=" << seed << " round " << round);
    const bool pictures = round % 2 == 1;
    GetBench bench{pictures ? "gallery-dl" : "yt-dlp"};
    const std::string folder = bench.folder();
    const Words command = bench.command({slow_page(server, unique_word(), pictures)});
    {
      Child child{command};
      let_pass(between(random, 0us, 3s));
      child.kill();
    }

    CHECK(comes_true([&] { return relatives(folder).empty(); }));
    const Told told = haul::testing::told(run_program(command));
    INFO(told.out);
    CHECK(told.code == 0);
    CHECK(relatives(folder).empty());
    CHECK(bench.ask("SELECT status, total_items, completed_items FROM contract_batch_jobs") ==
          "COMPLETED|1|1");
    CHECK(std::ranges::count(listing_below(bench), '\n') == 1);  // No part, no work folder.
  }
}

TEST_CASE("F31: a program that hides its children has none left after a kill -9 of haul") {
  for (int round = 0; round < rounds(2, 20); ++round) {
    GetBench bench{"yt-dlp"};
    bench.set(std::string{"HAUL__ENGINE__YT_DLP__PROGRAM="} + HAUL_FAKE_PROGRAM);
    const std::string folder = bench.folder();
    Child child{bench.command({"http://127.0.0.1:8009/stubborn"})};
    REQUIRE(comes_true([&] { return relatives(folder).size() >= 2; }));

    child.kill();

    CHECK(comes_true([&] { return relatives(folder).empty(); }));
  }
}

TEST_SUITE_END();
