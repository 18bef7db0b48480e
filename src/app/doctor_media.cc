// The checks of `haul doctor` on the libraries of films and series, and on the media server.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "app/doctor.h"
#include "sink/library/root_mark.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDownloads = "importer.download_root";

// Links are made only within one mount of one file system.
struct MountId {
  std::uint64_t device = 0;
  std::uint64_t mount = 0;

  bool operator==(const MountId&) const = default;
};
std::optional<MountId> mount_of(const std::string& folder) {
  struct statx about{};
  if (::statx(AT_FDCWD, folder.c_str(), 0, STATX_TYPE | STATX_MNT_ID, &about) != 0)
    return std::nullopt;
  return MountId{.device = (std::uint64_t{about.stx_dev_major} << 32U) | about.stx_dev_minor,
                 .mount = about.stx_mnt_id};
}

// Nothing if haul can write there.
std::optional<cli::Finding> wrong_with(const std::string& key, const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error))
    return cli::Finding{cli::Health::wrong, key, fmt::format("{} does not exist", folder),
                        fmt::format("create it, mount its disk, or set {}", key)};
  if (!fs::is_directory(folder, error))
    return cli::Finding{cli::Health::wrong, key, fmt::format("{} is not a folder", folder),
                        fmt::format("set {} to a folder", key)};
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0)
    return cli::Finding{cli::Health::wrong, key, fmt::format("{} cannot be written", folder),
                        fmt::format("let haul's user write there, or set {}", key)};
  return std::nullopt;
}

cli::Finding downloads_of(const DoctorLibrary& library) {
  const std::string& folder = library.download_root;
  if (folder.empty())
    return {cli::Health::wrong, kDownloads, "not configured: haul cannot import films",
            "set importer.download_root"};
  if (auto wrong = wrong_with(kDownloads, folder)) return *std::move(wrong);
  return {cli::Health::ok, kDownloads, folder};
}

cli::Finding root_of(const DoctorLibrary::Root& root, const DoctorLibrary& found) {
  if (auto wrong = wrong_with(root.key, root.path)) return *std::move(wrong);
  if (library::is_mark_gone(found.root_records, root.path))
    return {cli::Health::wrong, root.key,
            fmt::format("{} lacks the file {}, which haul put there: haul imports nothing into it",
                        root.path, library::kRootMark),
            fmt::format("mount its disk, or create an empty file {} in it", library::kRootMark)};
  const auto downloads = mount_of(found.download_root);
  if (!downloads) return {cli::Health::ok, root.key, root.path};
  if (mount_of(root.path) == downloads)
    return {cli::Health::ok, root.key,
            fmt::format("{}, on the file system of {}", root.path, found.download_root)};
  const std::string detail =
      fmt::format("{} is not on the same mount of a file system as {}: hard links are not possible",
                  root.path, found.download_root);
  if (!found.may_copy)
    return {cli::Health::wrong, root.key, detail,
            "put both below one mount, or add copy to importer.link"};
  return {cli::Health::note, root.key, detail + ", so haul may have to copy files",
          "put both below one mount to save space"};
}

// Whether the server sees the library where haul puts files.
std::optional<cli::Finding> wrong_with_place(const DoctorLibrary::Root& root,
                                             const DoctorServer& server,
                                             const media_server::ServerProbe& probe) {
  const auto theirs = server.paths.there(root.path);
  if (!theirs)
    return cli::Finding{
        cli::Health::wrong, server.name,
        fmt::format("no entry of sink.{}.path_map covers {}", server.name, root.path),
        fmt::format("add the server's folder and this machine's, such as /data={}, or set it to "
                    "[\"identity\"]",
                    root.path)};
  const auto match = media_server::library_of(probe.libraries, *theirs, root.kind);
  if (match.library) return std::nullopt;
  return cli::Finding{
      cli::Health::wrong, server.name,
      fmt::format("no library of {} has the folder {}", probe.product, theirs->string()),
      fmt::format("add the folder to a library there, or check sink.{}.path_map", server.name)};
}

std::string mend_of(const std::string& code, const std::string& name) {
  if (code == "server_unreachable") return fmt::format("start it, or check sink.{}.url", name);
  if (code == "server_refused_token") return fmt::format("check sink.{}.token", name);
  return fmt::format("check sink.{}.url", name);
}

}  // namespace

std::vector<cli::Finding> examine_library(const DoctorLibrary& library) {
  if (library.roots.empty())
    return {{cli::Health::note, "films", "not configured: haul cannot import films",
             "set library.movies.root or library.series.root"}};
  std::vector<cli::Finding> findings{downloads_of(library)};
  for (const DoctorLibrary::Root& root : library.roots) findings.push_back(root_of(root, library));
  return findings;
}

std::vector<cli::Finding> examine_server(const DoctorServer& server, const DoctorLibrary& library) {
  if (server.name.empty()) {
    if (library.roots.empty()) return {};
    return {{cli::Health::ok, "media server",
             "not configured: haul proves files by reading them again"}};
  }
  const auto probe = server.ask();
  if (!probe)
    return {{cli::Health::wrong, server.name,
             fmt::format("{}: {} ({})", server.url, probe.error().detail, probe.error().code),
             mend_of(probe.error().code, server.name)}};
  std::vector<cli::Finding> findings;
  for (const DoctorLibrary::Root& root : library.roots)
    if (auto wrong = wrong_with_place(root, server, *probe)) findings.push_back(*std::move(wrong));
  if (findings.empty())
    findings.push_back(
        {cli::Health::ok, server.name,
         fmt::format("accepts haul at {}, {} {}", server.url, probe->product, probe->version)});
  return findings;
}

}  // namespace haul::app
