// Every row of docs/contracts.md names the tests that show it. A name on the page is the beginning
// of a test's name, long enough to be the beginning of no other.

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/run/test_names.h"

namespace haul {
namespace {

namespace fs = std::filesystem;

// Lists the problems of one row's last cell, one per line.
std::string row_problems(const std::string& row, const std::set<std::string>& tests) {
  const std::size_t last = row.rfind('|', row.size() - 2);
  const std::string where = "row " + row.substr(2, row.find(' ', 2) - 2) + ": ";
  const std::vector<std::string> names = testing::quoted_names(row.substr(last));
  std::string problems;
  for (const std::string& name : names)
    if (const std::string problem = testing::name_problem(name, tests); !problem.empty())
      problems += where + problem + "\n";
  const bool has_nothing_to_show =
      row.contains("| Heading |") || row.contains("| Nothing to see |");
  if (names.empty() && !has_nothing_to_show) problems += where + "names no test\n";
  return problems;
}

TEST_CASE("Z-20: every row of every document names a test that exists") {
  const std::set<std::string> tests = testing::all_tests();
  REQUIRE(tests.size() > 1'000);
  std::istringstream page{testing::read_source(fs::path{HAUL_SOURCE_DIR} / "docs/contracts.md")};

  std::size_t rows = 0;
  std::string problems;
  for (std::string line; std::getline(page, line);) {
    if (!std::regex_search(line, std::regex{R"re(^\| \d)re"})) continue;
    ++rows;
    problems += row_problems(line, tests);
  }

  CHECK(problems == "");
  CHECK(rows > 300);
}

TEST_CASE("a row without a test, or with a name that fits none or two, is told") {
  const std::set<std::string> tests{"S1: one", "S1: once", "S2: two"};

  CHECK(row_problems(R"(| 1-2 | a | b | — | "S1: one" · "S2" |)", tests) == "");
  CHECK(row_problems(R"(| 3 | a | b | — | "S1: on" · "S3" |)", tests) ==
        "row 3: 2 tests begin with \"S1: on\"\nrow 3: 0 tests begin with \"S3\"\n");
  CHECK(row_problems("| 4 | a | b | — | — |", tests) == "row 4: names no test\n");
  CHECK(row_problems("| 5 | a | Not built yet (relay engine) | — | — |", tests) ==
        "row 5: names no test\n");
  CHECK(row_problems("| 6 | a | Heading | — | — |", tests) == "");
  CHECK(testing::tests_in("TEST_CASE(\n    \"a \\\"b\\\" \"\n    \"c\") {") ==
        std::set<std::string>{"a \"b\" c"});
}

}  // namespace
}  // namespace haul
