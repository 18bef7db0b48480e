// S2-24: makes names safe and numbers them.

#include "io/file/filename.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/utf8.h"
#include "hostile/names.h"

namespace haul::io {
namespace {

using testing::times;

// Random text that comes close to the rules: their characters, their limits, and invalid bytes.
std::string any_name() {
  static const std::vector<std::string> pieces = {
      "a",          ".",    " ",    "-",      "/",    "\\",     "\n",
      "con",        "LPT1", "nul.", ".tar",   ".gz",  "_",      ".part",
      ".mp4",       "...",  "語",   "\u0301", "\xff", "\u202e", "COM¹",
      "\u200b",     "(2)",  ".bz2", "conin$", "\xe2", "\ufe0f", times(190, "x"),
      times(9, "y")};
  const auto picks = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(0, pieces.size()));
  std::string name;
  for (const std::size_t pick : picks) name += pieces[pick];
  return name;
}

std::size_t stem_size(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name.size() : dot;
}

// What is wrong with a name that should be safe. Empty if nothing is.
std::string problem(const std::string& name) {
  if (name.empty()) return "empty";
  if (!is_utf8(name)) return "not UTF-8";
  if (name.find_first_of(std::string{"<>:\"/\\|?*\0", 10}) != std::string::npos) return "forbidden";
  if (name[0] == '.' || name[0] == '-' || name[0] == ' ') return "bad start";
  if (name.back() == '.' || name.back() == ' ') return "bad end";
  if (lower(name).ends_with(".part")) return "ours";
  if (name.size() > 200 + 17) return "too long";
  if (stem_size(name) > 200 + 4) return "stem too long";  // stem_size() counts a ".tar", too.
  for (std::string_view rest = name; !rest.empty();) {
    const CodePoint at = first_code_point(rest);
    if (is_control(at.code)) return "control";
    if (is_invisible(at.code)) return "invisible";
    rest.remove_prefix(at.size);
  }
  return "";
}

}  // namespace

TEST_CASE("S2-24: every hostile name of list N becomes one harmless component") {
  for (const auto& list : {testing::kHostileNames, testing::kBrokenNames})
    for (const auto& [id, wanted, safe, last] : list) {
      CHECK_MESSAGE(safe_name(wanted) == safe, id);
      CHECK_MESSAGE(problem(safe_name(wanted)) == "", id);
    }
}

TEST_CASE("S2-24: nine characters and all controls become _, their neighbours stay") {
  CHECK(safe_name("a<>:\"/\\|?*b") == "a_________b");
  for (int c = 0; c < 0x20; ++c)
    CHECK(safe_name(std::string{"a"} + static_cast<char>(c) + "b") == "a_b");
  CHECK(safe_name("a ;=+,!@#$%^&(){}[]'~`b") == "a ;=+,!@#$%^&(){}[]'~`b");
  CHECK(safe_name("a\u0080\u009f\u00a0b\u2028c") == "a__\u00a0b_c");
  CHECK(safe_name("Ошибка 語 🎬.mp4") == "Ошибка 語 🎬.mp4");
}

TEST_CASE("S2-24: names of Windows devices get a _ after the stem, names like them do not") {
  for (const std::string name :
       {"con", "PRN", "Aux", "NUL", "COM0", "com9", "LPT1", "COM¹", "lpt³", "CONIN$", "conout$"}) {
    CHECK(safe_name(name) == name + "_");
    CHECK(safe_name(name + ".tar.gz") == name + "_.tar.gz");
    CHECK(safe_name(name + " .txt") == name + " _.txt");
  }
  for (const std::string name : {"cons", "com", "com10", "lpta", "com⁴", "aux1", "nul-1", "xcon"})
    CHECK(safe_name(name) == name);
  CHECK(safe_name("a.con") == "a.con");
}

TEST_CASE("S2-24: a stem of 200 bytes is kept, of 201 cut, and the extension stays") {
  CHECK(safe_name(times(200, "a") + ".mp4") == times(200, "a") + ".mp4");
  CHECK(safe_name(times(201, "a") + ".mp4") == times(197, "a") + "....mp4");
  CHECK(safe_name(times(200, "a")) == times(200, "a"));
  CHECK(safe_name(times(201, "a")) == times(196, "a") + "..._");
}

TEST_CASE("S2-24: an extension is up to 16 letters and digits, or .tar and what packed it") {
  const std::string stem = times(300, "a");
  const std::string cut = times(197, "a") + "...";
  for (const std::string kept :
       {".x", ".0123456789abcdef", ".MP4", ".tar.gz", ".tar.xz", ".TAR.bz2", ".tar.zst"})
    CHECK(safe_name(stem + kept) == cut + kept);
  CHECK(safe_name(stem + ".tar.7z") == cut + ".7z");
  for (const std::string lost : {".0123456789abcdefg", ".m-4", ".m_4", ".日本"})
    CHECK(safe_name(stem + lost) == times(196, "a") + "..._");
  CHECK(safe_name(times(200, "a") + ".tar.gz") == times(200, "a") + ".tar.gz");
}

TEST_CASE("S2-24: a cut is never within a character, nor between a letter and its marks") {
  CHECK(safe_name(times(196, "a") + "語a" + times(9, "b") + ".mp4") == times(196, "a") + "....mp4");
  CHECK(safe_name(times(194, "a") + "語" + times(9, "b") + ".mp4") ==
        times(194, "a") + "語....mp4");
  CHECK(safe_name(times(196, "a") + "e\u0301" + times(9, "b") + ".mp4") ==
        times(196, "a") + "....mp4");
  CHECK(safe_name(times(194, "a") + "e\u0301" + times(9, "b") + ".mp4") ==
        times(194, "a") + "e\u0301....mp4");
}

TEST_CASE("S2-24: whatever was wanted, the name is safe, and a safe name stays as it is") {
  CHECK(rc::check([] {
    const std::string name = safe_name(any_name());
    RC_ASSERT(problem(name) == "");
    RC_ASSERT(safe_name(name) == name);
  }));
  CHECK(rc::check([](const std::string& bytes) {
    const std::string name = safe_name(bytes);
    RC_ASSERT(problem(name) == "");
    RC_ASSERT(safe_name(name) == name);
  }));
}

TEST_CASE("N20: twins in NFC and NFD stay two files") {
  CHECK(safe_name("\u00e9") != safe_name("e\u0301"));
}

TEST_CASE("S2-24: every component of a path is made safe, and none leads out") {
  CHECK(safe_path("a.mp4") == "a.mp4");
  CHECK(safe_path("Somebody/a.mp4") == "Somebody/a.mp4");
  CHECK(safe_path("a/../b:c/d.mp4") == "a/_/b_c/d.mp4");
  CHECK(safe_path("/etc/passwd") == "_/etc/passwd");
  CHECK(safe_path("a//") == "a/_/_");
  CHECK(safe_path("") == "_");
}

TEST_CASE("the first keeps the name, the others get their number before the extension") {
  CHECK(numbered("a.mp4", 1) == "a.mp4");
  CHECK(numbered("a.mp4", 0) == "a.mp4");
  CHECK(numbered("a.mp4", 2) == "a (2).mp4");
  CHECK(numbered("a.tar.gz", 10) == "a (10).tar.gz");
  CHECK(numbered("a", 3) == "a (3)");
  CHECK(numbered("a.mp4.part_", 2) == "a.mp4.part_ (2)");
}

TEST_CASE("S2-24: a number counts for the 200 bytes: 196 and it fit, 197 are cut") {
  CHECK(numbered(times(196, "a") + ".mp4", 2) == times(196, "a") + " (2).mp4");
  CHECK(numbered(times(197, "a") + ".mp4", 2) == times(193, "a") + "... (2).mp4");
  CHECK(numbered(times(200, "a"), 2) == times(193, "a") + "... (2)");
}

TEST_CASE("S2-24: numbers give different names, all of them safe") {
  CHECK(rc::check([] {
    const std::string safe = safe_name(any_name());
    std::set<std::string> names;
    for (const int n : {1, 2, 9, 10, 999, 2'147'483'647}) {
      const std::string name = numbered(safe, n);
      RC_ASSERT(problem(name) == "");
      RC_ASSERT(safe_name(name) == name);
      RC_ASSERT(names.insert(name).second);
    }
  }));
}

}  // namespace haul::io
