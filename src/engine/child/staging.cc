#include "engine/child/staging.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

namespace haul::child {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".haul-";
constexpr const char* kMark = "keeper";
constexpr std::size_t kDepthMax = 8;
constexpr std::size_t kFilesMax = 200'000;

std::unexpected<Fault> refuse(const std::string& what) {
  return std::unexpected{Fault{FaultKind::permanent, "outside_staging", what}};
}

// The components of a path below a folder. Empty if the path is not inside, or too deep.
std::vector<std::string> names_beneath(const fs::path& folder, const fs::path& path) {
  std::vector<std::string> names;
  for (const fs::path& name : path.lexically_normal().lexically_relative(folder)) {
    if (name == ".." || name == "." || name.empty() || names.size() >= kDepthMax) return {};
    names.push_back(name);
  }
  return names;
}

bool is_plain_and_ours(const io::File& file) {
  struct stat seen{};
  if (::fstat(file.descriptor(), &seen) != 0) return false;
  return S_ISREG(seen.st_mode) && seen.st_nlink == 1 && deny_running(file);
}

}  // namespace

bool deny_running(const io::File& file) {
  constexpr mode_t kNoProgram = 0666;
  struct stat seen{};
  return ::fstat(file.descriptor(), &seen) == 0 &&
         ::fchmod(file.descriptor(), seen.st_mode & kNoProgram) == 0;
}

std::string staging_name(const io::PartOwner& owner, std::int64_t number) {
  return fmt::format("{}{}-{}{}", kBegin, io::owner_text(owner), number, kStagingEnd);
}

std::optional<io::PartOwner> owner_of_staging(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kStagingEnd)) return std::nullopt;
  name.remove_prefix(kBegin.size());
  name.remove_suffix(kStagingEnd.size());
  auto owner = io::take_owner(name);
  if (!owner || name.empty() || !io::take_number(name) || !name.empty()) return std::nullopt;
  return owner;
}

Result<Staging> Staging::create(const io::Folder& folder, const io::PartOwner& owner,
                                std::int64_t number) {
  const std::string name = staging_name(owner, number);
  std::error_code error;
  fs::remove_all(folder.held_path() / name, error);
  auto made = folder.make_private(name);
  if (!made) return std::unexpected{made.error()};
  for (const char* each : {"work", "work/out", "work/tmp", "work/home"})
    if (::mkdir((made->held_path() / each).c_str(), 0700) != 0)
      return std::unexpected{io::file_fault(errno, made->path_of(each))};
  return Staging{folder.path() / name, *std::move(made), owner.store};
}

Staging::~Staging() {
  if (path_.empty()) return;
  std::error_code error;
  for (const std::string& name : folder_.names(""))
    if (name != "." && name != "..") fs::remove_all(folder_.held_path() / name, error);
  ::rmdir(path_.c_str());  // Fails if the folder is not empty.
}

std::int64_t Staging::bytes(std::int64_t most) const {
  constexpr std::int64_t kBlock = 512;  // The unit of st_blocks on every file system.
  std::int64_t sum = 0;
  std::size_t files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at{folder_.held_path() / "", error}, end;
       !error && at != end && sum <= most; at.increment(error)) {
    struct stat seen{};
    if (::lstat(at->path().c_str(), &seen) == 0) sum += seen.st_blocks * kBlock;
    if (++files > kFilesMax) return std::numeric_limits<std::int64_t>::max();
  }
  return sum;
}

Result<void> Staging::sign(io::ProcessMark mark) const {
  mark.store = store_;
  std::ofstream file{folder_.held_path() / kMark};
  file << mark.to_text();
  file.flush();
  if (!file) return std::unexpected{Fault{FaultKind::environment, "disk_error", path_.string()}};
  return {};
}

Result<StagedFile> Staging::delivered(const fs::path& path) const {
  const fs::path out = work() / "out";
  std::vector<std::string> names = names_beneath(out, path.is_absolute() ? path : out / path);
  if (names.empty()) return refuse(path.string());
  StagedFile found;
  found.name = names.back();
  names.pop_back();
  auto folder = folder_.open_inside("work", io::Folder::Missing::fault);
  if (folder) folder = folder->open_inside("out", io::Folder::Missing::fault);
  for (const std::string& name : names) {
    if (!folder) break;
    folder = folder->open_inside(name, io::Folder::Missing::fault);
    found.path += name + "/";
  }
  if (!folder) return refuse(path.string());
  auto file = folder->open_file(found.name);
  if (!file || !is_plain_and_ours(*file)) return refuse(path.string());
  found.path += found.name;
  found.folder = std::make_shared<const io::Folder>(*std::move(folder));
  found.file = std::make_shared<io::File>(*std::move(file));
  return found;
}

void remove_staging(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / name;
  std::ifstream file{path / kMark};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const auto owner = owner_of_staging(name);
  const auto mark = io::ProcessMark::from_text(text);
  if (owner && mark && mark->store == owner->store) io::kill_leftovers(*mark);
  std::error_code error;
  fs::remove_all(path, error);
}

}  // namespace haul::child
