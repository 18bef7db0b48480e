#pragma once
// The words of a release name that say how it was made: resolution, source, codec, edition.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sink/library/release_words.h"

namespace haul::library {

enum class MarkKind : std::uint8_t {
  resolution,
  about,  // A resolution that another word may correct: "UHD" stands in names of 1080p encodes too.
  source,
  codec,
  proper,
  repack,
  edition,
  noise,  // Languages, sound, services. haul only knows that it is no part of an episode's title.
};

struct ReleaseMark {
  std::string_view phrase;  // Words in lower case with blanks between.
  MarkKind kind;
  std::string_view value;
  bool ends_title = false;  // No title has it, so the title ends before it.
};

struct FoundMark {
  const ReleaseMark* mark = nullptr;  // Null if no mark begins at this word.
  std::size_t count = 0;              // Words of the phrase.
};

// The longest mark that begins at this word.
FoundMark mark_at(const ReleaseWords& words, std::size_t i);

// The first word at or after `from` that begins a mark which ends a title; size() if there is none.
std::size_t first_title_end(const ReleaseWords& words, std::size_t from);

}  // namespace haul::library
