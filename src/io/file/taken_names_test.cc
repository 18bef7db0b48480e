// Names for files that want the same one: their numbers, and the cost of finding them.

#include "io/file/taken_names.h"

#include <doctest/doctest.h>

#include <set>

namespace haul::testing {
namespace {

// A folder in memory that counts how often it is asked.
struct Shelf {
  std::set<std::string> files;
  std::size_t asked = 0;
  io::TakenNames names;

  std::string choose(const std::string& name) {
    return names.choose("", name, [this](const std::string& wanted) {
      ++asked;
      return files.contains(wanted);
    });
  }
  // Chooses a name, puts the file there, and gives the name back as a finished download does.
  std::string put(const std::string& name) {
    const std::string chosen = choose(name);
    files.insert(chosen);
    names.give_back("", chosen);
    return chosen;
  }
};

}  // namespace

TEST_CASE("S2-24: equal names are numbered in order, past the folder's and those on their way") {
  Shelf shelf;
  shelf.files = {"a.tar.gz"};

  CHECK(shelf.choose("a.tar.gz") == "a (2).tar.gz");
  CHECK(shelf.choose("A.tar.gz") == "A (3).tar.gz");  // Some file systems ignore case.
  CHECK(shelf.choose("b") == "b");
  CHECK(shelf.choose("b") == "b (2)");
  CHECK(shelf.names.choose("inner/", "b", [](const std::string&) { return false; }) == "b");
}

TEST_CASE("a name that was given back is free again") {
  Shelf shelf;
  REQUIRE(shelf.choose("a") == "a");
  shelf.names.give_back("", "a");
  CHECK(shelf.choose("a") == "a");
}

TEST_CASE("a name that an earlier start chose goes to no other file until it is given back") {
  Shelf shelf;
  shelf.names.hold("", "a");
  CHECK(shelf.choose("a") == "a (2)");
  CHECK(shelf.names.choose("inner/", "a", [](const std::string&) { return false; }) == "a");

  Shelf other;
  other.names.hold("", "a");
  other.names.give_back("", "a");
  CHECK(other.choose("a") == "a");
}

TEST_CASE("12,000 files of one name get their numbers, with few questions to the folder for each") {
  Shelf shelf;
  for (int n = 1; n <= 12'000; ++n) REQUIRE_FALSE(shelf.put("a.bin").empty());

  CHECK(shelf.files.size() == 12'000);
  CHECK(shelf.files.contains("a (9999).bin"));
  CHECK(shelf.files.contains("a (12000).bin"));
  CHECK(shelf.asked <= 5 * 12'000);
}

TEST_CASE("a folder that has 20,000 files of one name is asked tens of times for the next") {
  Shelf shelf;
  for (int n = 1; n <= 20'000; ++n)
    shelf.files.insert(n == 1 ? "a.bin" : "a (" + std::to_string(n) + ").bin");

  CHECK(shelf.put("a.bin") == "a (20001).bin");
  CHECK(shelf.asked <= 64);
  CHECK(shelf.put("a.bin") == "a (20002).bin");
}

TEST_CASE("a name whose every number is taken is given up") {
  io::TakenNames names;
  CHECK(names.choose("", "a", [](const std::string&) { return true; }).empty());
}

}  // namespace haul::testing
