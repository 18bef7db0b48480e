#pragma once
// The libraries of a media server, and which of them a path belongs to.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace haul::media_server {

struct ServerLibrary {
  std::string id;    // "1"; is_plain_id().
  std::string kind;  // "movie", "series", or empty if it has both or the server does not say.
  std::vector<std::string> folders;  // As the server sees them.

  bool operator==(const ServerLibrary&) const = default;
};

// Whether a server's id may be part of a path: letters, digits and dashes only.
bool is_plain_id(std::string_view id);

// What an operator learns when setting haul up.
struct ServerProbe {
  std::string product;  // "Jellyfin"
  std::string version;
  std::vector<ServerLibrary> libraries;
};

struct LibraryMatch {
  const ServerLibrary* library = nullptr;  // Null if no library has the path.
  bool is_folder_itself = false;           // The path is one of the library's folders.
};

// The library with the longest folder that contains the path or is the path. Compares whole
// components. Of two libraries with the same folder, the one of this kind counts.
LibraryMatch library_of(std::span<const ServerLibrary> libraries, const std::filesystem::path& path,
                        std::string_view kind);

}  // namespace haul::media_server
