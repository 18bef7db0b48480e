// Byte ranges: what is here, what is missing, and how a range is split.

#include "engine/http/ranges.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace haul::http {
namespace {

constexpr std::int64_t kSize = 64;

std::vector<Range> some_ranges() {
  std::vector<Range> ranges;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    const auto from = *rc::gen::inRange<std::int64_t>(0, kSize);
    ranges.push_back({from, *rc::gen::inRange<std::int64_t>(from, kSize + 1)});
  }
  return ranges;
}

}  // namespace

TEST_CASE("S2-31: what is here is exactly what was added, and the gaps are the rest") {
  CHECK(rc::check([] {
    Ranges ranges;
    std::vector<bool> bytes(kSize);
    for (const Range& range : some_ranges()) {
      ranges.add(range);
      std::fill(bytes.begin() + range.from, bytes.begin() + range.to, true);
    }
    RC_ASSERT(ranges.total() == std::ranges::count(bytes, true));
    for (const Range& gap : ranges.gaps(kSize)) {
      RC_ASSERT(gap.size() > 0);
      for (std::int64_t i = gap.from; i < gap.to; ++i) {
        RC_ASSERT(!bytes[static_cast<std::size_t>(i)]);
        bytes[static_cast<std::size_t>(i)] = true;
      }
    }
    RC_ASSERT(std::ranges::count(bytes, false) == 0);
  }));
}

TEST_CASE("written ranges are read back; text that is not a list of ranges is refused") {
  CHECK(rc::check([] {
    Ranges ranges;
    for (const Range& range : some_ranges()) ranges.add(range);
    RC_ASSERT(Ranges::from_text(ranges.to_text()) == ranges);
  }));
  for (const char* wrong :
       {"-", "1-", "1", "5-3", "3-3", "-1-2", "0-1,", "0-1;2-3", "a-b", "0-1 "}) {
    CAPTURE(wrong);
    CHECK_FALSE(Ranges::from_text(wrong).has_value());
  }
}

TEST_CASE("Z-11: pieces of a file lie side by side, cover it, and differ by a byte at most") {
  CHECK(rc::check([] {
    const Range whole{10, 10 + *rc::gen::inRange<std::int64_t>(1, 1'000)};
    const auto parts = *rc::gen::inRange<std::size_t>(1, 20);
    const std::vector<Range> pieces = split(whole, parts);
    RC_ASSERT(pieces.front().from == whole.from);
    RC_ASSERT(pieces.back().to == whole.to);
    for (std::size_t i = 1; i < pieces.size(); ++i) RC_ASSERT(pieces[i].from == pieces[i - 1].to);
    const auto [least, most] = std::ranges::minmax(pieces, {}, &Range::size);
    RC_ASSERT(most.size() - least.size() <= 1);
  }));
}

TEST_CASE("ranges: removing bytes leaves what is before and after them") {
  Ranges ranges;
  ranges.add({0, 10});
  ranges.add({20, 30});

  ranges.remove({5, 22});
  CHECK(ranges.to_text() == "0-5,22-30");
  ranges.remove({24, 26});
  CHECK(ranges.to_text() == "0-5,22-24,26-30");
  ranges.remove({5, 22});
  CHECK(ranges.to_text() == "0-5,22-24,26-30");
  ranges.remove({0, 100});
  CHECK(ranges.to_text().empty());
}

TEST_CASE("ranges: a range that only touches them has none of their bytes") {
  Ranges ranges;
  ranges.add({10, 20});
  CHECK(!ranges.has_any({0, 10}));
  CHECK(ranges.has_any({0, 11}));
  CHECK(ranges.has_any({19, 25}));
  CHECK(!ranges.has_any({20, 25}));
  CHECK(!ranges.has_any({15, 15}));
}

TEST_CASE("ranges: all of them, in their order") {
  CHECK(Ranges{}.all().empty());
  Ranges two;
  two.add({50, 60});
  two.add({0, 40});
  CHECK((two.all() == std::vector<Range>{{0, 40}, {50, 60}}));
}

}  // namespace haul::http
