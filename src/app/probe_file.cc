#include "app/probe_file.h"

#include <fmt/core.h>

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "base/secret.h"

namespace haul::app {
namespace {

constexpr std::string_view kContent = "haul doctor paths wrote this file and removes it.\n";

}  // namespace

ProbeFile::ProbeFile(io::Folder folder, std::string name)
    : folder_{std::move(folder)}, name_{std::move(name)} {}

ProbeFile::~ProbeFile() {
  if (is_made_) folder_.remove(name_);
}

Result<std::unique_ptr<ProbeFile>> ProbeFile::make(const std::filesystem::path& folder) {
  auto opened = io::Folder::open(folder, io::Folder::Missing::fault);
  if (!opened) return std::unexpected{opened.error()};
  const std::string name = fmt::format("haul-probe-{}.txt", random_base62(12));
  auto probe = std::make_unique<ProbeFile>(*std::move(opened), name);
  if (const auto written = probe->write(); !written) return std::unexpected{written.error()};
  if (const auto read = probe->read(); !read) return std::unexpected{read.error()};
  return probe;
}

// Flushes it: a program on another machine sees what has reached the server of the disk.
Result<void> ProbeFile::write() {
  auto file = folder_.create(name_);
  if (!file) return std::unexpected{file.error()};
  is_made_ = true;
  if (auto written = file->write_at(std::as_bytes(std::span{kContent}), 0); !written)
    return written;
  if (auto flushed = file->flush(); !flushed) return flushed;
  return folder_.flush();
}

Result<void> ProbeFile::read() const {
  const auto again = io::Folder::open(folder_.path(), io::Folder::Missing::fault);
  if (!again) return std::unexpected{again.error()};
  const auto file = again->open_file(name_);
  if (!file) return std::unexpected{file.error()};
  std::array<std::byte, kContent.size() + 1> bytes{};
  const auto size = file->read_at(bytes, 0);
  if (!size) return std::unexpected{size.error()};
  const std::string_view content{reinterpret_cast<const char*>(bytes.data()), *size};
  if (content == kContent) return {};
  return std::unexpected{
      Fault{FaultKind::environment, "disk_error", "a file that was just written differs"}};
}

}  // namespace haul::app
