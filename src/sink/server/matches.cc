#include "sink/server/matches.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/ensure.h"

namespace haul::media_server {

void LibrarySearch::add(const WantedFile& file, std::string path) {
  open_.push_back({file, std::move(path)});
}

void LibrarySearch::see(std::span<const ListedFile> listed) {
  for (const ListedFile& file : listed)
    std::erase_if(open_, [&](const Open& open) {
      if (open.path != file.path || open.wanted.size != file.size) return false;
      found_.push_back(open.wanted);
      return true;
    });
}

void LibrarySearch::see_all() {
  for (Open& open : std::exchange(open_, {})) found_.push_back(std::move(open.wanted));
}

bool LibrarySearch::is_over() const { return open_.empty(); }

bool LibrarySearch::is_beside(const std::string& path) const {
  const auto folder = std::filesystem::path{path}.parent_path();
  return std::ranges::any_of(open_, [&](const Open& open) {
    return std::filesystem::path{open.path}.parent_path() == folder;
  });
}

bool is_same_title(std::string_view a, std::string_view b) {
  return lower(trimmed(a)) == lower(trimmed(b));
}

std::vector<LibrarySearch> searches_for(const FindFiles& wanted,
                                        const std::vector<ServerPlace>& places) {
  ensure(places.size() == wanted.files.size(), "every wanted file has its place");
  std::vector<LibrarySearch> searches;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto same = [&](const LibrarySearch& search) {
      return search.library().id == places[i].library.id;
    };
    auto search = std::ranges::find_if(searches, same);
    if (search == searches.end())
      search = searches.insert(searches.end(), LibrarySearch{places[i].library});
    search->add(wanted.files[i], places[i].path);
  }
  return searches;
}

std::vector<PlacedFile> found_files(const FindFiles& wanted,
                                    std::span<const LibrarySearch> searches) {
  std::vector<PlacedFile> files;
  for (const WantedFile& file : wanted.files) {
    const auto has = [&](const LibrarySearch& search) {
      return std::ranges::find(search.found(), file) != search.found().end();
    };
    if (std::ranges::any_of(searches, has)) files.push_back({file.path, file.size});
  }
  return files;
}

std::vector<std::string> paths_of(const FindFiles& wanted) {
  std::vector<std::string> paths;
  paths.reserve(wanted.files.size());
  for (const WantedFile& file : wanted.files) paths.push_back(file.path);
  return paths;
}

}  // namespace haul::media_server
