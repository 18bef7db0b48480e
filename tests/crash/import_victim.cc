// A process to be killed: imports a season pack into a library, proves it and removes its sources,
// as haul does for a film. What haul's store would remember is in two small files. Run again, it
// goes on. Prints the outcome of the clean, or the fault that it ended with.
//
// haul_import_victim STORE DOWNLOADS SERIES reflink|hardlink|copy deleting|trashing FENCE

#include "crash/import_victim.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "io/file/entries.h"
#include "sink/library/clean.h"
#include "sink/library/import_parcel.h"
#include "sink/library/proof.h"

namespace haul::testing {
namespace {

constexpr std::size_t kEvidenceMax = std::size_t{1} << 20U;

class Victim {
 public:
  explicit Victim(const std::vector<std::string>& words)
      : store_{io::open_root(words.at(0)).value()},
        records_{std::filesystem::path{words.at(0)} / "roots"},
        methods_{library::read_import_by(words.at(3)).value()},
        clean_{.by = words.at(4) == "trashing" ? library::CleanBy::trashing
                                               : library::CleanBy::deleting,
               .store = kPackStore,
               .clock = system_clock(),
               .hashes = hashes_,
               .library_roots = {words.at(2)},
               .root_records = records_,
               .download_roots = {words.at(1)}} {
    roots_.series.path = words.at(2);
    parcel_.job = JobId{1};
    parcel_.fence = std::stoll(words.at(5));
    parcel_.request = kPackRequest;
    parcel_.sources = read_manifest(words.at(0), words.at(1));
  }

  Result<std::string> run() {
    if (auto landed = land(); !landed) return std::unexpected{landed.error()};
    if (auto proven = prove(); !proven) return std::unexpected{proven.error()};
    const library::CleanEnd end =
        library::clean_sources(clean_,
                               {.job = parcel_.job,
                                .sources = parcel_.sources,
                                .placed = parcel_.placed,
                                .evidence = parcel_.evidence},
                               {}, [](const std::vector<CleanedFile>&) {});
    if (end.fault) return std::unexpected{*end.fault};
    return end.outcome;
  }

 private:
  // What is stored as landed is not imported again.
  Result<void> land() {
    const std::string name = kLandedFile;
    auto stored = io::read_own_file({store_, name}, kEvidenceMax);
    if (!stored) {
      const library::ImportEnv import{
          .methods = methods_, .space = space_, .clock = system_clock(), .hashes = hashes_};
      const std::string store = kPackStore;
      const library::ParcelEnv env{.import = import,
                                   .roots = roots_,
                                   .templates = templates_,
                                   .store = store,
                                   .records = records_};
      const library::ParcelImport done = library::import_parcel(
          env, parcel_, std::stop_token{}, [](const library::ParcelProgress&) {});
      if (done.fault) return std::unexpected{*done.fault};
      stored = library::evidence_json(done.files);
      if (auto kept = io::write_own_file({store_, name}, *stored); !kept) return kept;
    }
    parcel_.evidence = *std::move(stored);
    for (const library::LandedFile& file : library::read_evidence(parcel_.evidence))
      parcel_.placed.push_back({file.path, file.size});
    return {};
  }

  Result<void> prove() {
    Parcel asked = parcel_;
    asked.sources.clear();
    const What answer = library::prove_by_reading(asked, hashes_, std::stop_token{},
                                                  [](const library::ParcelProgress&) {});
    const auto* indexed = std::get_if<Indexed>(&answer);
    if (indexed && indexed->files == parcel_.placed && !parcel_.placed.empty()) return {};
    return std::unexpected{Fault{FaultKind::permanent, "not_proven", "the library lacks a file"}};
  }

  const io::Descriptor store_;
  const std::filesystem::path records_;  // Which roots haul has marked.
  const std::vector<library::ImportBy> methods_;
  io::DiskSpace space_{io::KeepFree{0}};
  library::KnownHashes hashes_;
  library::LibraryRoots roots_;
  const library::ImportTemplates templates_ = library::default_templates();
  const library::CleanEnv clean_;
  Parcel parcel_;
};

}  // namespace
}  // namespace haul::testing

int main(int argc, char** argv) {
  using namespace haul::testing;
  if (argc != 7) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Dies with its parent, also when that is a tracer.
  Victim victim{{argv + 1, argv + argc}};
  (void)::access(kVictimBegins, F_OK);
  const auto outcome = victim.run();
  if (!outcome) fmt::print("{}: {}", outcome.error().code, outcome.error().detail);
  if (outcome) fmt::print("{}", *outcome);
  return outcome ? 0 : 1;
}
