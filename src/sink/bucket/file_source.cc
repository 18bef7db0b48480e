#include "sink/bucket/file_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/ensured.h"
#include "io/file/beneath.h"

namespace haul::bucket {
namespace {

Hasher new_sha256() { return ensured(Hasher::of("sha256"), "SHA-256 is there"); }

io::HttpSource::Given changed() {
  return {.is = io::HttpSource::Given::Is::failed,
          .fault = {FaultKind::retryable, "staged_changed", "the staged file has other bytes"}};
}

}  // namespace

FileSource::FileSource(io::File file, std::int64_t size, std::string sha256)
    : file_{std::move(file)}, size_{size}, sha256_{std::move(sha256)}, hasher_{new_sha256()} {}

io::HttpSource::Given FileSource::read(std::span<std::byte> into) {
  if (at_ == size_) return {.is = Given::Is::end};
  const auto most = static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(into), size_ - at_));
  const auto got = file_.read_at(into.first(most), at_);
  if (!got) return {.is = Given::Is::failed, .fault = got.error()};
  if (*got == 0) return changed();
  hasher_.add(into.first(*got));
  at_ += static_cast<std::int64_t>(*got);
  if (at_ == size_ && hasher_.hex() != sha256_) return changed();
  return {.is = Given::Is::more, .size = *got};
}

Result<io::File> open_staged(const std::string& path) {
  const std::filesystem::path whole{path};
  const auto folder = io::open_root(whole.parent_path());
  auto file = folder ? io::open_file_beneath(*folder, whole.filename().string(), io::Mounts::cross)
                     : Result<io::File>{std::unexpected{folder.error()}};
  if (file) return file;
  const std::string& code = file.error().code;
  if (code == "not_found" || code == "folder_gone" || code == "not_a_file")
    return std::unexpected{
        Fault{FaultKind::retryable, "staged_gone", fmt::format("{} is gone", path)}};
  return file;
}

}  // namespace haul::bucket
