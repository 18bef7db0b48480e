#include "sink/library/import_parcel.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/ensure.h"
#include "base/json.h"

namespace haul::library {
namespace {

// What a person has said by hand, if the request has it: a list such as ["a.mkv=S01E02"].
std::vector<ImportOverride> overrides_of(const std::string& request) {
  std::vector<ImportOverride> said;
  const auto fields = read_object(request);
  if (!fields) return said;
  const auto field = std::ranges::find(*fields, "import_as", &JsonField::name);
  const auto list =
      field == fields->end() ? Result<std::vector<std::string>>{} : read_array(field->json);
  if (list)
    for (const std::string& text : *list) said.push_back(read_override(text));
  return said;
}

// A refusal waits for a person, and costs no attempt.
Fault fault_of(const ImportRefusal& refusal) {
  return {
      FaultKind::environment, refusal.code,
      refusal.fix.empty() ? refusal.detail : fmt::format("{}: {}", refusal.detail, refusal.fix)};
}

Result<ImportPlan> plan_of(const ParcelEnv& env, const Parcel& parcel) {
  const auto request = read_import_request(parcel.request);
  if (!request) return std::unexpected{request.error()};
  std::vector<ImportFile> files;
  files.reserve(parcel.sources.size());
  for (const SourceFile& source : parcel.sources)
    files.push_back({.path = source.path, .size = source.size});
  auto plan = plan_import(*request, files, env.templates, overrides_of(parcel.request));
  if (!plan) return std::unexpected{fault_of(plan.error())};
  return *std::move(plan);
}

class OneParcel {
 public:
  OneParcel(const ParcelEnv& env, const Parcel& parcel, const std::stop_token& stop,
            const TellProgress& tell)
      : env_{env},
        parcel_{parcel},
        stop_{stop},
        tell_{tell},
        folders_{{.store = env.store, .job = parcel.job, .item = 0, .fence = parcel.fence}} {
    for (const SourceFile& source : parcel.sources) sources_.emplace(source.path, &source);
  }

  ParcelImport run() {
    ParcelImport done;
    const auto plan = plan_of(env_, parcel_);
    if (!plan) {
      done.fault = plan.error();
      return done;
    }
    for (const PlannedFile& file : plan->files) progress_.size += file.size;
    for (const PlannedFile& file : plan->files) {
      auto landed = import_one(*plan, file, std::ssize(done.files) + 1);
      if (!landed) {
        done.fault = landed.error();
        break;
      }
      done.files.push_back(*std::move(landed));
      before_ += file.size;
    }
    // Also after a fault: what is there was put there for good.
    if (auto flushed = folders_.flush(); !flushed && !done.fault) done.fault = flushed.error();
    return done;
  }

 private:
  Result<LandedFile> import_one(const ImportPlan& plan, const PlannedFile& file,
                                std::int64_t item) {
    const LibraryRoot& root = env_.roots.of(plan.kind);
    if (root.path.empty())
      return std::unexpected{
          Fault{FaultKind::environment, "no_library", fmt::format("configure {}", root.key)}};
    const auto source = sources_.find(file.source);
    ensure(source != sources_.end(), "a plan names files of the download");
    const io::SplitPath target = io::split_path(file.target);
    const auto folder = folders_.open(root.path, target.folder);
    if (!folder) return std::unexpected{folder.error()};
    const FileToImport task{
        .source = *source->second,
        .folder = **folder,
        .name = target.name,
        .owner = {.store = env_.store, .job = parcel_.job, .item = item, .fence = parcel_.fence}};
    return import_file(env_.import, task, {.stop = stop_, .progress = [this](std::int64_t done) {
                                             progress_.have = before_ + done;
                                             tell_(progress_);
                                           }});
  }

  const ParcelEnv& env_;
  const Parcel& parcel_;
  const std::stop_token& stop_;
  const TellProgress& tell_;
  LibraryFolders folders_;
  std::map<std::string, const SourceFile*> sources_;
  std::int64_t before_ = 0;  // Bytes of the files that are in their places.
  ParcelProgress progress_;
};

}  // namespace

ParcelImport import_parcel(const ParcelEnv& env, const Parcel& parcel, const std::stop_token& stop,
                           const TellProgress& tell) {
  return OneParcel{env, parcel, stop, tell}.run();
}

}  // namespace haul::library
