// Z-20: docs/contracts.md has a row for every line of the five documents. This file does not hold
// the documents, only which of their lines have content, so that it can name a forgotten one.

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haul {
namespace {

struct Document {
  std::string_view number;
  int lines = 0;
  std::string_view content;  // The lines and ranges that are not blank.
};

constexpr Document kDocuments[] = {
    {"000", 79, "1 3-4 6-11 13 15-21 23-25 27-34 36-45 47-51 53-66 68-72 74-79"},
    {"001", 183,
     "1 3 5 7 9 11-14 16 18 20-24 26-33 35 37-46 48 50-51 53 55 57-60 62 64 66 68-71 73 75 77 "
     "79-91 93-96 98 100-103 105-108 110 112-116 118-128 130 132-134 136 138 140-145 147 149-155 "
     "157 159-161 163 165 167-170 172 174-177 179 181-183"},
    {"002", 419,
     "1 3 5 7 9 11-23 25 27-33 35 37-40 42 44 46 48-60 62 64-70 72 74 76 78-83 85 87-89 91-92 "
     "94-96 98 100-102 104 106 108 110-113 115 117-124 126 128-130 132 134 136 138-147 149 "
     "151-154 156 158 160 162 164-173 175 177-179 181-182 184-186 188 190-192 194 196 198 200-207 "
     "209 211-217 219 221-227 229 231-241 243 245 247 249-258 260 262-265 267 269-274 276 278 280 "
     "282-284 286-288 290 292-294 296 298 300 302-304 306-307 309-311 313 315-317 319 321 323 "
     "325-342 344-352 354-364 366 368-371 373 375 377 379-384 386 388-392 394 396-398 400 402 404 "
     "406-415 417 419"},
    {"003", 76, "1-17 19 21 23-41 43 45-49 51 53-54 56-57 59 61-64 66-70 72 74-76"},
    {"004", 62, "1 3-4 6 8 10-17 19 21 23-29 31-33 35-40 42-48 50-54 56 58 60-62"},
};

// Groups of settlements and requirements, and the highest number of each.
struct Family {
  std::string_view name;
  int last = 0;
};

constexpr Family kFamilies[] = {{"Z", 31},  {"A0", 11}, {"A1", 11}, {"A2", 17}, {"A3", 12},
                                {"A4", 13}, {"S0", 28}, {"S1", 23}, {"S2", 33}, {"S3", 25},
                                {"S4", 18}, {"SX", 10}, {"X", 9}};

// Without the N, so that it also matches at the start of a cell.
constexpr std::string_view kNotBuilt = "ot built yet";

struct Range {
  int first = 0;
  int last = 0;
};

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  REQUIRE_MESSAGE(file.is_open(), "cannot open " << path.filename().string());
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::filesystem::path source_dir() { return HAUL_SOURCE_DIR; }

std::string page() { return read_text(source_dir() / "docs" / "contracts.md"); }

std::string schema() {
  std::string text;
  for (const auto& entry :
       std::filesystem::directory_iterator{source_dir() / "src/store/sqlite/schema"})
    if (entry.path().extension() == ".sql") text += read_text(entry.path());
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \r") - first + 1);
}

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::optional<Range> range_in(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::optional<int> first = number_in(text.substr(0, dash));
  const std::optional<int> last = dash == text.npos ? first : number_in(text.substr(dash + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return Range{*first, *last};
}

std::vector<bool> content_of(const Document& document) {
  std::vector<bool> content(static_cast<std::size_t>(document.lines) + 1);
  for (const std::string_view part : split(document.content, ' ')) {
    const Range range = range_in(part).value_or(Range{});
    for (int line = range.first; line <= range.last; ++line)
      content.at(static_cast<std::size_t>(line)) = true;
  }
  return content;
}

// The table rows of a document's section. Empty if the page has no such section.
std::optional<std::vector<std::string_view>> rows_of(std::string_view text,
                                                     std::string_view number) {
  std::optional<std::vector<std::string_view>> rows;
  bool inside = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("## ")) {
      inside = line.substr(3).starts_with(number);
      if (inside && !rows) rows.emplace();
    }
    const bool head = line.starts_with("| Lines |") || line.starts_with("|---");
    if (inside && line.starts_with("|") && !head) rows->push_back(line);
  }
  return rows;
}

// Counts the lines one row covers in `covered`. Returns what is wrong with the row, one line per
// problem.
std::string take_row(const Document& document, std::string_view row, std::vector<int>& covered) {
  const std::vector<std::string_view> cells = split(trimmed(row), '|');  // "", five cells, "".
  const std::string where = "document " + std::string{document.number} + " row " +
                            std::string{cells.size() > 1 ? trimmed(cells[1]) : row} + ": ";
  if (cells.size() != 7) return where + "not five cells\n";
  const std::optional<Range> range = range_in(trimmed(cells[1]));
  if (!range) return where + "not a line number or a range\n";
  if (range->last > document.lines) return where + "beyond the end\n";
  const std::vector<bool> content = content_of(document);
  bool only_blank = true;
  for (int line = range->first; line <= range->last; ++line) {
    ++covered.at(static_cast<std::size_t>(line));
    only_blank = only_blank && !content.at(static_cast<std::size_t>(line));
  }
  std::string problems;
  if (only_blank) problems += where + "blank lines only\n";
  if (trimmed(cells[2]).empty()) problems += where + "Asks is empty\n";
  if (trimmed(cells[3]).empty()) problems += where + "Seen in is empty\n";
  return problems;
}

std::string coverage_problems(std::string_view text, const Document& document) {
  const std::string where = "document " + std::string{document.number};
  const auto rows = rows_of(text, document.number);
  if (!rows) return where + ": no section\n";
  std::string problems;
  std::vector<int> covered(static_cast<std::size_t>(document.lines) + 1);
  for (const std::string_view row : *rows) problems += take_row(document, row, covered);
  const std::vector<bool> content = content_of(document);
  for (std::size_t line = 1; line < content.size(); ++line)
    if (content[line] && covered[line] != 1)
      problems += where + " line " + std::to_string(line) + ": " + std::to_string(covered[line]) +
                  " rows\n";
  return problems;
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

std::string_view word_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// All names in backticks that start with `prefix`.
std::vector<std::string_view> quoted(std::string_view text, std::string_view prefix) {
  std::vector<std::string_view> names;
  const std::vector<std::string_view> parts = split(text, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2)
    if (parts[i].starts_with(prefix)) names.push_back(parts[i]);
  return names;
}

// All names in backticks that follow `kind` or its plural: "triggers `a`, `b`".
std::vector<std::string_view> quoted_after(std::string_view text, std::string_view kind) {
  std::vector<std::string_view> names;
  for (std::size_t at = text.find(kind); at != text.npos; at = text.find(kind)) {
    text.remove_prefix(at);
    text.remove_prefix(word_at(text).size());
    for (std::string_view rest = text; rest.starts_with(" `") || rest.starts_with(", `");) {
      rest.remove_prefix(rest.find('`') + 1);
      names.push_back(word_at(rest));
      rest.remove_prefix(std::min(rest.size(), names.back().size() + 1));
    }
  }
  return names;
}

// True for a word such as Z-7 or A2-13 whose group or number does not exist. Other words with a
// dash are not citations.
bool is_wrong_citation(std::string_view word) {
  const std::size_t dash = word.find('-');
  if (dash == word.npos || dash > 2 || std::string_view{"ZASX"}.find(word[0]) == word.npos)
    return false;
  const std::string_view family = word.substr(0, dash);
  if (word.find_first_of("0123456789", dash) != dash + 1) return false;
  const std::optional<int> number = number_in(word.substr(dash + 1));
  return std::ranges::none_of(kFamilies, [&](const Family& known) {
    return known.name == family && number && *number <= known.last;
  });
}

std::string citation_problems(std::string_view text) {
  std::string problems;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (is_word(text[end]) || (text[end] == '-' && end > i))) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (!word.empty() && is_wrong_citation(word)) problems += "cited: " + std::string{word} + "\n";
    i = std::max(end, i + 1);
  }
  return problems;
}

TEST_CASE("Z-20: every line of every document has exactly one row") {
  const std::string text = page();

  for (const Document& document : kDocuments) CHECK(coverage_problems(text, document) == "");
}

TEST_CASE("a forgotten line or a bad row is named by document and line") {
  const auto problems = [](const std::string& rows) {
    return coverage_problems("## 007 Short\n" + rows, Document{"007", 5, "1 3-5"});
  };

  CHECK(problems("| 1-3 | a | b | | |\n| 4-5 | a | b | c | d |\n") == "");
  CHECK(problems("| 1-4 | a | b | | |\n| 3 | a | b | | |\n") ==
        "document 007 line 3: 2 rows\ndocument 007 line 5: 0 rows\n");
  CHECK(problems("| 1-5 | a | b | | |\n| 2 | | | | |\n| 6 | a | b | | |\n| 5-4 | a | b | | |\n") ==
        "document 007 row 2: blank lines only\ndocument 007 row 2: Asks is empty\n"
        "document 007 row 2: Seen in is empty\ndocument 007 row 6: beyond the end\n"
        "document 007 row 5-4: not a line number or a range\n");
  CHECK(coverage_problems("## 008 x\n", {"007", 1, "1"}) == "document 007: no section\n");
}

TEST_CASE("every contract view that is named exists, and every one that exists is named") {
  const std::string text = page();
  const std::string views = read_text(source_dir() / "src/store/sqlite/schema/0318_contracts.sql");

  for (const std::string_view name : quoted(text, "contract_"))
    CHECK_MESSAGE(views.contains("VIEW " + std::string{name} + " AS"), name);
  for (const std::string_view part : split(views, '\n'))
    if (part.starts_with("CREATE VIEW "))
      CHECK_MESSAGE(text.contains("`" + std::string{word_at(part.substr(12))} + "`"), part);
}

TEST_CASE("every trigger, index and source file that is named exists") {
  const std::string text = page();
  const std::string sql = schema();

  for (const std::string_view name : quoted_after(text, "rigger"))
    CHECK_MESSAGE((sql.contains("TRIGGER " + std::string{name} + " ") ||
                   sql.contains("TRIGGER " + std::string{name} + "\n")),
                  name);
  for (const std::string_view name : quoted_after(text, "ndex"))
    CHECK_MESSAGE(sql.contains("INDEX " + std::string{name} + " "), name);
  for (const std::string_view name : quoted(text, "src/"))
    CHECK_MESSAGE(std::filesystem::exists(source_dir() / name), name);
}

TEST_CASE("every settlement cited is one there is") {
  CHECK(citation_problems(page()) == "");
  CHECK(citation_problems("Z-20, A2-17; SHA-256 Z-32 A5-1") == "cited: Z-32\ncited: A5-1\n");
}

TEST_CASE("every line of every document is built") {
  std::string text = page();
  text.erase(0, text.find("\n## "));
  REQUIRE(!text.empty());

  CHECK(text.find(kNotBuilt) == std::string::npos);
}

}  // namespace
}  // namespace haul
