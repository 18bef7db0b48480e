// Splitting of a program's output into lines.

#include "io/process/lines.h"

#include <doctest/doctest.h>

#include "base/utf8.h"

using namespace haul;

namespace {
using Texts = std::vector<std::string>;
}

TEST_CASE("lines come when they are whole, whatever pieces they were written in") {
  io::Lines lines{100};

  CHECK(lines.add("one\ntw") == Texts{"one"});
  CHECK(lines.add("o\r\n\nthree") == Texts{"two"});
  CHECK(lines.rest() == "three");
  CHECK(lines.rest().empty());
}

TEST_CASE("X1: a line is cut at its limit, and the next one is whole") {
  io::Lines lines{4};

  CHECK(lines.add("1234\n") == Texts{"1234"});
  CHECK(lines.add("12345\nnext\n") == Texts{"1234", "next"});
}

TEST_CASE("a mark ends a line, too, at its limit as well") {
  io::Lines lines{4, "@@"};

  CHECK(lines.add("ab@@cd@") == Texts{"ab"});
  CHECK(lines.add("@ef\n") == Texts{"cd", "ef"});
  CHECK(lines.add("1234@@5\n") == Texts{"1234", "5"});
  CHECK(lines.add("12345@@6\n") == Texts{"1234", "6"});
  CHECK(lines.add("123456789@@next@@") == Texts{"1234", "next"});
}

TEST_CASE("X1: bytes that are no UTF-8 become some") {
  io::Lines lines{100};

  const Texts found = lines.add("caf\xe9\n\xff\xfe\n");

  REQUIRE(found.size() == 2);
  CHECK(found[0] == "caf\u00e9");
  CHECK(is_utf8(found[1]));
}
