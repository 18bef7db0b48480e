// Every row of docs/contracts.md names the tests that show it. A name on the page is the beginning
// of a test's name, long enough to be the beginning of no other.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace haul {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  REQUIRE_MESSAGE(file.is_open(), path.filename().string());
  return {std::istreambuf_iterator<char>{file}, {}};
}

// The strings of a literal that may be written in several pieces, joined and without escapes.
std::string joined(const std::string& literal) {
  static const std::regex piece{R"re("((?:[^"\\]|\\.)*)")re"};
  std::string text;
  for (std::sregex_iterator at{literal.begin(), literal.end(), piece}, end; at != end; ++at)
    text += (*at)[1].str();
  return std::regex_replace(text, std::regex{R"re(\\(.))re"}, "$1");
}

std::set<std::string> tests_in(const std::string& source) {
  static const std::regex head{R"re(TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+))re"};
  std::set<std::string> names;
  for (std::sregex_iterator at{source.begin(), source.end(), head}, end; at != end; ++at)
    names.insert(joined((*at)[1].str()));
  return names;
}

std::set<std::string> all_tests() {
  std::set<std::string> names;
  for (const char* folder : {"src", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path{HAUL_SOURCE_DIR} / folder))
      if (entry.path().string().ends_with("_test.cc")) names.merge(tests_in(text_of(entry.path())));
  return names;
}

// What is wrong with one row's last cell, one line each.
std::string row_problems(const std::string& row, const std::set<std::string>& tests) {
  static const std::regex quoted{R"re("([^"]+)")re"};
  const std::size_t last = row.rfind('|', row.size() - 2);
  const std::string shown = row.substr(last);
  const std::string where = "row " + row.substr(2, row.find(' ', 2) - 2) + ": ";
  std::string problems;
  std::size_t named = 0;
  for (std::sregex_iterator at{shown.begin(), shown.end(), quoted}, end; at != end; ++at, ++named) {
    const std::string name = (*at)[1].str();
    const auto count = std::ranges::count_if(
        tests, [&](const std::string& test) { return test.starts_with(name); });
    if (count != 1)
      problems += where + std::to_string(count) + " tests begin with \"" + name + "\"\n";
  }
  const bool has_nothing_to_show = row.contains("| Heading |") ||
                                   row.contains("| Nothing to see |") ||
                                   row.contains("ot built yet");
  if (named == 0 && !has_nothing_to_show) problems += where + "names no test\n";
  return problems;
}

TEST_CASE("Z-20: every row of every document names a test that exists") {
  const std::set<std::string> tests = all_tests();
  REQUIRE(tests.size() > 1'000);
  std::istringstream page{text_of(fs::path{HAUL_SOURCE_DIR} / "docs" / "contracts.md")};

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
  CHECK(row_problems("| 5 | a | Not built yet (daemon) | — | — |", tests) == "");
  CHECK(tests_in("TEST_CASE(\n    \"a \\\"b\\\" \"\n    \"c\") {") ==
        std::set<std::string>{"a \"b\" c"});
}

}  // namespace
}  // namespace haul
