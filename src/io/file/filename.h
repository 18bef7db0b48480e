#pragma once
// File names chosen by servers or users: how haul reads them from headers and URLs, and makes them
// safe before they reach a disk.

#include <cstdint>
#include <string>
#include <string_view>

namespace haul::io {

// Makes one path component that suits any file system (S2-24): valid UTF-8, never empty, hidden,
// reserved or one of haul's own ".part" names, with a stem of at most 200 bytes. A safe name stays
// as it is.
std::string safe_name(std::string_view wanted);

// Makes every component of a path safe. "a/../b" becomes "a/_/b".
std::string safe_path(std::string_view wanted);

// The name of the n-th file that wants the same safe name: "a.mp4" and 2 give "a (2).mp4". The
// first file keeps the name.
std::string numbered(std::string_view safe, int n);

// The last component of a Content-Disposition header's name, not yet safe. Empty if there is none.
std::string disposition_name(std::string_view header);

// The last segment of a URL's path, decoded, not yet safe. Empty if there is none.
std::string url_name(std::string_view url);

// ".mp4" for "video/mp4; charset=x". Empty if the type says nothing.
std::string_view extension_for(std::string_view content_type);

enum class MediaKind : std::uint8_t { image, video, audio, archive, document, page, other };

// The kind of content that the extension of a name promises.
MediaKind kind_of(std::string_view name_or_path);

}  // namespace haul::io
