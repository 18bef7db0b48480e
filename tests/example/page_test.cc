// docs/adding-an-engine.md shows the text of the files that the tests build.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "support/run/test_names.h"

namespace haul::example {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot{HAUL_SOURCE_DIR};

// A block of code in the page. Its first line names the file: "```cpp tests/example/chunk.h".
struct Block {
  std::string file;
  std::string text;
};

std::vector<Block> blocks_in(const std::string& page) {
  constexpr std::string_view kBegin = "```cpp";
  std::vector<Block> blocks;
  bool is_inside = false;
  std::istringstream lines{page};
  for (std::string line; std::getline(lines, line);) {
    if (is_inside && line == "```")
      is_inside = false;
    else if (is_inside)
      blocks.back().text += line + "\n";
    else if (line.starts_with(kBegin)) {
      is_inside = true;
      blocks.push_back({.file = line.size() > kBegin.size() ? line.substr(kBegin.size() + 1) : ""});
    }
  }
  return blocks;
}

// Lists the blocks that are no text of their files, one per line.
std::string wrong_blocks(const std::vector<Block>& blocks) {
  std::string wrong;
  for (const Block& block : blocks) {
    const std::string first = block.text.substr(0, block.text.find('\n'));
    const bool is_named = !block.file.empty() && fs::is_regular_file(kRoot / block.file);
    if (!is_named)
      wrong += "no such file: '" + block.file + "'\n";
    else if (("\n" + testing::read_source(kRoot / block.file)).find("\n" + block.text) ==
             std::string::npos)
      wrong += block.file + " has no such text: " + first + "\n";
  }
  return wrong;
}

std::string page() { return testing::read_source(kRoot / "docs/adding-an-engine.md"); }

}  // namespace

TEST_CASE("docs/adding-an-engine.md: every block of code is text of the file that it names") {
  const std::vector<Block> blocks = blocks_in(page());

  CHECK(blocks.size() >= 5);
  CHECK(wrong_blocks(blocks) == "");
}

TEST_CASE("docs/adding-an-engine.md: it names every file of the example, and is short") {
  const std::string text = page();
  for (const fs::directory_entry& entry : fs::directory_iterator{kRoot / "tests/example"})
    CHECK_MESSAGE(text.find(entry.path().filename().string()) != std::string::npos,
                  entry.path().filename().string());
  CHECK(std::ranges::count(text, '\n') <= 200);
}

TEST_CASE("docs/adding-an-engine.md: a block that differs, or names no file, is found") {
  const std::string head = "```cpp tests/example/chunk.h\n#pragma once\n```\n";

  CHECK(wrong_blocks(blocks_in(head)) == "");
  CHECK(wrong_blocks(blocks_in("```cpp tests/example/chunk.h\npragma once\n```\n")) ==
        "tests/example/chunk.h has no such text: pragma once\n");
  CHECK(wrong_blocks(blocks_in("```cpp\nint i;\n```\n")) == "no such file: ''\n");
  CHECK(blocks_in("```sh\n./dev check\n```\n").empty());
}

}  // namespace haul::example
