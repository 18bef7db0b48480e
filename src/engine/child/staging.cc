#include "engine/child/staging.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

namespace haul {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".haul-";
constexpr const char* kMark = "keeper";
constexpr std::size_t kDepthMax = 8;
constexpr std::size_t kFilesMax = 200'000;

std::unexpected<Fault> refuse(const std::string& what) {
  return std::unexpected{Fault{FaultKind::permanent, "outside_staging", what}};
}

// The names on the way from one folder into another; empty if it does not lead inside.
std::vector<std::string> names_beneath(const fs::path& folder, const fs::path& path) {
  std::vector<std::string> names;
  for (const fs::path& name : path.lexically_normal().lexically_relative(folder)) {
    if (name == ".." || name == "." || name.empty() || names.size() >= kDepthMax) return {};
    names.push_back(name);
  }
  return names;
}

bool is_plain_and_ours(const File& file) {
  struct stat seen{};
  if (::fstat(file.descriptor(), &seen) != 0) return false;
  if (!S_ISREG(seen.st_mode) || seen.st_nlink != 1) return false;
  constexpr mode_t kNoProgram = 0666;
  return ::fchmod(file.descriptor(), seen.st_mode & kNoProgram) == 0;
}

}  // namespace

std::string staging_name(const PartOwner& owner, std::int64_t number) {
  return fmt::format("{}{}-{}-{}-{}{}", kBegin, owner.job.value, owner.item, owner.fence, number,
                     kStagingEnd);
}

std::optional<PartOwner> owner_of_staging(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kStagingEnd)) return std::nullopt;
  name.remove_prefix(kBegin.size());
  name.remove_suffix(kStagingEnd.size());
  std::vector<std::int64_t> numbers;
  while (!name.empty()) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || number < 0) return std::nullopt;
    numbers.push_back(number);
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (name.empty()) break;
    if (name.front() != '-' || name.size() == 1) return std::nullopt;
    name.remove_prefix(1);
  }
  if (numbers.size() != 4) return std::nullopt;
  return PartOwner{JobId{numbers[0]}, numbers[1], numbers[2]};
}

Result<Staging> Staging::create(const Folder& folder, const PartOwner& owner, std::int64_t number) {
  const fs::path path = folder.path() / staging_name(owner, number);
  std::error_code error;
  fs::remove_all(path, error);
  for (const fs::path& each :
       {path, path / "work", path / "work/out", path / "work/tmp", path / "work/home"})
    if (::mkdir(each.c_str(), 0700) != 0) return std::unexpected{file_fault(errno, each.string())};
  return Staging{path};
}

Staging::~Staging() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

std::int64_t Staging::bytes(std::int64_t most) const {
  constexpr std::int64_t kBlock = 512;  // Of st_blocks, on every file system.
  std::int64_t sum = 0;
  std::size_t files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at{path_, error}, end; !error && at != end && sum <= most;
       at.increment(error)) {
    struct stat seen{};
    if (::lstat(at->path().c_str(), &seen) == 0) sum += seen.st_blocks * kBlock;
    if (++files > kFilesMax) return std::numeric_limits<std::int64_t>::max();
  }
  return sum;
}

Result<void> Staging::sign(const ProcessMark& mark) const {
  std::ofstream file{path_ / kMark};
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
  auto folder = Folder::open(out, Folder::Missing::fault);
  for (const std::string& name : names) {
    if (!folder) break;
    folder = folder->open_inside(name, Folder::Missing::fault);
    found.path += name + "/";
  }
  if (!folder) return refuse(path.string());
  auto file = folder->open_file(found.name);
  if (!file || !is_plain_and_ours(*file)) return refuse(path.string());
  found.path += found.name;
  found.folder = std::make_shared<const Folder>(*std::move(folder));
  found.file = std::make_shared<File>(*std::move(file));
  return found;
}

void remove_staging(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / name;
  std::ifstream file{path / kMark};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (const auto mark = ProcessMark::from_text(text)) end_survivors(*mark);
  std::error_code error;
  fs::remove_all(path, error);
}

}  // namespace haul
