// A misbehaving program in place of yt-dlp (hostile list X, F31, F38): it cannot leave its folder,
// and nothing of it is left behind.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include <filesystem>

#include "base/clock.h"
#include "io/process/sandbox.h"
#include "support/io/small_disk.h"
#include "support/process/get_bench.h"
#include "support/process/relatives.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/run/skip.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// Nothing listens there, and the fake program does not connect.
std::string fake_url(std::string_view word) {
  return fmt::format("http://127.0.0.1:8009/{}", word);
}

struct Faked : GetBench {
  Faked() : GetBench{"yt-dlp"} {
    set(std::string{"HAUL__ENGINE__YT_DLP__PROGRAM="} + HAUL_FAKE_PROGRAM);
  }
  std::string outcome_of(std::string_view word) { return get({fake_url(word)}).outcome(word); }
};

// Runs the fake program under another name. The name selects how it behaves from its start.
Told get_with_program_called(const std::string& name) {
  GetBench bench{"yt-dlp"};
  const TempFolder folder;
  const fs::path program = folder / name;
  fs::create_symlink(HAUL_FAKE_PROGRAM, program);
  bench.set("HAUL__ENGINE__YT_DLP__PROGRAM=" + program.string());
  return bench.get({fake_url("film")});
}

}  // namespace

TEST_CASE("a film is delivered from the program's folder, of which nothing stays") {
  Faked bench;

  const Told told = bench.get({fake_url("film")});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "film.mp4");
  CHECK(bench.content("film.mp4") == "film of film");
}

TEST_CASE("X1: bytes that are no text do no harm") {
  Faked bench;
  CHECK(bench.outcome_of("garbage") == "completed");
}

TEST_CASE("X2: progress that makes no sense is passed over") {
  Faked bench;
  CHECK(bench.outcome_of("nonsense") == "completed");
}

TEST_CASE("X4: a program that says all is well and has no file has failed") {
  Faked bench;
  CHECK(bench.outcome_of("nothing") == "failed no_file");
  CHECK(bench.ask("SELECT failed_items FROM contract_batch_jobs") == "1");
}

TEST_CASE("F36: a film without an end is stopped at the size that is allowed, and nothing stays") {
  Faked bench;
  const Told told = bench.get({"--max-unknown-size", "4M", fake_url("endless")});
  CHECK(told.outcome("endless") == "failed file_too_large");
  CHECK(bench.listing().empty());
}

TEST_CASE("F25: a program is stopped before it takes what the disk must keep free") {
  Faked bench;
  const SmallDisk disk{bench.folder(), "size=512m"};  // The state of haul is on another disk.
  if (!disk.is_there()) return;
  const auto free = [&] { return fs::space(bench.folder()).available; };
  const std::uintmax_t keep_free = free() - 4'000'000;
  Child child{bench.command({"--keep-free", std::to_string(keep_free), fake_url("endless")})};
  bool waits = false;
  while (!waits) {
    const auto line = child.line();
    REQUIRE(line);
    waits = line->find("--keep-free") != std::string::npos;
  }
  CHECK(free() >= keep_free);
  CHECK(bench.listing().empty());  // Its staging folder would be here.
  child.kill();
  CHECK(bench.ask("SELECT reason FROM jobs") == "disk_full");
  // Nothing but the item's program has written there, and it has not filled the disk.
  CHECK(bench.ask("SELECT detail LIKE '% has ___ MiB free; %' FROM jobs") == "1");
  CHECK(bench.ask("SELECT count(*) || ' ' || sum(attempt) FROM items") == "1 0");
}

TEST_CASE("X6: what lies outside its folder, or leads there, is not delivered") {
  for (const char* word : {"outside", "dots", "link"}) {
    Faked bench;
    CHECK_MESSAGE(bench.outcome_of(word) == "failed outside_staging", word);
    CHECK(bench.listing().empty());
  }
}

TEST_CASE("X6, F38: it reads, writes and reaches nothing but its own") {
  if (io::landlock_version() < 6) return skip("this kernel has no Landlock of version 6");
  Faked bench;
  bench.get({fake_url("walls")});

  CHECK(bench.content("film.mp4") ==
        "read /etc/shadow: no\nwrite beside staging: no\nwrite /tmp: no\nconnect elsewhere: no\n"
        "datagrams: no\nsignal its keeper's parent: no\nsockets of this machine: no\n");
  CHECK(bench.listing() == "film.mp4");
}

TEST_CASE("F38: where walls are required and the kernel has none, no program runs") {
  const TempFolder folder;
  const fs::path wrapper = folder / "without-landlock";
  fs::create_symlink(HAUL_FAKE_PROGRAM, wrapper);
  const auto get = [&](Faked& bench) {
    Words words = bench.command({fake_url("film")});
    words.insert(words.begin(), wrapper.string());
    return told(run_program(words));
  };

  Faked preferring;
  CHECK(get(preferring).code == 0);
  CHECK(preferring.listing() == "film.mp4");
  CHECK(preferring.ask("SELECT count(*) FROM events WHERE type = 'LOG' AND "
                       "data LIKE '%no Landlock%warning%'") == "1");

  Faked requiring;
  requiring.set("HAUL__ENGINE__SANDBOX=require");
  CHECK(get(requiring).code == 1);
  CHECK(requiring.listing().empty());
  CHECK(requiring.ask("SELECT reason FROM jobs") == "sandbox_missing");
}

TEST_CASE("a list that breaks off for good: what it had is fetched, and the job says the rest") {
  Faked bench;
  const Told told = bench.get({fake_url("half-a-list")});

  CHECK(told.code == 1);
  CHECK(bench.listing() == "film (2).mp4, film.mp4");
  CHECK(bench.ask("SELECT state, reason FROM jobs") == "FAILED|listing_incomplete");
}

TEST_CASE(
    "X7: a program that is deaf and has a child in hiding is gone with a cancel (proof: within 2 "
    "s)" *
    doctest::test_suite("proof alone")) {
  Faked bench;
  const std::string folder = bench.folder();
  Child child{bench.command({"--discard", fake_url("stubborn")})};
  REQUIRE(comes_true([&] { return relatives(folder).size() >= 2; }));  // With the one in hiding.

  const Steady before = system_clock().steady();
  interrupt_for_good(child);
  const Told told = haul::testing::told(child);

  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(relatives(folder).empty());
  CHECK(bench.listing().empty());
  CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "CANCELLED");
}

TEST_CASE("S2-12: a cancel ends it in each phase, and leaves nothing (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  for (const char* word : {"hang-listing", "hang", "hang-merging"}) {
    INFO(word);
    Faked bench;
    const std::string folder = bench.folder();
    const std::string token = unique_word();
    Child child{bench.command({"--discard", fake_url(word) + "?token=" + token})};
    REQUIRE(comes_true([&] { return !relatives(folder).empty(); }));
    CHECK(relatives(token).empty());  // F52: no argument or variable of the program has it.

    const Steady before = system_clock().steady();
    interrupt_for_good(child);
    const Told told = haul::testing::told(child);

    CHECK(is_within(system_clock().steady() - before, 2s));
    CHECK(relatives(folder).empty());
    CHECK(bench.listing().empty());
    CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "CANCELLED");
    CHECK(bench.ask("SELECT count(*) FROM contract_batch_job_items "
                    "WHERE status <> 'CANCELLED'") == "0");
    CHECK(bench.ask("SELECT type FROM contract_batch_events ORDER BY id DESC LIMIT 1") ==
          "JOB_DONE");
  }
}

TEST_CASE("S2-15: merging is a status that a person sees") {
  Faked bench;
  Child child{bench.command({fake_url("hang-merging")})};
  std::string seen;
  while (seen.find("\"status\":\"Merging\"") == std::string::npos) {
    const auto line = child.line();
    REQUIRE(line);
    seen = *line;
  }
  interrupt_for_good(child);
  haul::testing::told(child);
}

TEST_CASE("X9: a file that is no media is refused, whatever it is called by") {
  for (const char* word :
       {"end-in-exe", "end-in-desktop", "end-in-url", "end-in-php", "end-in-sh", "no-ending"}) {
    Faked bench;
    CHECK_MESSAGE(bench.outcome_of(word) == "failed unsafe_extension", word);
    CHECK(bench.listing().empty());
  }
  Faked bench;
  CHECK(bench.outcome_of("end-in-webm") == "completed");
}

TEST_CASE("F34: a page that a program delivers under a film's name is not the film") {
  Faked bench;
  CHECK(bench.outcome_of("page") == "failed unexpected_content");
  CHECK(bench.listing().empty());
}

TEST_CASE("N38, N39: a title full of commands becomes a name, and runs nothing") {
  Faked bench;
  CHECK(bench.outcome_of("title") == "completed");
  REQUIRE(bench.files().size() == 1);
  const fs::path folder = bench.folder() / bench.files().front();
  REQUIRE(fs::is_directory(folder));
  for (const auto& entry : fs::directory_iterator{folder})
    CHECK(entry.path().filename() == "$(id)`id`;id_x&y__[2J.mp4");
}

TEST_CASE("a file that can be run arrives as one that cannot") {
  Faked bench;
  CHECK(bench.outcome_of("runs") == "completed");
  CHECK((fs::status(bench.folder() / "film.mp4").permissions() & fs::perms{07111}) ==
        fs::perms::none);
}

TEST_CASE("a file whose mode changes after it was checked arrives as one that cannot be run") {
  Faked bench;
  CHECK(bench.outcome_of("runs-later") == "completed");
  CHECK((fs::status(bench.folder() / "film.mp4").permissions() & fs::perms{07111}) ==
        fs::perms::none);
}

TEST_CASE("X11: it has no terminal, no input and nothing of our surroundings") {
  Faked bench;
  bench.set("SECRET_OF_OURS=1");
  bench.get({fake_url("surroundings")});

  const std::string report = bench.content("film.mp4");
  CHECK(report.find("tty: no\nstdin: 0\nfolder: ") != std::string::npos);
  CHECK(report.find("SECRET") == std::string::npos);
  CHECK(report.find("HOME=" + bench.folder().string() + "/.haul-") != std::string::npos);
  CHECK(report.find("https_proxy=http://haul:") != std::string::npos);
}

TEST_CASE("X12: a program that is missing, broken or too old is an error that names the package") {
  GetBench bench{"yt-dlp"};
  bench.set("HAUL__ENGINE__YT_DLP__PROGRAM=/nowhere/yt-dlp");
  const Told missing = bench.get({fake_url("film")});
  CHECK(missing.code == 1);
  CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "FAILED");
  CHECK(missing.out.find("program_missing") != std::string::npos);
  CHECK(missing.out.find("package yt-dlp") != std::string::npos);

  const Told broken = get_with_program_called("broken");
  CHECK(broken.out.find("program_broken") != std::string::npos);
  CHECK(broken.out.find("no module named yt_dlp") != std::string::npos);

  const Told old = get_with_program_called("old");
  CHECK(old.out.find("program_too_old") != std::string::npos);
  CHECK(old.out.find("2021.01.01") != std::string::npos);
}

TEST_CASE("U50: an address that is an option, a file or a shell's is refused before any program") {
  for (const char* url : {"--exec=touch pwned", "-oProxyCommand=x", "@/etc/passwd",
                          "file:///etc/passwd", "ytsearch:x", "http://h/ --exec id"}) {
    Faked bench;
    const Told told =
        bench.get({"-i", (bench.put("list", url), (bench.folder() / "list").string())});
    CHECK_MESSAGE(told.code == 2, url);
    CHECK(told.err.find("list:1: ") != std::string::npos);
    CHECK(bench.listing() == "list");
  }
}

TEST_CASE("S2-21: what fails for now is tried again by the flow, what fails for good is not") {
  Faked bench;
  CHECK(bench.outcome_of("gone") == "failed site_refuses");
  CHECK(bench.ask("SELECT tries FROM items") == "0");
}
