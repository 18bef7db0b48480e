// How long a send may take in all (S3-24).

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

JobId downloading(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  return id;
}

// The chat was asked to take a file of this size.
JobId sending(Stage& s, std::int64_t size) {
  const JobId id = downloading(s);
  s.reply("disk.start", Moving{.have = 1, .size = size, .path = {}, .checkpoint = {}});
  return id;
}

}  // namespace

TEST_CASE("S3-24: a send of 2000 MiB that makes progress may take longer than 15 min") {
  Stage s;
  constexpr std::int64_t kSize = 2'097'152'000;
  const JobId id = sending(s, kSize);
  const Call send = s.last("chat.land");
  for (int minute = 0; minute < 60; ++minute) {
    s.push(send, Moving{.have = minute, .size = kSize, .path = {}, .checkpoint = {}});
    s.live(1min, 30s);
  }
  CHECK(s.state(id) == "STREAMING");
  CHECK(s.intents(id) == "chat_send open");
}

TEST_CASE("S3-24: the deadline of a send is size / 100 kB/s + 10 min, whatever it reports") {
  Stage s;
  constexpr std::int64_t kSize = 60'000'000;  // 20 min in all, and one for the chat's own answer.
  const JobId id = sending(s, kSize);
  const Call send = s.last("chat.land");
  for (int minute = 0; minute < 20; ++minute) {
    s.push(send, Moving{.have = minute, .size = kSize, .path = {}, .checkpoint = {}});
    s.live(1min, 30s);
  }
  s.live(59'999ms, 30s);
  CHECK(s.state(id) == "STREAMING");
  s.after(1ms);
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).reason == "no_answer");
  CHECK(s.intents(id) == "chat_send unknown");
}

}  // namespace haul::testing
