// A send whose outcome is unknown, again and again (Z-27, A3-7).

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

JobId streaming(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  return id;
}

void stream_again(Stage& s, Millis after) {
  s.live(after);
  s.reply("disk.start", Moving{.have = 1});
}

// The chat has the whole message, and its answer makes no sense.
Failed bad_answer(FaultKind kind) {
  Failed bad = failed(kind, "bad_answer");
  bad.outcome_unknown = true;
  return bad;
}

std::string reasons(Stage& s, JobId id, std::string_view to) {
  std::string text;
  for (const Event& event : s.store().events().of(id, {}, 100))
    if (event.type == "MOVED" && event.to == to) text += event.reason + " ";
  return text;
}

}  // namespace

TEST_CASE("Z-27: with resend an unknown outcome is repeated twice; the third says so at the end") {
  for (const FaultKind kind : {FaultKind::retryable, FaultKind::environment}) {
    Stage s;
    const Failed bad = bad_answer(kind);
    const JobId id = streaming(s);
    s.reply("chat.land", bad);
    CHECK(s.job(id).version.attempt == 1);
    stream_again(s, 2s);
    s.reply("chat.land", bad);
    stream_again(s, 4s);
    s.reply("chat.land", bad);
    CHECK(s.state(id) == "FAILED");
    CHECK(s.job(id).reason == "delivery_unknown");
    CHECK(s.job(id).detail.starts_with("the message may have arrived (bad_answer"));
    CHECK(s.intents(id) == "chat_send unknown, chat_send unknown, chat_send unknown");
    CHECK(reasons(s, id, "QUEUED") == "bad_answer bad_answer ");
    s.live(2min);
    CHECK(s.count("chat.land") == 3);
  }
}

TEST_CASE("Z-27: a bad answer to one send holds back no other relay") {
  Stage s;
  streaming(s);
  s.reply("chat.land", bad_answer(FaultKind::environment));
  s.add(kRelay);
  s.tick();
  CHECK(s.count("disk.start") == 2);
}

}  // namespace haul::testing
