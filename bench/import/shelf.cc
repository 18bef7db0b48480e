#include "import/shelf.h"

#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>
#include <stdexcept>

#include "base/clock.h"
#include "io/file/beneath.h"
#include "sink/library/library.h"

namespace haul::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 20U;

bool is_answer(const What& what) {
  return !std::holds_alternative<Moving>(what) && !std::holds_alternative<Waiting>(what) &&
         !std::holds_alternative<CleanedSome>(what);
}

SourceFile listed(const fs::path& root, const std::string& path) {
  const io::SplitPath split = io::split_path(path);
  const io::Descriptor folder =
      io::open_folder_beneath(io::open_root(root).value(), split.folder, io::Mounts::cross).value();
  const io::EntrySeen seen = io::seen_in(folder, split.name).value();
  return {.root = root.string(),
          .path = path,
          .device = seen.device,
          .inode = seen.inode,
          .size = seen.size,
          .mtime_ns = seen.mtime_ns};
}

}  // namespace

void OneAnswer::push(Sight sight) {
  if (!is_answer(sight.what)) return;
  {
    const Lock lock{mutex_};
    answers_.push_back(std::move(sight.what));
  }
  came_.notify_one();
}

What OneAnswer::wait() {
  const Lock lock{mutex_};
  came_.wait(mutex_, [this]() REQUIRES(mutex_) { return !answers_.empty(); });
  What answer = std::move(answers_.front());
  answers_.clear();
  if (const auto* failed = std::get_if<Failed>(&answer))
    throw std::runtime_error{failed->fault.code + ": " + failed->fault.detail};
  return answer;
}

ImportShelf::ImportShelf(library::ImportBy by, MediaServer* server) {
  struct statfs about{};
  if (::statfs(folder_.path().c_str(), &about) == 0 && about.f_type == TMPFS_MAGIC)
    throw std::runtime_error{"a flush costs nothing in memory; set TMPDIR to a disk"};
  for (const fs::path& each : {downloads(), movies(), series()}) fs::create_directory(each);
  library::LibrarySettings settings{.store = "a1b2c3d4e5f6"};
  settings.roots.movies.path = movies();
  settings.roots.series.path = series();
  settings.methods = {by};
  settings.download_roots = {downloads()};
  sink_ = library::make_library(std::move(settings), space_, system_clock(), server);
}

void ImportShelf::download(const std::string& path, std::int64_t size) const {
  const fs::path file = downloads() / path;
  fs::create_directories(file.parent_path());
  std::mt19937_64 random{std::hash<std::string>{}(path)};
  std::vector<std::uint64_t> block(kBlock / sizeof(std::uint64_t));
  std::ranges::generate(block, std::ref(random));
  std::ofstream out{file, std::ios::binary};
  for (std::int64_t left = size; left > 0; left -= static_cast<std::int64_t>(kBlock)) {
    block.front() = random();  // No two blocks are alike.
    out.write(reinterpret_cast<const char*>(block.data()),
              static_cast<std::streamsize>(std::min(left, static_cast<std::int64_t>(kBlock))));
  }
  if (!out.flush()) throw std::runtime_error{"cannot write " + file.string()};
}

Parcel ImportShelf::parcel(std::string request, const std::vector<std::string>& paths) {
  Parcel made{.job = JobId{++jobs_}, .fence = 1, .request = std::move(request), .path = {}};
  for (const std::string& path : paths) {
    made.sources.push_back(listed(downloads(), path));
    made.size += made.sources.back().size;
  }
  return made;
}

}  // namespace haul::bench
