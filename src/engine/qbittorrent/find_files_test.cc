// Where a finished torrent's files are looked for, and which are refused.

#include "engine/qbittorrent/find_files.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/io/temp_folder.h"

namespace haul::qbittorrent {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

PathMap map_of(const std::vector<std::string>& entries) { return PathMap::parse(entries).value(); }

// A finished torrent of ten bytes.
Torrent finished(const fs::path& save_path, const std::string& content_path) {
  Torrent torrent;
  torrent.state = TorrentState::finished;
  torrent.size = 10;
  torrent.left = 0;
  torrent.save_path = save_path.string();
  torrent.content_path = content_path;
  return torrent;
}

void write(const fs::path& file, std::size_t bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << std::string(bytes, 'x');
}

std::string found(const Torrent& torrent, const PathMap& map = PathMap::identity()) {
  const FoundFiles found = find_files(torrent, map);
  return found.why_not.empty() ? fmt::format("{}", found.size) : found.why_not;
}

}  // namespace

TEST_CASE("Z-2: a file counts with exactly its size, a folder with at least that in all") {
  const TempFolder folder;
  write(folder / "file", 10);
  write(folder / "short", 9);
  write(folder / "long", 11);
  write(folder / "both/a", 4);
  write(folder / "both/deep/b", 6);
  write(folder / "little/a", 9);
  CHECK(found(finished(folder.path(), folder / "file")) == "10");
  CHECK(found(finished(folder.path(), folder / "short")) == "size_differs");
  CHECK(found(finished(folder.path(), folder / "long")) == "size_differs");
  CHECK(found(finished(folder.path(), folder / "both")) == "10");
  CHECK(found(finished(folder.path(), folder / "little")) == "size_differs");
  CHECK(found(finished(folder.path(), folder / "none")) == "asset_pending");
}

TEST_CASE("Q21: a path outside the save path, the save path itself, and links are refused") {
  const TempFolder folder;
  write(folder / "save/file", 10);
  write(folder / "other/file", 10);
  const fs::path save = folder / "save";
  fs::create_symlink(folder / "other", save / "link");
  fs::create_symlink(folder / "other/file", save / "file_link");
  CHECK(found(finished(save, (save / "file").string())) == "10");
  CHECK(found(finished(save, folder / "other/file")) == "path_refused");
  CHECK(found(finished(save, save.string())) == "path_refused");
  CHECK(found(finished(save, save.string() + "/../other/file")) == "path_refused");
  CHECK(found(finished(save, (save / "link/file").string())) == "path_refused");
  CHECK(found(finished(save, (save / "file_link").string())) == "path_refused");
  CHECK(found(finished(save, "/")) == "path_refused");
  CHECK(found(finished("/", folder / "other/file")) == "path_refused");
  CHECK(found(finished("", folder / "other/file")) == "path_refused");
  CHECK(found(finished(save, "")) == "asset_pending");
}

TEST_CASE(
    "a save path of the client's that is mapped elsewhere is looked for there, and only there") {
  const TempFolder folder;
  write(folder / "ours/file", 10);
  const PathMap map = map_of({"/downloads=" + (folder / "ours").string()});
  CHECK(found(finished("/downloads", "/downloads/file"), map) == "10");
  CHECK(found(finished(folder / "ours", folder / "ours/file"), map) == "path_refused");
}

TEST_CASE("a file still in the folder for unfinished ones is waited for") {
  const TempFolder folder;
  write(folder / "save/incomplete/file", 10);
  Torrent torrent = finished(folder / "save", folder / "save/incomplete/file");
  torrent.download_path = folder / "save/incomplete";
  CHECK(found(torrent) == "asset_pending");
  torrent.download_path.clear();
  CHECK(found(torrent) == "10");
}

}  // namespace haul::qbittorrent
