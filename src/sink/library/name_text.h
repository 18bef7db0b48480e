#pragma once
// Titles as parts of file names.

#include <cstddef>
#include <string>
#include <string_view>

namespace haul::library {

// The text with the characters replaced that file names cannot have, as Radarr and Sonarr do it:
// "Alien: Covenant" gives "Alien - Covenant". It has single blanks, none at its ends, and at most
// that many bytes. Nothing may be left.
std::string file_text(std::string_view text, std::size_t bytes_max);

// The same without punctuation, as Radarr and Sonarr write a CleanTitle. Accents stay.
std::string clean_text(std::string_view title, std::size_t bytes_max);

}  // namespace haul::library
