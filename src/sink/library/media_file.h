#pragma once
// What the name of a downloaded file says: its folder, stem, extension, and whether it is a video,
// a subtitle or an archive.

#include <string>
#include <string_view>

namespace haul::library {

// The last component of a path.
std::string_view name_of(std::string_view path);
// What stands before the last component, without the slash. Empty if there is none.
std::string_view folder_of(std::string_view path);
// ".mkv" of "a/B.MKV", in lower case. Empty if the name has none or only begins with a dot.
std::string extension_of(std::string_view path);
// The last component without its extension.
std::string_view stem_of(std::string_view path);

bool is_video(std::string_view path);
bool is_subtitle(std::string_view path);
// Also one of its volumes: "film.r00", "film.7z.001".
bool is_archive(std::string_view path);

// The text in lower case without blanks, dots, dashes and underscores, so that "Behind The Scenes"
// and "behind-the-scenes" are the same.
std::string folded(std::string_view text);

}  // namespace haul::library
