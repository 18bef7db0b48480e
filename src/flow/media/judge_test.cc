// Whether haul removes the source of a film (document 001, promise 11, Z-31).

#include "flow/media/judge.h"

#include <doctest/doctest.h>

namespace haul::flow {
namespace {

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

}  // namespace haul::flow
