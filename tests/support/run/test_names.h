#pragma once
// Reads the names of all test cases from the sources. Pages in docs/ name a test by the beginning
// of its name, and tests check that it exists.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace haul::testing {

// Reads a whole file. Fails the test if the file cannot be opened.
std::string read_source(const std::filesystem::path& path);

std::set<std::string> tests_in(const std::string& source);

// The names in every *_test.cc file of src and tests.
std::set<std::string> all_tests();

// The quoted texts in a table cell of a page.
std::vector<std::string> quoted_names(const std::string& cell);

// Empty if exactly one test name begins with `name`, else a sentence with the number of matches.
std::string name_problem(const std::string& name, const std::set<std::string>& tests);

}  // namespace haul::testing
