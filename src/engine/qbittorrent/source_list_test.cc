// The files that a torrent's manifest gets, and those that are refused (Z-4, F28).

#include "engine/qbittorrent/source_list.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <fstream>

#include "support/io/temp_folder.h"

namespace haul::qbittorrent {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

void write(const fs::path& file, std::size_t bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << std::string(bytes, 'x');
}

// A client whose /downloads is the folder "in".
struct Place {
  TempFolder folder;
  fs::path in = folder / "in";
  QbittorrentSettings settings;
  Torrent torrent;

  Place() {
    fs::create_directories(in);
    settings.source_paths =
        PathMap::parse(std::vector<std::string>{"/downloads=" + in.string()}).value();
    settings.roots = {in};
    torrent.save_path = "/downloads";
  }

  Result<std::vector<SourceFile>> look(const std::vector<ContentFile>& content) const {
    return look_at_sources(torrent, content, settings);
  }
  // "a:1 b:2", or the fault's code.
  std::string found(const std::vector<ContentFile>& content) const {
    const auto files = look(content);
    if (!files) {
      CHECK((files.error().kind == FaultKind::environment));
      return files.error().code;
    }
    std::string text;
    for (const SourceFile& file : *files)
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", file.path, file.size);
    return text;
  }
};

std::string read(std::string_view json) {
  const auto files = read_content(json);
  if (!files) return files.error().code;
  std::string text;
  for (const ContentFile& file : *files)
    text += fmt::format("{}{}:{}{}", text.empty() ? "" : " ", file.name, file.size,
                        file.is_wanted ? "" : "!");
  return text;
}

}  // namespace

TEST_CASE("Z-4: a file is listed with its identity, beneath its root") {
  Place p;
  write(p.in / "Film/film.mkv", 10);

  const auto files = p.look({{.name = "Film/film.mkv", .size = 10}});

  struct stat about{};
  REQUIRE(::stat((p.in / "Film/film.mkv").c_str(), &about) == 0);
  REQUIRE(files.has_value());
  CHECK(*files == std::vector<SourceFile>{
                      {.root = p.in.string(),
                       .path = "Film/film.mkv",
                       .device = static_cast<std::int64_t>(about.st_dev),
                       .inode = static_cast<std::int64_t>(about.st_ino),
                       .size = 10,
                       .mtime_ns = about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec}});
}

TEST_CASE("Z-4: only wanted files are listed, and no file beside them") {
  Place p;
  write(p.in / "a", 1);
  write(p.in / "b", 2);
  write(p.in / "stranger", 3);

  CHECK(p.found({{.name = "a", .size = 1}, {.name = "b", .size = 2, .is_wanted = false}}) == "a:1");
  CHECK(p.found({{.name = "b", .size = 2, .is_wanted = false}}) == "no_files");
  CHECK(p.found({}) == "no_files");
}

TEST_CASE("a path that no entry covers is no path of this machine, unless the map is identity") {
  Place p;
  write(p.in / "a", 1);
  p.torrent.save_path = p.in.string();
  CHECK(p.found({{.name = "a", .size = 1}}) == "path_not_mapped");
  p.settings.source_paths = PathMap{};
  CHECK(p.found({{.name = "a", .size = 1}}) == "path_not_mapped");
  const auto fault = p.look({{.name = "a", .size = 1}});
  REQUIRE_FALSE(fault.has_value());
  CHECK(fault.error().detail.find((p.in / "a").string()) != std::string::npos);
  CHECK(fault.error().detail.find(R"(path_map = ["identity"])") != std::string::npos);

  p.settings.source_paths = PathMap::identity();
  CHECK(p.found({{.name = "a", .size = 1}}) == "a:1");
}

TEST_CASE("F28: a file outside every download root, or the root itself, is refused") {
  Place p;
  write(p.in / "a", 1);
  write(p.folder / "in2/a", 1);
  p.settings.source_paths = PathMap::identity();
  const auto found_in = [&](const fs::path& save, const std::string& name) {
    p.torrent.save_path = save.string();
    return p.found({{.name = name, .size = 1}});
  };

  CHECK(found_in(p.in, "a") == "a:1");
  CHECK(found_in(p.folder / "in2", "a") == "path_refused");
  CHECK(found_in(p.in, "../in2/a") == "path_refused");
  CHECK(found_in(p.in, "..") == "path_refused");
  CHECK(found_in(p.in, ".") == "path_refused");
  CHECK(found_in("", "a") == "path_refused");
  p.settings.roots.clear();
  CHECK(found_in(p.in, "a") == "path_refused");
}

TEST_CASE("of two roots, the one that is nearer to the file counts") {
  Place p;
  write(p.in / "films/a", 1);
  p.settings.roots = {p.in, p.in / "films"};

  const auto files = p.look({{.name = "films/a", .size = 1}});

  REQUIRE(files.has_value());
  CHECK(files->front().root == (p.in / "films").string());
  CHECK(files->front().path == "a");
}

TEST_CASE("F29: a link on the way, a link, a folder and a pipe are no files of a torrent") {
  Place p;
  write(p.folder / "elsewhere/a", 1);
  fs::create_symlink(p.folder / "elsewhere", p.in / "linked");
  fs::create_symlink(p.folder / "elsewhere/a", p.in / "link");
  fs::create_directories(p.in / "folder");
  REQUIRE(::mkfifo((p.in / "pipe").c_str(), 0600) == 0);

  for (const char* name : {"linked/a", "link", "folder", "pipe"})
    CHECK_MESSAGE(p.found({{.name = name, .size = 1}}) == "path_refused", name);
}

TEST_CASE("a file that is not there is waited for, and so is one of another size") {
  Place p;
  write(p.in / "a", 2);
  CHECK(p.found({{.name = "a", .size = 1}}) == "size_differs");
  CHECK(p.found({{.name = "b", .size = 1}}) == "asset_pending");
  CHECK(p.found({{.name = "deep/b", .size = 1}}) == "asset_pending");
  fs::remove_all(p.in);
  CHECK(p.found({{.name = "a", .size = 2}}) == "asset_pending");
}

TEST_CASE("the client's list is read, or it is garbage as a whole") {
  CHECK(read(R"([{"name":"a/b","size":5,"priority":1},{"name":"c","size":0,"priority":0},
                 {"name":"d","size":1},{"name":"e","size":1,"priority":7}])") ==
        "a/b:5 c:0! d:1 e:1");
  CHECK(read("[]").empty());
  for (const char* bad : {"", "{}", "null", "<html>", R"([{"name":"a"}])", R"([{"size":1}])",
                          R"([{"name":"","size":1}])", R"([{"name":"a","size":-1}])",
                          R"([{"name":5,"size":1}])", R"([{"name":"a","size":"1"}])", "[5]"})
    CHECK_MESSAGE(read(bad) == "client_garbage", bad);
}

TEST_CASE("a torrent of more than four thousand files is refused for good") {
  const auto many = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i)
      list += fmt::format(R"({}{{"name":"{}","size":1}})", i == 0 ? "" : ",", i);
    return read_content("[" + list + "]");
  };
  CHECK(many(4'000).has_value());
  CHECK(many(4'001).error().code == "too_many_files");
  CHECK((many(4'001).error().kind == FaultKind::permanent));
}

}  // namespace haul::qbittorrent
