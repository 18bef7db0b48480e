#include "engine/http/arrivals.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

// `count` neighbours of `size` bytes each, from the first byte on.
Arrivals neighbours(std::size_t count, std::int64_t size) {
  Arrivals arrivals;
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = static_cast<std::int64_t>(i) * size;
    arrivals.add({from, from + size});
  }
  return arrivals;
}

}  // namespace

TEST_CASE("arrivals: the bytes of each reply stay apart, also if they follow each other") {
  Arrivals arrivals;
  CHECK(arrivals.is_empty());
  arrivals.add({50, 100});
  arrivals.add({0, 0});
  CHECK_FALSE(arrivals.are_several());

  arrivals.add({0, 50});

  CHECK(arrivals.are_several());
  CHECK(arrivals.to_text() == "0-50,50-100");
  CHECK(arrivals.to_json() == "[[0,50],[50,100]]");
  arrivals.clear();
  CHECK(arrivals.to_json() == "[]");
}

TEST_CASE("arrivals: bytes that come again belong to the later reply") {
  const auto after = [](Range again) {
    Arrivals arrivals = neighbours(2, 50);
    arrivals.add(again);
    return arrivals.to_text();
  };
  CHECK(after({10, 20}) == "0-10,10-20,20-50,50-100");
  CHECK(after({0, 50}) == "0-50,50-100");
  CHECK(after({40, 60}) == "0-40,40-60,60-100");
  CHECK(after({0, 100}) == "0-100");
}

TEST_CASE("arrivals: of more than 32 replies the shortest neighbours are joined") {
  CHECK(neighbours(32, 10).all().size() == 32);

  Arrivals more = neighbours(32, 10);
  more.add({320, 321});
  CHECK(more.all().size() == 32);
  CHECK(more.all().back() == Range{310, 321});
  more.add({1'000, 1'010});
  CHECK(more.all().size() == 32);
  CHECK(more.all().back() == Range{1'000, 1'010});
  Arrivals split = neighbours(32, 10);
  split.add({3, 4});  // Three ranges where one was.
  CHECK(split.all().size() == 32);
  CHECK(split.all().back() == Range{310, 320});
  CHECK(neighbours(500, 10).all().size() == 32);
  CHECK(neighbours(500, 10).all().back().to == 5'000);
}

TEST_CASE("arrivals: what is written is read, and nothing else") {
  for (const char* text : {"", "0-5", "0-5,5-9,20-30"}) {
    const auto read = Arrivals::from_text(text);
    REQUIRE(read);
    CHECK(read->to_text() == text);
  }
  for (const char* text : {"x", "5-3", "0-5,", "0-5,,5-9", "-5", "0-5;5-9"})
    CHECK_MESSAGE(!Arrivals::from_text(text), text);
}

}  // namespace haul::http
