#include "bot/press.h"

#include <doctest/doctest.h>

#include <limits>

namespace haul::bot {

TEST_CASE("a button's data has at most 64 bytes and reads back as it was written") {
  using Verb = Press::Verb;
  for (const Verb verb : {Verb::ask_access, Verb::home, Verb::open, Verb::found, Verb::download,
                          Verb::cancel, Verb::approve, Verb::deny}) {
    const Press press{verb, std::numeric_limits<std::int64_t>::max(), 1'000'000};
    CHECK(to_data(press).size() <= kPressMax);
    CHECK(read_press(to_data(press)) == press);
  }
}

TEST_CASE("data that haul did not make is no press") {
  for (const char* data : {"", "o", "o:", "o:1", "o:1:", "z:1:1", "o:1:1:1", "o:-1:0", "o:1:-1",
                           "o:99999999999999999999:0", "o:1:1000001", "o:1:0 ", "/start"})
    CHECK_MESSAGE(!read_press(data), data);
  CHECK_FALSE(read_press("o:1:0" + std::string(60, '0')));
}

}  // namespace haul::bot
