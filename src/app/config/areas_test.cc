#include "app/config/areas.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "app/config/describe.h"
#include "app/config/value.h"

namespace haul::app {

TEST_CASE("every key is in one area, has a text, and its default is valid or empty") {
  std::set<std::string_view> names;
  for (const ConfigArea& area : config_areas()) {
    CHECK_FALSE(area.keys.empty());
    for (const ConfigKey& key : area.keys) {
      CAPTURE(key.name);
      CHECK(names.insert(key.name).second);
      CHECK_FALSE(key.about.empty());
      CHECK(wrong_with(key, std::string{key.default_value}).empty());
      const std::string name = has_name(key) ? key_in(key, "films") : std::string{key.name};
      CHECK(find_key(name)->name == key.name);
      const bool is_ranged = key.kind == ConfigKind::number || key.kind == ConfigKind::duration;
      CHECK(key.range.has_value() == is_ranged);
    }
  }
  CHECK(names.size() == config_keys().size());
  CHECK(find_key("transfer.foldr") == nullptr);
}

TEST_CASE("the keys of a section stand together") {
  std::set<std::string_view> sections;
  std::string_view last;
  for (const ConfigKey& key : config_keys()) {
    const std::string_view section = key.name.substr(0, key.name.rfind('.'));
    CAPTURE(key.name);
    CHECK((section == last || sections.insert(section).second));
    last = section;
  }
  CHECK(sections.contains("transfer"));
}

TEST_CASE("docs/config.md is the page of all areas") {
  std::ifstream file{HAUL_SOURCE_DIR "/docs/config.md", std::ios::binary};
  CHECK(config_doc() == std::string{std::istreambuf_iterator<char>{file}, {}});
}

TEST_CASE("a value is checked by its key's row: kind, words, range, and each element of a list") {
  constexpr std::string_view kWords[] = {"a", "b", "c"};
  const auto starts_with_x = [](const std::string& value) {
    return std::string{value.starts_with('x') ? "" : "expected an x"};
  };
  const ConfigKey word{
      .name = "k", .kind = ConfigKind::text, .default_value = {}, .about = {}, .words = kWords};
  CHECK(wrong_with(word, "b").empty());
  CHECK(wrong_with(word, "d") == "expected a, b or c");

  const ConfigKey number{.name = "k",
                         .kind = ConfigKind::number,
                         .default_value = {},
                         .about = {},
                         .range = ConfigRange{2, 4}};
  CHECK(wrong_with(number, "2").empty());
  CHECK(wrong_with(number, "4").empty());
  for (const char* bad : {"1", "5", "", "2x", "2.5"})
    CHECK(wrong_with(number, bad) == "expected a whole number from 2 to 4");

  const ConfigKey time{.name = "k",
                       .kind = ConfigKind::duration,
                       .default_value = {},
                       .about = {},
                       .range = between(Millis{100}, std::chrono::seconds{2})};
  CHECK(wrong_with(time, "100ms").empty());
  CHECK(wrong_with(time, "2s").empty());
  CHECK(wrong_with(time, "99ms") == "\"99ms\" is out of range (expected 100ms to 2s)");
  CHECK(wrong_with(time, "2001ms").find("out of range") != std::string::npos);
  CHECK(wrong_with(time, "soon") == "expected a duration such as 15s, 1h or 500ms");

  const ConfigKey list{.name = "k",
                       .kind = ConfigKind::list,
                       .default_value = {},
                       .about = {},
                       .check = starts_with_x};
  CHECK(wrong_with(list, "").empty());
  CHECK(wrong_with(list, "x1, x2").empty());
  CHECK(wrong_with(list, "x1, y") == "[1]: expected an x");
}

}  // namespace haul::app
