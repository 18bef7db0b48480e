// What a download does with a reply's head, and when a connection ends.

#include "engine/http/download_rules.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

HeadStep head(Meaning meaning, Round round = Round::first) {
  return judge_head({.meaning = meaning, .round = round});
}

}  // namespace

TEST_CASE("S2-31: a download takes the file from its first byte, or the range it asked for") {
  for (const Round round : {Round::first, Round::again, Round::decoded}) {
    CHECK(head(Meaning::whole, round) == HeadStep::take_whole);
    CHECK(head(Meaning::part, round) == HeadStep::take_part);
    CHECK(head(Meaning::complete, round) == HeadStep::finish);
    CHECK(head(Meaning::moved, round) == HeadStep::hop);
    CHECK(head(Meaning::fault, round) == HeadStep::fail);
  }
}

TEST_CASE("S2-31: a file that changed on the way is begun again once, not twice") {
  CHECK(head(Meaning::changed) == HeadStep::restart);
  CHECK(head(Meaning::changed, Round::again) == HeadStep::changed_again);
  CHECK(head(Meaning::changed, Round::decoded) == HeadStep::changed_again);
}

TEST_CASE("a compressed body is asked for decoded once, unless the file itself is compressed") {
  CHECK(head(Meaning::coded) == HeadStep::decode);
  CHECK(head(Meaning::coded, Round::again) == HeadStep::decode);
  CHECK(head(Meaning::coded, Round::decoded) == HeadStep::unknown_coding);
  CHECK(judge_head({.meaning = Meaning::coded, .keeps_coding = true}) == HeadStep::take_whole);
}

TEST_CASE("S2-31: an extra connection takes its range and nothing else") {
  const auto extra = [](Meaning meaning) {
    return judge_head({.meaning = meaning, .is_extra = true, .keeps_coding = true});
  };
  CHECK(extra(Meaning::part) == HeadStep::take_part);
  CHECK(extra(Meaning::complete) == HeadStep::finish);
  for (const Meaning meaning :
       {Meaning::whole, Meaning::changed, Meaning::moved, Meaning::coded, Meaning::fault})
    CHECK(extra(meaning) == HeadStep::refuse);
}

TEST_CASE("the last connection's end: all bytes or a refusal go on, a break or too few fail") {
  EndSeen seen{.is_accepted = true, .is_whole = true, .is_size_known = true, .is_last = true};
  CHECK(judge_end(seen) == EndStep::go_on);
  seen.is_whole = false;
  CHECK(judge_end(seen) == EndStep::fail);
  seen.is_broken = true;
  CHECK(judge_end(seen) == EndStep::fail);
  CHECK(judge_end({.is_stopped = true, .is_size_known = true, .is_last = true}) == EndStep::go_on);
  CHECK(judge_end({.is_broken = true, .is_size_known = true, .is_last = true}) == EndStep::fail);
  CHECK(judge_end({.is_size_known = true, .is_last = true}) == EndStep::fail);
}

TEST_CASE("the end of a body of unknown size tells the size, if nothing broke it off") {
  const EndSeen seen{.is_accepted = true, .is_last = true};
  CHECK(judge_end(seen) == EndStep::learn_size);
  EndSeen broken = seen;
  broken.is_broken = true;
  CHECK(judge_end(broken) == EndStep::fail);
  EndSeen stopped = seen;
  stopped.is_stopped = true;
  CHECK(judge_end(stopped) == EndStep::fail);
  CHECK(judge_end({.is_last = true}) == EndStep::fail);
  CHECK(judge_end({.is_stopped = true, .is_last = true}) == EndStep::fail);
}

TEST_CASE("while others fetch, the end of a connection gives its slot back, and a refusal tells") {
  CHECK(judge_end({.is_accepted = true, .is_whole = true, .is_size_known = true}) ==
        EndStep::give_slot);
  CHECK(judge_end({.is_accepted = true, .is_size_known = true}) == EndStep::stay_few);
  CHECK(judge_end({.is_stopped = true, .is_size_known = true}) == EndStep::stay_few);
  CHECK(judge_end({.is_broken = true, .is_size_known = true}) == EndStep::stay_few);
}

}  // namespace haul::http
