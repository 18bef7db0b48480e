// What a film waits for, and whether haul removes its source (document 001, promise 11, Z-31).

#include "flow/media/judge.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

const Landing kLanding{JobId{1}, {{"/lib/e1", 10}, {"/lib/e2", 20}}};

}  // namespace

TEST_CASE("001: the step of a film's state says what its worker does") {
  CHECK((judge_import(Step::land) == ImportAct::land));
  CHECK((judge_import(Step::verify) == ImportAct::prove));
  for (const Step other : {Step::none, Step::claim, Step::plan, Step::transfer, Step::wait})
    CHECK((judge_import(other) == ImportAct::none));
}

TEST_CASE("promise 11: a list of every file that landed gives the receipt to clean") {
  const auto receipt = judge_indexed({kLanding}, {.files = kLanding.files});
  REQUIRE(receipt.has_value());
  CHECK(receipt->job() == JobId{1});
  CHECK(receipt->landing().files == kLanding.files);
}

TEST_CASE("promise 11: a list without one of the files keeps the source, and so does no landing") {
  const auto partly = judge_indexed({kLanding}, {.files = {kLanding.files[0]}});
  CHECK((partly.error() == KeepSource::not_proven));
  const Landing nothing{JobId{1}, {}};
  CHECK((judge_indexed({nothing}, {}).error() == KeepSource::not_proven));
}

TEST_CASE("Z-31: a restored store keeps the source of a film that is proven") {
  const LandedView restored{.landing = kLanding, .is_restored = true};
  CHECK((judge_indexed(restored, {.files = kLanding.files}).error() == KeepSource::restored));
  CHECK((judge_indexed(restored, {}).error() == KeepSource::not_proven));
}

TEST_CASE("Z-4: a manifest is this life's, unless a user has retried the film since") {
  CHECK(is_listed({.has_files = true, .retries = 0}));
  CHECK_FALSE(is_listed({.has_files = false, .retries = 0}));
  CHECK_FALSE(is_listed({.has_files = true, .retries = 1}));
}

TEST_CASE("a fault waits for help if the table has words for it, whatever its kind") {
  const auto waits = [](FaultKind kind, const char* code) {
    return waits_after({kind, code, ""}, kMedia);
  };
  for (const char* code : {"cannot_parse", "no_video", "destination_taken", "path_not_mapped",
                           "server_unreachable", "server_refused_token", "path_refused"}) {
    CHECK(waits(FaultKind::environment, code));
    CHECK(waits(FaultKind::permanent, code));
  }
  CHECK(waits(FaultKind::environment, "not_configured"));
  CHECK_FALSE(waits(FaultKind::environment, "disk_full"));
  CHECK_FALSE(waits(FaultKind::retryable, "no_answer"));
  CHECK_FALSE(waits(FaultKind::permanent, ""));
}

TEST_CASE("Z-1: a transfer that the client lost is waited for 60 s") {
  CHECK((judge_missing_transfer(0ms, {}) == OnMissing::wait));
  CHECK((judge_missing_transfer(59'999ms, {}) == OnMissing::wait));
  CHECK((judge_missing_transfer(60s, {}) == OnMissing::fail));
}

TEST_CASE("A1-9: haul asks again when the time is over, at least every 5 min, at most every 15 s") {
  const Time now = from_unix_ms(1'770'000'000'000);
  const auto after = [&](std::optional<Millis> left) {
    return judge_seeding({.left = left, .detail = "x"}, now, {}).after;
  };
  CHECK((after({}) == 5min));
  CHECK((after(24h) == 5min));
  CHECK((after(2min) == 2min));
  CHECK((after(1s) == 15s));
  CHECK((after(-1s) == 15s));

  CHECK(judge_seeding({.left = {}, .detail = "ratio"}, now, {}).detail == "ratio");
  CHECK(judge_seeding({.left = 1h, .detail = "ratio"}, now, {}).detail ==
        "ratio; until " + to_iso(now + 1h) + " at the latest");
  CHECK(judge_seeding({.left = 1h, .detail = ""}, now, {}).detail ==
        "until " + to_iso(now + 1h) + " at the latest");
}

TEST_CASE("Z-4: a file stays if its transfer is in use, or if another open job lists it") {
  ManifestFile file;
  CHECK_FALSE(judge_kept(file, {}).has_value());
  CHECK(judge_kept(file, {.used_by = "sonarr"}) == "sonarr");
  file.is_wanted_elsewhere = true;
  CHECK(judge_kept(file, {}) == "another open job lists this file");
}

}  // namespace haul::flow
