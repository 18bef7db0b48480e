#pragma once
// Names that others chose for our files: where they come from, and what becomes of them before one
// reaches a disk.

#include <cstdint>
#include <string>
#include <string_view>

namespace haul {

// One path component for any file system (S2-24): valid UTF-8, never empty, hidden, reserved or
// one of our own ".part" names, its stem at most 200 bytes. A safe name stays as it is.
std::string safe_name(std::string_view wanted);

// The n-th file that wants the same safe name: "a.mp4", 2 gives "a (2).mp4". The first keeps it.
std::string numbered(std::string_view safe, int n);

// The name in a Content-Disposition header, its last component, not yet safe; empty if none.
std::string disposition_name(std::string_view header);

// The last segment of an address's path, decoded, not yet safe; empty if none.
std::string url_name(std::string_view url);

// ".mp4" for "video/mp4; charset=x"; empty if the type says nothing.
std::string_view extension_for(std::string_view content_type);

enum class MediaKind : std::uint8_t { image, video, audio, archive, document, page, other };

// What the extension of a name promises.
MediaKind kind_of(std::string_view name_or_path);

}  // namespace haul
