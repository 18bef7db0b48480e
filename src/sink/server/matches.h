#pragma once
// Which of the wanted files a server lists. Only a file with the same path and the same size
// counts: an older copy of the same title has another path, a file that is still being written has
// another size.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seam/media_server.h"
#include "sink/server/places.h"

namespace haul::media_server {

struct ListedFile {
  std::string path;  // As the server sees it.
  std::int64_t size = -1;

  bool operator==(const ListedFile&) const = default;
};

// The wanted files of one library.
class LibrarySearch {
 public:
  explicit LibrarySearch(ServerLibrary library) : library_{std::move(library)} {}

  void add(const WantedFile& file, std::string path);
  // Marks the wanted files among these.
  void see(std::span<const ListedFile> listed);
  // Marks all of them, for a server whose title is proof enough to the user.
  void see_all();

  const ServerLibrary& library() const { return library_; }
  bool is_over() const;  // All are found.
  // Whether the path is in the same folder as a wanted file.
  bool is_beside(const std::string& path) const;
  const std::vector<WantedFile>& found() const { return found_; }

 private:
  struct Open {
    WantedFile wanted;
    std::string path;  // As the server sees it.
  };

  ServerLibrary library_;
  std::vector<Open> open_;
  std::vector<WantedFile> found_;
};

// Whether two titles differ only in case, and in blanks at their ends.
bool is_same_title(std::string_view a, std::string_view b);

// A search for each library. `places` are those of the files, in the same order.
std::vector<LibrarySearch> searches_for(const FindFiles& wanted,
                                        const std::vector<ServerPlace>& places);

// What was found, in the order of the wanted files.
std::vector<PlacedFile> found_files(const FindFiles& wanted,
                                    std::span<const LibrarySearch> searches);

// The paths of the wanted files.
std::vector<std::string> paths_of(const FindFiles& wanted);

}  // namespace haul::media_server
