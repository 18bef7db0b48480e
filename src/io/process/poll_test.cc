#include "io/process/poll.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <future>

#include "base/clock.h"
#include "io/file/folder.h"
#include "support/io/on_loop.h"

namespace haul::io {
namespace {

// Returns when the loop has gone round: it has told every event that was there before.
void go_round(PollLoop& loop) {
  for (int i = 0; i < 3; ++i) testing::on_loop(loop, [] {});
}

}  // namespace

TEST_CASE("an end is not told to a user of the loop that wants no events, until it wants some") {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const Descriptor ours{ends[0]};
  Descriptor theirs{ends[1]};
  const auto loop = make_poll_loop(system_clock());
  std::atomic<int> told = 0;
  std::promise<void> first;
  loop->post([&] {
    loop->watch(ours.get(), {.reads = false, .writes = false}, [&](Ready ready) {
      if (ready.to_read && told++ == 0) first.set_value();
      loop->want(ours.get(), {.reads = false, .writes = false});
    });
  });
  theirs = Descriptor{};

  go_round(*loop);
  CHECK(told == 0);

  loop->post([&] { loop->want(ours.get(), {.reads = true, .writes = false}); });
  first.get_future().wait();
  go_round(*loop);
  CHECK(told == 1);
  loop->post([&] { loop->forget(ours.get()); });
  go_round(*loop);
}

}  // namespace haul::io
