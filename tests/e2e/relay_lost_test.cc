// A real daemon that is killed or paused while it has relays in each leased state, and what the
// chat has received.

#include <doctest/doctest.h>

#include <csignal>
#include <functional>

#include "support/process/held_thread.h"
#include "support/process/relay_bench.h"
#include "support/run/proof.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

using Is = UploadMood::Is;

constexpr const char* kStates[] = {"CLAIMED", "DOWNLOADING", "STREAMING"};

// With a size of its own: a file that the chat's server has would be sent by its id.
void put_new(RelayBench& b, const std::string& name) {
  b.put(name, 1'000 + std::hash<std::string>{}(name) % 100'000);
}

// A worker that has delivered a relay has free capacity, and lends it to the next add.
void warm_up(RelayBench& b) {
  put_new(b, "first");
  REQUIRE(b.daemon.comes_to(b.add("disk:/first"), "DELIVERED"));
}

// A relay of a new file that stays in DOWNLOADING until disk.go().
std::string add_downloading(RelayBench& b, const std::string& name) {
  put_new(b, name);
  b.disk.act(DiskRoute::meta, {.waits = true});
  const std::size_t asked = b.disk.count(DiskRoute::meta);
  const std::string id = b.add("disk:/" + name);
  REQUIRE(b.daemon.comes_to(id, "DOWNLOADING"));
  REQUIRE(comes_true([&] { return b.disk.count(DiskRoute::meta) > asked; }));
  return id;
}

// A relay of a new file that stays in STREAMING until chat.go(). The chat has its bytes.
std::string add_streaming(RelayBench& b, const std::string& name) {
  put_new(b, name);
  b.chat.set({.is = Is::processes, .times = 1});
  const int whole = b.chat.whole();
  const std::string id = b.add("disk:/" + name);
  REQUIRE(b.daemon.comes_to(id, "STREAMING"));
  REQUIRE(comes_true([&] { return b.chat.whole() > whole; }));
  return id;
}

// A relay of a new file. The add claims it for the worker, and the worker's thread, which is the
// main one, is held.
std::string add_claimed(RelayBench& b, const std::string& name) {
  put_new(b, name);
  std::string id = b.add("disk:/" + name);
  REQUIRE(b.state(id) == "CLAIMED");
  return id;
}

// Brings the relay of a new file into this state and kills the daemon there.
std::string add_and_kill(RelayBench& b, const std::string& name, std::string_view state) {
  std::string id;
  if (state == "CLAIMED") {
    const HeldThread held{b.daemon.pid()};
    id = add_claimed(b, name);
    b.daemon.kill();
    return id;
  }
  const bool is_streaming = state == "STREAMING";
  id = is_streaming ? add_streaming(b, name) : add_downloading(b, name);
  b.daemon.kill();
  if (is_streaming)
    b.chat.go();
  else
    b.disk.go();
  return id;
}

void check_delivered(const RelayBench& b, const std::string& id, const std::string& name) {
  REQUIRE(b.daemon.comes_to(id, "DELIVERED"));
  const std::string trail = b.trail(id);
  CHECK(trail.find("DELIVERED") == trail.rfind("DELIVERED"));
  CHECK(b.messages(name) <= 1 + b.flagged(id));
  CHECK(b.messages(name) >= 1);
}

}  // namespace

TEST_CASE(
    "S3-7, S3-8, A3-2, S3-21: kill -9 in each state: every relay ends once, duplicates are "
    "flagged" *
    doctest::test_suite("proof")) {
  RelayBench b;
  warm_up(b);
  const int runs = rounds(21, 201);
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    const std::string name = fmt::format("{}.bin", run);
    const std::string id = add_and_kill(b, name, kStates[run % 3]);
    b.daemon.start();
    check_delivered(b, id, name);
    CHECK(member_of(b.daemon.job(id), "attempt") == "1");
  }
}

TEST_CASE(
    "S3-9, A3-2: a daemon paused past its lease in each state goes on, and sends every file once" *
    doctest::test_suite("proof")) {
  RelayBench b;
  const int runs = rounds(7, 67);  // With three relays each.
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    const std::string names[] = {fmt::format("{}.a", run), fmt::format("{}.b", run),
                                 fmt::format("{}.c", run)};
    std::string ids[] = {"", add_downloading(b, names[1]), add_streaming(b, names[2])};
    {
      const HeldThread held{b.daemon.pid()};
      ids[0] = add_claimed(b, names[0]);
      ::kill(b.daemon.pid(), SIGSTOP);
    }
    b.disk.go();
    b.chat.go();
    let_pass(2'500ms);  // Its lease is 2 s.
    ::kill(b.daemon.pid(), SIGCONT);
    for (int i = 0; i < 3; ++i) {
      check_delivered(b, ids[i], names[i]);
      CHECK(b.messages(names[i]) == 1);
      CHECK(member_of(b.daemon.job(ids[i]), "attempt") == "0");  // No other worker was there.
    }
  }
}

TEST_CASE(
    "S3-21: at default settings a relay of a killed daemon is delivered, in ./dev proof within "
    "60 s" *
    doctest::test_suite("proof alone")) {
  RelayBench b{{"HAUL__RELAY__HEARTBEAT=5s", "HAUL__RELAY__TIMEOUT=30s"}};
  warm_up(b);
  for (const char* state : kStates) {
    CAPTURE(state);
    const std::string id = add_and_kill(b, state, state);
    const Steady killed = system_clock().steady();
    b.daemon.start();
    check_delivered(b, id, state);
    const Millis took = system_clock().steady() - killed;
    MESSAGE(std::string{state}, " recovered after ", took.count(), " ms");
    CHECK(is_within(took, 60s));
  }
}
