#include "sink/library/import_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/size.h"
#include "base/text.h"
#include "io/file/filled_part.h"
#include "io/file/lander.h"
#include "sink/library/source.h"

namespace haul::library {
namespace {

constexpr int kTriesMax = 3;  // Another program may take the name while the file is copied.
constexpr std::string_view kAdopted = "adopted";
constexpr std::pair<ImportBy, std::string_view> kNames[] = {
    {ImportBy::reflink, "reflink"}, {ImportBy::hardlink, "hardlink"}, {ImportBy::copy, "copy"}};

class OneImport {
 public:
  OneImport(const ImportEnv& env, const FileToImport& file, const io::CopyWatch& watch)
      : env_{env}, file_{file}, watch_{watch}, folder_{*file.folder.folder} {}

  Result<LandedFile> run() {
    auto source = open_source(file_.source);
    if (!source) return std::unexpected{source.error()};
    source_ = *std::move(source);
    for (int tries = 0; tries < kTriesMax; ++tries) {
      if (watch_.stop.stop_requested()) return stopped();
      const auto there = io::seen_in(file_.folder.fd, file_.name);
      if (there) return adopt(*there);
      auto placed = place();
      if (placed || placed.error().code != "name_taken") return placed;
    }
    return taken("another program adds and removes it");
  }

 private:
  static std::unexpected<Fault> stopped() {
    return std::unexpected{Fault{FaultKind::cancelled, "stopped", "the import was stopped"}};
  }

  std::unexpected<Fault> taken(const std::string& why) const {
    return std::unexpected{Fault{
        FaultKind::environment, "destination_taken",
        fmt::format("{} exists and is another file: {}. haul replaces no file: move or delete "
                    "it, or import under another name",
                    printable(folder_.path_of(file_.name)), why)}};
  }

  LandedFile landed(std::string_view how, std::string sha256 = {}) const {
    return {.path = folder_.path_of(file_.name),
            .size = file_.source.size,
            .source = file_.source.path,
            .how = std::string{how},
            .sha256 = std::move(sha256)};
  }

  // F44, F29: an earlier import has put the file there, or another program the same bytes.
  Result<LandedFile> adopt(const io::EntrySeen& there) const {
    if (there.is != io::EntrySeen::Is::file) return taken("it is no regular file");
    if (there.size != file_.source.size)
      return taken(fmt::format("it has {}, the download {}", size_text(there.size),
                               size_text(file_.source.size)));
    auto file = io::open_file_beneath(file_.folder.fd, file_.name, io::Mounts::cross);
    if (!file) return std::unexpected{file.error()};
    std::string sha256;
    if (!io::is_same_file(io::seen_of(*file), io::seen_of(source_))) {
      const auto theirs = env_.hashes.of(*file, {.stop = watch_.stop});
      if (!theirs) return std::unexpected{theirs.error()};
      const auto ours = env_.hashes.of(source_, watch_without_room());
      if (!ours) return std::unexpected{ours.error()};
      if (*theirs != *ours) return taken("it has the size of the download, but other bytes");
      sha256 = *ours;
    }
    if (auto flushed = file->flush_with_names(); !flushed) return std::unexpected{flushed.error()};
    return landed(kAdopted, std::move(sha256));
  }

  io::CopyWatch watch_without_room() const {
    return {.stop = watch_.stop, .progress = watch_.progress};
  }

  Result<LandedFile> place() {
    std::string refusals;
    for (const ImportBy by : env_.methods) {
      auto placed = place_by(by);
      if (placed || placed.error().code != "not_supported") return placed;
      refusals +=
          fmt::format("{}{}: {}", refusals.empty() ? "" : "; ", name_of(by), placed.error().detail);
    }
    return std::unexpected{
        Fault{FaultKind::environment, "cannot_link",
              fmt::format("the file system refuses to import {}: {}. Put downloads and library on "
                          "one file system, or allow \"copy\"",
                          shown_source(file_.source), refusals)}};
  }

  Result<LandedFile> place_by(ImportBy by) {
    switch (by) {
      case ImportBy::hardlink:
        return hardlink();
      case ImportBy::reflink:
      case ImportBy::copy:
        return through_part(by);
    }
    return std::unexpected{Fault{}};  // Not reached: the switch is complete.
  }

  // The new name is the last step, and the file is whole: it needs no part. The client may not have
  // flushed its bytes.
  Result<LandedFile> hardlink() const {
    const io::FlushOrder order = io::flush_order(folder_.journal(), io::NamedAs::nothing);
    auto flushed = order == io::FlushOrder::before ? source_.flush() : source_.write_out();
    if (!flushed) return std::unexpected{flushed.error()};
    if (auto linked = folder_.name(source_, file_.name); !linked) {
      const Fault& fault = linked.error();
      const bool is_refused = fault.code == "file_error" || fault.code == "no_permission";
      return std::unexpected{
          is_refused ? Fault{FaultKind::environment, "not_supported", fault.detail} : fault};
    }
    if (order == io::FlushOrder::after) flushed = source_.flush_with_names();
    if (!flushed) return std::unexpected{flushed.error()};
    return landed(name_of(ImportBy::hardlink));
  }

  // The hash of what was copied.
  Result<std::string> copy_to(io::File& part) const {
    io::Room room{env_.space.of(file_.folder.folder)};
    if (auto enough = room.reserve(file_.source.size, env_.clock.steady()); !enough)
      return std::unexpected{enough.error()};
    io::CopyWatch watch = watch_without_room();
    watch.take_room = [&](std::int64_t bytes) { return room.take(bytes, env_.clock.steady()); };
    const io::EntrySeen before = io::seen_of(source_);
    auto copied = io::copy_bytes(source_, part, watch);
    if (!copied) return std::unexpected{copied.error()};
    if (io::seen_of(source_) == before) env_.hashes.remember(before, copied->sha256);
    return copied->sha256;
  }

  Result<LandedFile> through_part(ImportBy by) {
    std::string sha256;
    const auto fill = [&](io::File& part) -> Result<void> {
      if (by == ImportBy::reflink) return io::clone_bytes(source_, part);
      auto copied = copy_to(part);
      if (!copied) return std::unexpected{copied.error()};
      sha256 = *std::move(copied);
      return {};
    };
    const auto placed =
        io::place_filled_part({.folder = folder_, .name = file_.name, .owner = file_.owner}, fill);
    if (!placed) return std::unexpected{placed.error()};
    return landed(name_of(by), std::move(sha256));
  }

  const ImportEnv& env_;
  const FileToImport& file_;
  const io::CopyWatch& watch_;
  const io::Folder& folder_;
  io::File source_;
};

}  // namespace

std::string_view name_of(ImportBy by) {
  return std::ranges::find(kNames, by, &std::pair<ImportBy, std::string_view>::first)->second;
}

std::optional<ImportBy> read_import_by(std::string_view name) {
  const auto* found =
      std::ranges::find(kNames, name, &std::pair<ImportBy, std::string_view>::second);
  return found == std::end(kNames) ? std::nullopt : std::optional{found->first};
}

Result<LandedFile> import_file(const ImportEnv& env, const FileToImport& file,
                               const io::CopyWatch& watch) {
  ensure(!env.methods.empty(), "an import has a method");
  return OneImport{env, file, watch}.run();
}

}  // namespace haul::library
