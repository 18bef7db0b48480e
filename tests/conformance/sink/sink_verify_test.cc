// What a sink promises about proof and cleaning (Sink::verify and clean).

#include <algorithm>

#include "conformance/sink/sink.h"

namespace haul::conformance {
namespace {

constexpr Millis kAskAgain{60'000};  // As the flow does.
constexpr int kAsksMax = 20;

// The other side may list a file only some time after it has landed.
std::optional<Indexed> listed(SinkBench& b, const Parcel& parcel) {
  for (int i = 0; i < kAsksMax; ++i) {
    const auto answer = b.verify(parcel);
    if (!answer) return std::nullopt;
    if (const auto* indexed = std::get_if<Indexed>(&*answer)) return *indexed;
    if (!std::holds_alternative<NotIndexed>(*answer)) return std::nullopt;
    b.until([] { return false; }, kAskAgain);
  }
  return std::nullopt;
}

// The outcome of a clean. Empty if there is none.
std::string cleaned(SinkBench& b, const Parcel& parcel) {
  const auto answer = b.clean(parcel);
  const auto* done = answer ? std::get_if<Cleaned>(&*answer) : nullptr;
  return done ? done->outcome : "";
}

}  // namespace

TEST_CASE("sink: what was never landed is NotIndexed") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::verifies) || !b.follows(SinkRule::lists_landed)) return;

    const auto answer = b.verify(b.parcel(Pace::quick));

    REQUIRE(answer);
    CHECK(std::holds_alternative<NotIndexed>(*answer));
  });
}

TEST_CASE("sink: what has landed is listed with its paths and sizes") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::verifies)) return;
    const auto parcel = b.landed(b.parcel(Pace::quick));
    REQUIRE(parcel);

    const auto indexed = listed(b, *parcel);

    REQUIRE(indexed);
    for (const PlacedFile& file : parcel->placed)
      CHECK_MESSAGE(std::ranges::count(indexed->files, file) == 1, file.path);
    for (const Sight& sight : b.sights.all()) CHECK(sight.fence == parcel->fence);
  });
}

TEST_CASE("sink: a clean removes the source, and neither what landed nor files of others") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::cleans)) return;
    const auto parcel = b.landed(b.parcel(Pace::quick));
    REQUIRE(parcel);
    REQUIRE(listed(b, *parcel));
    b.add_stranger();

    const std::string outcome = cleaned(b, *parcel);

    CHECK_MESSAGE((outcome == "deleted" || outcome == "trashed"), outcome);
    CHECK(b.answers(*parcel) == 1);
    CHECK(b.has_no_source());
    CHECK(b.has_stranger());
    CHECK(b.kept() == parcel->placed.size());
  });
}

TEST_CASE("sink: a clean keeps a source whose copy is gone or has another size") {
  for (const bool is_gone : {true, false})
    with_each<SinkBench>([is_gone](SinkBench& b) {
      CAPTURE(is_gone);
      if (!b.follows(SinkRule::cleans) || !b.follows(SinkRule::checks_copies)) return;
      const auto parcel = b.landed(b.parcel(Pace::quick));
      REQUIRE(parcel);
      is_gone ? b.lose_copy() : b.shorten_copy();

      CHECK(cleaned(b, *parcel) == "kept_unsafe");

      CHECK_FALSE(b.has_no_source());
    });
}

TEST_CASE("sink: a clean that is repeated finds that the source is gone") {
  with_each<SinkBench>([](SinkBench& b) {
    if (!b.follows(SinkRule::cleans)) return;
    const auto parcel = b.landed(b.parcel(Pace::quick));
    REQUIRE(parcel);
    REQUIRE(listed(b, *parcel));
    REQUIRE_FALSE(cleaned(b, *parcel).empty());

    CHECK(cleaned(b, *parcel) == "already_gone");
  });
}

}  // namespace haul::conformance
