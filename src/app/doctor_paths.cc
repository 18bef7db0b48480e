#include "app/doctor_paths.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "app/probe_file.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;
using cli::Finding;
using cli::Health;

Finding about(Health health, const SettingLine& line, std::string detail, std::string mend = {}) {
  return {.health = health,
          .what = line.key,
          .detail = std::move(detail),
          .mend = std::move(mend),
          .setting = line.key,
          .at = line.from};
}

bool is_in(const fs::path& path, const fs::path& folder) {
  return path == folder || is_inside(path, folder);
}

// One file per folder, however many programs are asked for it.
class Probes {
 public:
  // Null if haul cannot write there; why() says why.
  const ProbeFile* in(const std::string& folder) {
    const auto found = made_.find(folder);
    const auto& probe =
        (found == made_.end() ? made_.emplace(folder, ProbeFile::make(folder)).first : found)
            ->second;
    return probe ? probe->get() : nullptr;
  }
  std::string why(const std::string& folder) {
    if (in(folder)) return {};
    return made_.at(folder).error().detail;
  }

 private:
  std::map<std::string, Result<std::unique_ptr<ProbeFile>>> made_;
};

// A folder of this machine, and what the program calls it.
struct MappedFolder {
  std::string ours;
  std::string theirs;

  std::string text() const { return fmt::format("{}={}", theirs, ours); }
};

Finding disk(const PathsFolder& folder, Probes& probes) {
  if (probes.in(folder.path))
    return about(Health::ok, folder.line,
                 fmt::format("haul writes and reads files in {}", folder.path));
  return about(
      Health::wrong, folder.line,
      fmt::format("haul cannot write a file to {}: {}", folder.path, probes.why(folder.path)),
      fmt::format("create it, mount its disk, let haul's user write there, or set {}",
                  folder.line.key));
}

// Why the program could not be asked, or that it has no such folder.
Finding not_listed(const PathsProgram& program, const MappedFolder& folder, const Fault& fault) {
  if (fault.code == "no_such_folder")
    return about(
        Health::wrong, program.map,
        fmt::format("\"{}\": {} has no folder {}", folder.text(), program.name, folder.theirs),
        fmt::format("correct the left side, the folder as {} sees it", program.name));
  if (fault.kind == FaultKind::permanent)
    return about(Health::note, program.map,
                 fmt::format("\"{}\": not proven with a file: {}", folder.text(), fault.detail));
  return about(Health::wrong, program.url,
               fmt::format("{} was asked for {}: {}", program.name, folder.theirs, fault.detail),
               fmt::format("check {}", program.url.key));
}

// Whether the program sees in its folder the file that haul wrote to this one.
Finding prove(const PathsProgram& program, const MappedFolder& folder, Probes& probes) {
  const ProbeFile* probe = probes.in(folder.ours);
  if (!probe)
    return about(Health::note, program.map,
                 fmt::format("\"{}\": not proven, because haul cannot write to {}: {}",
                             folder.text(), folder.ours, probes.why(folder.ours)));
  const auto names = program.list(folder.theirs);
  if (!names) return not_listed(program, folder, names.error());
  if (std::ranges::find(*names, probe->name()) != names->end())
    return about(Health::ok, program.map,
                 fmt::format("\"{}\": {} sees haul's file there", folder.text(), program.name));
  return about(Health::wrong, program.map,
               fmt::format("\"{}\": {} does not see in {} the file that haul wrote to {}",
                           folder.text(), program.name, folder.theirs, folder.ours),
               fmt::format("these are two folders: set the left side to the folder as {} sees it, "
                           "and the right side to the same folder on this machine",
                           program.name));
}

// What each entry of the client's map is proven with: the download root if the entry has it, or
// else the entry's own folder.
std::vector<MappedFolder> folders_of(const PathMap& map, const std::string& downloads) {
  if (map.is_identity()) return {{.ours = downloads, .theirs = downloads}};
  std::vector<MappedFolder> folders;
  for (const PathMap::Entry& entry : map.entries()) {
    const fs::path ours = is_in(downloads, entry.ours) ? fs::path{downloads} : entry.ours;
    const fs::path theirs =
        ours == entry.ours ? entry.theirs : entry.theirs / ours.lexically_relative(entry.ours);
    folders.push_back({.ours = ours.string(), .theirs = theirs.string()});
  }
  return folders;
}

// Whether finished downloads come to lie in the download root.
Finding saved(const PathsProgram& program, const PathsFolder& downloads,
              const std::string& save_path) {
  const auto here = program.paths.here(save_path);
  if (!here)
    return about(Health::wrong, program.map,
                 fmt::format("no entry covers {}, where {} puts finished downloads", save_path,
                             program.name),
                 fmt::format("add \"{}={}\", or [\"identity\"] if both see the same paths",
                             save_path, downloads.path));
  if (!is_in(*here, downloads.path))
    return about(Health::wrong, downloads.line,
                 fmt::format("{} puts finished downloads into {}, which is {} on this machine and "
                             "not in {}",
                             program.name, save_path, here->string(), downloads.path),
                 fmt::format("set {} to {}, or correct {}", downloads.line.key, here->string(),
                             program.map.key));
  return about(Health::ok, program.map,
               fmt::format("{} puts finished downloads into {}, which is {} on this machine",
                           program.name, save_path, here->string()));
}

std::vector<Finding> examine_client_paths(const PathsClient& client, const PathsFolder& downloads,
                                          Probes& probes) {
  const PathsProgram& program = client.program;
  if (!program.paths.is_identity() && program.paths.entries().empty())
    return {about(Health::wrong, program.map,
                  fmt::format("not set: haul takes no path of {} for one of its own", program.name),
                  fmt::format("add \"/downloads={}\" ({}'s folder = this machine's), or "
                              "[\"identity\"] if both see the same paths",
                              downloads.path, program.name))};
  const auto save_path = client.save_path();
  if (!save_path)
    return {about(Health::wrong, program.url, save_path.error().detail,
                  fmt::format("check {}; haul doctor says more", program.url.key))};
  std::vector<Finding> findings{saved(program, downloads, *save_path)};
  for (const MappedFolder& folder : folders_of(program.paths, downloads.path))
    findings.push_back(prove(program, folder, probes));
  return findings;
}

Finding examine_library_path(const PathsProgram& program, const PathsFolder& library,
                             const media_server::ServerProbe& seen, Probes& probes) {
  const auto theirs = program.paths.there(library.path);
  if (!theirs)
    return about(Health::wrong, program.map,
                 fmt::format("no entry covers {} ({})", library.path, library.line.key),
                 fmt::format("add \"/data={}\" ({}'s folder = this machine's), or [\"identity\"] "
                             "if both see the same paths",
                             library.path, program.name));
  const MappedFolder folder{.ours = library.path, .theirs = theirs->string()};
  if (!media_server::library_of(seen.libraries, *theirs, library.kind).library)
    return about(
        Health::wrong, program.map,
        fmt::format("\"{}\": no library of {} has {}", folder.text(), program.name, folder.theirs),
        fmt::format("correct the entry, or add {} to a library of {}", folder.theirs,
                    program.name));
  Finding proof = prove(program, folder, probes);
  if (proof.health == Health::note)
    proof.detail += fmt::format("; {} has a library with this folder", program.name);
  return proof;
}

std::vector<Finding> examine_server_paths(const PathsServer& server,
                                          const std::vector<PathsFolder>& libraries,
                                          Probes& probes) {
  const PathsProgram& program = server.program;
  const auto seen = server.ask();
  if (!seen)
    return {about(Health::wrong, program.url, seen.error().detail,
                  fmt::format("check {}; haul doctor says more", program.url.key))};
  std::vector<Finding> findings;
  findings.reserve(libraries.size());
  for (const PathsFolder& library : libraries)
    findings.push_back(examine_library_path(program, library, *seen, probes));
  return findings;
}

}  // namespace

std::vector<Finding> examine_paths(const DoctorPaths& paths) {
  if (paths.libraries.empty() || !paths.downloads)
    return {{Health::note, "films", "not configured: there are no paths to prove",
             "set importer.download_root, and library.movies.root or library.series.root"}};
  Probes probes;
  std::vector<Finding> all{disk(*paths.downloads, probes)};
  const auto add = [&all](std::vector<Finding> findings) {
    for (Finding& finding : findings) all.push_back(std::move(finding));
  };
  for (const PathsFolder& library : paths.libraries) all.push_back(disk(library, probes));
  if (paths.client)
    add(examine_client_paths(*paths.client, *paths.downloads, probes));
  else
    all.push_back({Health::note, "qbittorrent", "not configured: films come over HTTP alone",
                   "set engine.qbittorrent.url"});
  if (paths.server)
    add(examine_server_paths(*paths.server, paths.libraries, probes));
  else
    all.push_back(
        {Health::ok, "media server", "not configured: haul proves files by reading them again"});
  return all;
}

}  // namespace haul::app
