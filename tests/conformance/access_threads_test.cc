// Races of logins, API keys and tallies, on a store in a file with its own writer thread.

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "base/secret.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kThreads = 16;

struct FileStore {
  TestFolder folder;
  Bench b{folder.open(Bench::kStart)};
};

// Runs a function on many threads that start at the same instant. Returns how many calls were true.
int together(const std::function<bool(int)>& run) {
  std::barrier start{kThreads};
  std::atomic<int> yes = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        if (run(i)) ++yes;
      });
  }
  return yes;
}

}  // namespace

TEST_CASE("promise 21: sixteen guesses at once have five tries, as one after the other") {
  FileStore f;

  CHECK(together([&](int) {
          return f.b.store().access().logins().take_try("ann", f.b.now()).has_value();
        }) == 5);
}

TEST_CASE("of sixteen keys with one prefix one is made") {
  FileStore f;

  CHECK(together([&](int i) {
          const NewApiKey key{.user = kAdmin,
                              .name = "k",
                              .scopes = {Scope::read},
                              .prefix = "prefix00",
                              .hash = hash_token(std::to_string(i))};
          return f.b.store().access().keys().add(key, f.b.now()).has_value();
        }) == 1);
}

TEST_CASE("promise 21: once a key is revoked or its user blocked, no look that begins finds it") {
  FileStore f;
  Access& access = f.b.store().access();
  const UserId ann = f.b.store().users().add("ann", Role::adder, f.b.now())->id;
  for (const char* prefix : {"revoked0", "blocked0"})
    REQUIRE(access.keys().add({ann, "k", {Scope::read}, prefix, hash_token("x"), {}}, f.b.now()));
  std::atomic<bool> revoked = false;
  std::atomic<bool> blocked = false;

  const int late = together([&](int i) {
    if (i == 0) {
      access.keys().revoke({1}, f.b.now());
      revoked = true;
      REQUIRE(f.b.store().users().set(ann, UserStatus::blocked, Role::adder).has_value());
      blocked = true;
      return false;
    }
    for (int look = 0; look < 100; ++look) {
      const bool was_revoked = revoked;
      const bool was_blocked = blocked;
      if (access.keys().live("revoked0", f.b.now()) && was_revoked) return true;
      if (access.keys().live("blocked0", f.b.now()) && was_blocked) return true;
    }
    return false;
  });

  CHECK(late == 0);
}

TEST_CASE("the tally is never of half a change, and exact when all is quiet") {
  FileStore f;
  std::atomic<int> added = 0;

  const int wrong = together([&](int i) {
    for (int turn = 0; turn < 30; ++turn) {
      if (i % 2) {
        const int before = added;
        std::int64_t jobs = 0;
        for (const StateCount& count : f.b.reader().tally({})) jobs += count.jobs;
        if (jobs < before || jobs > kThreads / 2 * 30) return true;
        continue;
      }
      const NewJob job{.lifecycle = &kBook, .request = request_for(kBook)};
      const JobId id = f.b.jobs().add({&job, 1}, f.b.now()).front()->id;
      ++added;
      const Ask ask{.version = f.b.version(id), .on = On::fail, .reason = "gone"};
      if (turn % 2) f.b.jobs().move({&ask, 1}, f.b.now());
    }
    return false;
  });

  CHECK(wrong == 0);
  CHECK((f.b.reader().tally({}) ==
         std::vector<StateCount>{{&kBook, "queued", 8 * 15}, {&kBook, "failed", 8 * 15}}));
}
