// docs/requirements.md has a row for every requirement that the tree cites, and no other row.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/run/test_names.h"

namespace haul {
namespace {

namespace fs = std::filesystem;

// The part of an id before its number, in the order of the page.
constexpr std::string_view kFamilies[] = {"S0-", "A0-", "W0-", "S1-",      "A1-", "W1-", "S2-",
                                          "A2-", "W2-", "S3-", "A3-",      "W3-", "S4-", "A4-",
                                          "SX-", "X-",  "Z-",  "promise ", "F",   "N",   "U",
                                          "H",   "J",   "Q",   "X",        "C",   "T"};

// Words that look like ids but are not.
constexpr std::string_view kNoIds[] = {
    "A5-1", "Z-32",  // Examples of wrong ids in contracts_doc_test.cc.
};

constexpr std::string_view kTextFiles[] = {".cc",  ".h",   ".sql", ".md", ".ts", ".tsx",
                                           ".css", ".mjs", ".py",  ".sh", ".pml"};

struct Row {
  std::string id;
  std::string shown_by;
};

using Ids = std::set<std::string>;
using Citations = std::map<std::string, std::set<std::string>>;  // The files that cite each id.

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// Joins the lines of a text, because a list of ids may continue on a comment's next line.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') {
      line += text[i];
      continue;
    }
    std::size_t next = text.find_first_not_of(" \n", i);
    if (next != text.npos && text.substr(next, 2) == "//")
      next = text.find_first_not_of("/ ", next);
    line += ' ';
    i = std::min(next, text.size()) - 1;
  }
  return line;
}

// Splits S0-7 into "S0-" and 7.
std::pair<std::string, int> parts_of(const std::string& id) {
  const std::size_t number = id.find_last_not_of("0123456789") + 1;
  return {id.substr(0, number), std::stoi(id.substr(number))};
}

bool begins_a_word(const std::string& text, std::size_t at) {
  return at == 0 || !is_word(text[at - 1]);
}

// C1 is also a name of the control characters from 0x80 to 0x9f. It is an id only in quotes: alone,
// or in the list that begins a test's name.
bool is_control_range(const std::string& text, std::size_t at) {
  const std::string_view after = std::string_view{text}.substr(at + 2, 1);
  const bool is_quoted = at > 0 && text[at - 1] == '"';
  return !is_quoted || (after != "\"" && after != "," && after != ":");
}

// The id that begins at `at`, or an empty string. A percent escape such as %C3 is not an id.
std::string id_at(const std::string& text, std::size_t at) {
  static const std::regex shape{
      R"re((?:[SAW][0-9X]|[ZX])-[1-9][0-9]*|F[0-9]{2}|[NUHJQXCT][1-9][0-9]?)re"};
  if (std::string_view{"SAWZXFNUHJQCT"}.find(text[at]) == std::string_view::npos) return {};
  if (!begins_a_word(text, at) || (at > 0 && text[at - 1] == '%')) return {};
  std::smatch found;
  if (!std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), found, shape,
                         std::regex_constants::match_continuous))
    return {};
  const std::size_t end = at + found.str().size();
  if (end < text.size() && is_word(text[end])) return {};
  if (found.str() == "C1" && is_control_range(text, at)) return {};
  return std::ranges::count(kNoIds, found.str()) != 0 ? std::string{} : found.str();
}

// The ids from `first` to the one at `at`. A family with a dash has no gaps, so a range cites every
// id in between. In other families a range cites its two ends.
Ids range_to(const std::string& first, const std::string& text, std::size_t at) {
  const std::string last = at < text.size() ? id_at(text, at) : std::string{};
  if (last.empty()) return {first};
  const auto [family, from] = parts_of(first);
  const auto [last_family, to] = parts_of(last);
  if (family != last_family || !family.ends_with('-')) return {first, last};
  Ids ids;
  for (int number = from; number <= to; ++number) ids.insert(family + std::to_string(number));
  return ids;
}

// Reads "promise 6" or a list such as "promises 1 to 5, 13 and 14".
Ids promises_at(const std::string& text, std::size_t at) {
  static const std::regex head{R"re([Pp]romise(s?) ([1-9][0-9]?)\b)re"};
  static const std::regex more{R"re((, | and | to |-)([1-9][0-9]?)\b)re"};
  if (text.compare(at + 1, 5, "romis") != 0 || !begins_a_word(text, at)) return {};
  auto rest = text.begin() + static_cast<std::ptrdiff_t>(at);
  std::smatch found;
  const auto reads = [&](const std::regex& shape) {
    if (!std::regex_search(rest, text.end(), found, shape, std::regex_constants::match_continuous))
      return false;
    rest = found[0].second;
    return true;
  };
  if (!reads(head)) return {};
  const bool is_list = found[1].matched && found[1].length() > 0;
  int last = std::stoi(found[2]);
  Ids ids{"promise " + std::to_string(last)};
  while (is_list && reads(more)) {
    const int next = std::stoi(found[2]);
    const bool is_range = found[1] == " to " || found[1] == "-";
    for (int number = is_range ? last : next; number <= next; ++number)
      ids.insert("promise " + std::to_string(number));
    last = next;
  }
  return ids;
}

Ids ids_in(std::string_view source) {
  const std::string text = on_one_line(source);
  Ids ids;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == 'p' || text[at] == 'P') ids.merge(promises_at(text, at));
    const std::string id = id_at(text, at);
    if (id.empty()) continue;
    const std::size_t end = at + id.size();
    ids.merge(text.compare(end, 4, " to ") == 0 ? range_to(id, text, end + 4) : Ids{id});
  }
  return ids;
}

// False for the page and for this file: the ids there are rows and examples, not citations.
bool may_cite(const fs::path& path) {
  const std::string name = path.string();
  return std::ranges::count(kTextFiles, path.extension().string()) != 0 &&
         !name.ends_with("docs/requirements.md") && !name.ends_with("tests/requirements_test.cc") &&
         name.find("/node_modules/") == std::string::npos;  // npm's, not ours.
}

Citations all_citations() {
  const fs::path root{HAUL_SOURCE_DIR};
  Citations citations;
  for (const char* folder : {"src", "tests", "bench", "web/src", "docs"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !may_cite(entry.path())) continue;
      for (const std::string& id : ids_in(testing::read_source(entry.path())))
        citations[id].insert(fs::relative(entry.path(), root).string());
    }
  return citations;
}

std::vector<Row> rows_in(const std::string& page) {
  static const std::regex cells{R"re(^\| (.+?) \| .+ \| (.+) \|$)re"};
  std::vector<Row> rows;
  std::istringstream lines{page};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| Id |")) continue;
    std::smatch found;
    REQUIRE_MESSAGE(std::regex_match(line, found, cells), line << ": not three cells");
    rows.push_back({.id = found[1], .shown_by = found[2]});
  }
  return rows;
}

std::vector<Row> page_rows() {
  return rows_in(testing::read_source(fs::path{HAUL_SOURCE_DIR} / "docs/requirements.md"));
}

// Lists cited ids that have no row, and rows that no file cites, one per line.
std::string citation_problems(const Citations& citations, const std::vector<Row>& rows) {
  Ids known;
  for (const Row& row : rows) known.insert(row.id);
  std::string problems;
  for (const auto& [id, files] : citations)
    if (!known.contains(id))
      for (const std::string& file : files) problems += file + ": " + id + " has no row\n";
  for (const std::string& id : known)
    if (!citations.contains(id)) problems += id + ": no file cites it\n";
  return problems;
}

// Lists rows that name no test, or one that does not exist, one per line.
std::string test_problems(const std::vector<Row>& rows, const std::set<std::string>& tests) {
  std::string problems;
  for (const Row& row : rows) {
    const std::vector<std::string> names = testing::quoted_names(row.shown_by);
    if (names.empty()) problems += row.id + ": names no test\n";
    for (const std::string& name : names)
      if (const std::string problem = testing::name_problem(name, tests); !problem.empty())
        problems += row.id + ": " + problem + "\n";
  }
  return problems;
}

// Lists rows that are repeated or out of order, one per line.
std::string order_problems(const std::vector<Row>& rows) {
  std::string problems;
  std::pair<std::ptrdiff_t, int> last{-1, 0};
  for (const Row& row : rows) {
    const auto [family, number] = parts_of(row.id);
    const auto* const found = std::ranges::find(kFamilies, family);
    if (found == std::end(kFamilies)) problems += row.id + ": unknown family\n";
    const std::pair<std::ptrdiff_t, int> here{found - std::begin(kFamilies), number};
    if (here <= last) problems += row.id + ": not after the row before it\n";
    last = here;
  }
  return problems;
}

TEST_CASE("requirements: every cited id has a row, and a file cites the id of every row") {
  const Citations citations = all_citations();

  CHECK(citation_problems(citations, page_rows()) == "");
  CHECK(citations.size() > 300);
}

TEST_CASE("requirements: every row names a test that exists") {
  CHECK(test_problems(page_rows(), testing::all_tests()) == "");
}

TEST_CASE("requirements: rows are sorted, and every id has one row only") {
  CHECK(order_problems(page_rows()) == "");
}

TEST_CASE("requirements: words that look like ids are not read as ids") {
  CHECK(ids_in("// Z-1: x (F08, W0-9).\n{\"U7\", X-4, SX-9} X4") ==
        Ids{"Z-1", "F08", "W0-9", "U7", "X-4", "SX-9", "X4"});
  CHECK(ids_in("%C3%A9 \\xC3 H264 X11_ 0xF08 F8 F123 UTF-8 SHA-256 C1 N0 S3 Z- A-Z Z-32") == Ids{});
  CHECK(ids_in("// C0, C1, CSI\n{\"C1 control\", x} \"C1") == Ids{});
  CHECK(ids_in("{\"C1\", x}") == Ids{"C1"});
  CHECK(ids_in("TEST(\"C1, C2: x") == Ids{"C1", "C2"});
  CHECK(ids_in("Z-77 A9-1") == Ids{"Z-77", "A9-1"});  // Ids of unknown families count too.
}

TEST_CASE("requirements: a range cites all its ids, also across two lines of a comment") {
  CHECK(ids_in("S0-7 to S0-9:") == Ids{"S0-7", "S0-8", "S0-9"});
  CHECK(ids_in("// Z-1 to\n    // Z-3") == Ids{"Z-1", "Z-2", "Z-3"});
  CHECK(ids_in("U1 to U48, A0-1 to A4-13, Z-5 to be") == Ids{"U1", "U48", "A0-1", "A4-13", "Z-5"});
}

TEST_CASE("requirements: promises are read by number, alone and in lists") {
  CHECK(ids_in("Promise 6, 000; a promise 2s; compromise 3") == Ids{"promise 6"});
  CHECK(ids_in("promises 1 to 3,\n// 13 and 14; F09") ==
        Ids{"promise 1", "promise 2", "promise 3", "promise 13", "promise 14", "F09"});
  CHECK(ids_in("\"promises 1-2, 25: 500 seeds\"") == Ids{"promise 1", "promise 2", "promise 25"});
}

TEST_CASE("requirements: every problem of a page is reported with its id") {
  const std::vector<Row> rows = rows_in(
      "| Id | Requires | Shown by |\n|---|---|---|\n| A0-2 | b | \"one\" · \"on\" |\n"
      "| S0-10 | a | – |\n| S0-9 | a | none |\n| Y1 | a | \"two\" |\n");

  CHECK(citation_problems({{"S0-9", {"a.h"}}, {"S0-10", {"a.h"}}, {"Z-1", {"a.h", "b.h"}}}, rows) ==
        "a.h: Z-1 has no row\nb.h: Z-1 has no row\nA0-2: no file cites it\nY1: no file cites it\n");
  CHECK(test_problems(rows, {"one", "once"}) ==
        "A0-2: 2 tests begin with \"on\"\nS0-10: names no test\nS0-9: names no test\n"
        "Y1: 0 tests begin with \"two\"\n");
  CHECK(order_problems(rows) ==
        "S0-10: not after the row before it\nS0-9: not after the row before it\n"
        "Y1: unknown family\n");
}

}  // namespace
}  // namespace haul
