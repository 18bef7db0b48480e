#include "support/run/test_names.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

namespace haul::testing {

namespace fs = std::filesystem;

namespace {

// Joins the pieces of a string literal and resolves its escapes.
std::string joined(const std::string& literal) {
  static const std::regex piece{R"re("((?:[^"\\]|\\.)*)")re"};
  std::string text;
  for (std::sregex_iterator at{literal.begin(), literal.end(), piece}, end; at != end; ++at)
    text += (*at)[1].str();
  return std::regex_replace(text, std::regex{R"re(\\(.))re"}, "$1");
}

}  // namespace

std::string read_source(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  REQUIRE_MESSAGE(file.is_open(), path.filename().string());
  return {std::istreambuf_iterator<char>{file}, {}};
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
      if (entry.path().string().ends_with("_test.cc"))
        names.merge(tests_in(read_source(entry.path())));
  return names;
}

std::vector<std::string> quoted_names(const std::string& cell) {
  static const std::regex quoted{R"re("([^"]+)")re"};
  std::vector<std::string> names;
  for (std::sregex_iterator at{cell.begin(), cell.end(), quoted}, end; at != end; ++at)
    names.push_back((*at)[1].str());
  return names;
}

std::string name_problem(const std::string& name, const std::set<std::string>& tests) {
  const auto count =
      std::ranges::count_if(tests, [&](const std::string& test) { return test.starts_with(name); });
  return count == 1 ? "" : std::to_string(count) + " tests begin with \"" + name + "\"";
}

}  // namespace haul::testing
