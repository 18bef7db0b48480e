#include "bot/label.h"

#include <doctest/doctest.h>

#include "bot/texts.h"

namespace haul::bot {

TEST_CASE("a label is one line without control and invisible characters") {
  CHECK(label_of("Война и мир.epub") == "Война и мир.epub");
  CHECK(label_of("  a\n\tb\x01 c ") == "a b c");
  CHECK(label_of("gpj\u202Eexe.\u200B") == "gpjexe.");
  CHECK(label_of("\xff\xfe") == "?");
  CHECK(label_of("") == "?");
}

TEST_CASE("a long label loses its middle and keeps its end") {
  CHECK(label_of("abcdefghij", 10) == "abcdefghij");
  CHECK(label_of("abcdefghijk", 10) == "abcdefg…jk");
  CHECK(label_of("ааааааааааа.pdf", 8) == "ааааа…df");
}

TEST_CASE("searches ignore the case of Latin and Cyrillic letters, and take ё for е") {
  CHECK(folded("Ёлка ЩУКА Abc") == "елка щука abc");
  CHECK(folded("ÀÉ×") == "àé×");
  CHECK(folded("Ђ") == "ђ");
}

TEST_CASE("users get Russian or English, by their language code") {
  CHECK(language_of("ru") == Language::russian);
  CHECK(language_of("ru-RU") == Language::russian);
  CHECK(language_of("") == Language::russian);
  CHECK(language_of("en") == Language::english);
  CHECK(language_of("de-AT") == Language::english);
  CHECK(text(Language::russian, Text::download) == "Скачать");
  CHECK(text(Language::english, Text::alert_failed) == "Not delivered: job {}");
}

}  // namespace haul::bot
