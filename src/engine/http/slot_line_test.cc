#include "engine/http/slot_line.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

struct Asker {
  SlotLine& line;
  std::string& asked;
  std::string name;

  void join(const std::string& host) {
    line.join(host, this, [this] { asked += name; });
  }
};

}  // namespace

TEST_CASE("who waits for a slot asks in the order in which they came, each at its own host") {
  SlotLine line;
  std::string asked;
  Asker a{line, asked, "a"};
  Asker b{line, asked, "b"};
  Asker c{line, asked, "c"};
  CHECK_FALSE(line.is_waited_for("h"));
  a.join("h");
  b.join("h");
  c.join("other");
  a.join("h");  // Keeps its place.
  CHECK(line.is_waited_for("h"));

  line.next("h");
  CHECK(asked == "a");
  line.next("h");
  line.next("h");
  CHECK(asked == "ab");
  CHECK_FALSE(line.is_waited_for("h"));
  CHECK(line.is_waited_for("other"));
}

TEST_CASE("who joins the line again keeps its place, and only the newest ask is called") {
  SlotLine line;
  std::string asked;
  Asker a{line, asked, "a"};
  Asker b{line, asked, "b"};
  a.join("h");
  b.join("h");
  line.join("h", &a, [&] { asked += "A"; });
  line.next("h");
  line.next("h");
  CHECK(asked == "Ab");
}

TEST_CASE("who leaves the line is not asked; who asks in vain waits behind the others") {
  SlotLine line;
  std::string asked;
  Asker a{line, asked, "a"};
  Asker b{line, asked, "b"};
  line.join("h", &a, [&] {
    asked += "a";
    a.join("h");
  });
  b.join("h");
  line.next("h");
  line.next("h");
  CHECK(asked == "ab");

  line.leave(&a);
  line.next("h");
  CHECK(asked == "ab");
  CHECK_FALSE(line.is_waited_for("h"));
}

}  // namespace haul::http
