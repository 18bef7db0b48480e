#include "cli/commands/output_spool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "base/ensured.h"

namespace haul::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 18U;
constexpr std::string_view kPartEnd = ".part";

std::unexpected<Fault> fault(std::string code, std::string detail) {
  return std::unexpected{Fault{FaultKind::environment, std::move(code), std::move(detail)}};
}

class OpenFile {
 public:
  explicit OpenFile(const fs::path& path) : fd_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  // Zero at the end, and if the file cannot be read.
  std::size_t read(std::span<std::byte> into, std::int64_t at) const {
    const ssize_t got = fd_ < 0 ? 0 : ::pread(fd_, into.data(), into.size(), at);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

 private:
  const int fd_;
};

bool write_all(int output, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(output, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return true;
}

// The part that the file arrives in. Empty if there is none.
fs::path part_in(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{folder, ignored})
    if (entry.path().extension() == kPartEnd) return entry.path();
  return {};
}

class StreamingProgress final : public Progress {
 public:
  StreamingProgress(Progress& shown, OutputSpool& spool) : shown_{shown}, spool_{spool} {}

  void show(const GetView& view, Steady now) override {
    if (view.active.size() == 1) spool_.take(view.active.front().have);
    shown_.show(view, now);
  }
  void ended(std::span<const ItemEnd> items) override { shown_.ended(items); }
  void say(std::string_view line) override { shown_.say(line); }
  void finish(const GetSummary& summary) override { shown_.finish(summary); }

 private:
  Progress& shown_;
  OutputSpool& spool_;
};

}  // namespace

Result<std::unique_ptr<OutputSpool>> OutputSpool::open(const fs::path& temporary, int output) {
  auto hasher = Hasher::of("sha256");
  std::string root = (temporary / "haul-get-XXXXXX").string();
  if (!hasher || ::mkdtemp(root.data()) == nullptr)
    return fault("no_temporary_folder",
                 fmt::format("cannot make a folder in {} (TMPDIR)", temporary.string()));
  return std::unique_ptr<OutputSpool>{new OutputSpool{root, output, *std::move(hasher)}};
}

OutputSpool::OutputSpool(fs::path root, int output, Hasher hasher)
    : root_{std::move(root)}, output_{output}, hasher_{std::move(hasher)} {}

OutputSpool::~OutputSpool() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void OutputSpool::copy(const fs::path& from, std::int64_t end) {
  const OpenFile file{from};
  std::vector<std::byte> block(kBlock);
  while (is_read_ && written_ < end) {
    const auto most = static_cast<std::size_t>(std::min<std::int64_t>(end - written_, kBlock));
    const std::span bytes{block.data(), file.read(std::span{block}.first(most), written_)};
    if (bytes.empty()) return;
    is_read_ = write_all(output_, bytes);
    hasher_.add(bytes);
    written_ += std::ssize(bytes);
  }
}

void OutputSpool::take(std::int64_t have) {
  if (have <= written_) return;
  if (const fs::path part = part_in(folder()); !part.empty()) copy(part, have);
}

Result<void> OutputSpool::finish() {
  if (!is_read_) return fault("output_closed", "cannot write to standard output");
  const fs::path path = folder() / kName;
  const std::int64_t early = written_;
  const auto new_hasher = [] { return ensured(Hasher::of("sha256"), "SHA-256 is there"); };
  Hasher whole = new_hasher();
  const OpenFile file{path};
  std::vector<std::byte> block(kBlock);
  for (std::int64_t at = 0; at < early;) {
    const auto most = static_cast<std::size_t>(std::min<std::int64_t>(early - at, kBlock));
    const std::size_t got = file.read(std::span{block}.first(most), at);
    if (got == 0) break;
    whole.add(std::span{block}.first(got));
    at += static_cast<std::int64_t>(got);
  }
  if (early > 0 && whole.hex() != std::exchange(hasher_, new_hasher()).hex())
    return fault("file_changed",
                 "the server's file changed on the way; the output has bytes of both versions");
  copy(path, std::numeric_limits<std::int64_t>::max());
  if (!is_read_) return fault("output_closed", "cannot write to standard output");
  return {};
}

std::unique_ptr<Progress> streaming_progress(Progress& shown, OutputSpool& spool) {
  return std::make_unique<StreamingProgress>(shown, spool);
}

}  // namespace haul::cli
