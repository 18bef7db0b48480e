// A broken guarantee ends the process and names itself.

#include "base/ensure.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <optional>
#include <utility>

#include "base/ensured.h"
#include "support/process/ending.h"

namespace haul {

TEST_CASE("a guarantee that holds costs nothing, and one that does not ends the process") {
  const auto run = [](bool holds) {
    return testing::ending_of([holds] { ensure(holds, "one and one are two"); });
  };

  const testing::Ending good = run(true);
  CHECK(good.signal == 0);
  CHECK(good.text.empty());

  const testing::Ending bad = run(false);
  CHECK(bad.signal == SIGABRT);
  CHECK(bad.text.starts_with("haul: broken: one and one are two (src/base/ensure_test.cc:"));
}

TEST_CASE("a broken guarantee ends the process also if nothing can be written") {
  const testing::Ending mute = testing::ending_of([] {
    ::close(STDERR_FILENO);
    ensure(false, "one and one are two");
  });

  CHECK(mute.signal == SIGABRT);
  CHECK(mute.text.empty());
}

TEST_CASE("a value that is guaranteed to be there is given, and one that is not ends the process") {
  std::optional<int> one = 1;
  ensured(one, "one is there") = 2;
  CHECK(ensured(std::as_const(one), "one is there") == 2);
  std::optional<std::unique_ptr<int>> owned{std::make_unique<int>(3)};
  const std::unique_ptr<int> moved = ensured(std::move(owned), "three is there");
  CHECK(*moved == 3);

  const testing::Ending none =
      testing::ending_of([] { ensured(std::optional<int>{}, "a number is there"); });
  CHECK(none.signal == SIGABRT);
  CHECK(none.text.starts_with("haul: broken: a number is there (src/base/ensure_test.cc:"));
}

}  // namespace haul
