// What a film's last event says about its sources.

#include "flow/media/source_end.h"

#include <doctest/doctest.h>

namespace haul::flow {
namespace {

SourceEnd end(std::string path, Removal outcome, std::string detail = {}) {
  return {.path = std::move(path), .outcome = outcome, .detail = std::move(detail)};
}

ImportReceipt receipt() {
  const Landing landing{JobId{1}, {{"/lib/a", 10}}};
  return verify(landing, {.files = landing.files}).value();
}

}  // namespace

TEST_CASE("A1-2: an outcome has the word of the event, and no other word is an outcome") {
  for (const Removal outcome :
       {Removal::deleted, Removal::trashed, Removal::kept_unsafe, Removal::already_gone})
    CHECK((removal_named(name(outcome)) == outcome));
  for (const char* word : {"", "Deleted", "gone", "kept"})
    CHECK((removal_named(word) == Removal::kept_unsafe));
}

TEST_CASE("A1-2: the worst outcome is kept, then deleted, then trashed, then already gone") {
  using enum Removal;
  const auto worst = [](std::vector<Removal> outcomes) {
    std::vector<SourceEnd> ends;
    for (const Removal outcome : outcomes) ends.push_back(end("/a", outcome));
    return worst_of(ends);
  };
  CHECK((worst({deleted}) == deleted));
  CHECK((worst({trashed, deleted}) == deleted));
  CHECK((worst({already_gone, trashed}) == trashed));
  CHECK((worst({already_gone}) == already_gone));
  CHECK((worst({deleted, kept_unsafe, already_gone}) == kept_unsafe));
  CHECK((worst({}) == kept_unsafe));
}

TEST_CASE("what stays is named, with the first file and why") {
  using enum Removal;
  CHECK(kept_text(std::vector{end("/a", deleted)}).empty());
  CHECK(kept_text(std::vector{end("/a", deleted), end("/b", kept_unsafe)}) ==
        "1 of 2 files stays: /b");
  CHECK(kept_text(std::vector{end("/a", kept_unsafe, "changed"), end("/b", kept_unsafe)}) ==
        "2 of 2 files stay: /a (changed)");
  CHECK(kept_text({}) == "haul has no list of its source files, so they stay");
}

TEST_CASE("the event has what was compared and each source, and at most a thousand of them") {
  using enum Removal;
  CHECK(cleaned_json(receipt(), std::vector{end("/in/\"a\"", kept_unsafe, "why")}) ==
        R"({"files":[{"path":"/lib/a","size":10}],)"
        R"("sources":[{"path":"/in/\"a\"","outcome":"kept_unsafe","detail":"why"}]})");
  CHECK(cleaned_json(receipt(), {}) == R"({"files":[{"path":"/lib/a","size":10}],"sources":[]})");

  const std::string many = cleaned_json(receipt(), std::vector(1'002, end("/a", deleted)));
  CHECK(many.ends_with(R"("outcome":"deleted"}],"more_sources":2})"));
}

TEST_CASE("an entry of the manifest and a source are the same file") {
  const SourceFile file{
      .root = "/in", .path = "a/b", .device = 1, .inode = 2, .size = 3, .mtime_ns = 4};
  const std::vector<ManifestEntry> entries = entries_of(std::vector{file});
  REQUIRE(entries.size() == 1);
  CHECK((entries.front().made_by == MadeBy::client));
  CHECK(source_of(entries.front()) == file);
  CHECK(path_of(entries.front()) == "/in/a/b");
}

}  // namespace haul::flow
