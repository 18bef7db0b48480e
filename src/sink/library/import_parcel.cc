#include "sink/library/import_parcel.h"

#include <fmt/core.h>

#include <expected>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/ensure.h"
#include "sink/library/episode_plan.h"

namespace haul::library {
namespace {

// A refusal waits for a person, and costs no attempt.
Fault fault_of(const ImportRefusal& refusal, JobId job) {
  const std::string fix = fix_for(refusal, job);
  return {FaultKind::environment, refusal.code,
          fix.empty() ? refusal.detail : fmt::format("{}: {}", refusal.detail, fix)};
}

// The plan of the import and of its preview.
std::expected<ImportPlan, ImportRefusal> plan_of(const ParcelEnv& env, const ImportRequest& request,
                                                 const Parcel& parcel) {
  std::vector<ImportFile> files;
  files.reserve(parcel.sources.size());
  for (const SourceFile& source : parcel.sources)
    files.push_back({.path = source.path, .size = source.size});
  auto plan = plan_import(request, files, env.templates, parcel.by_hand);
  if (!plan) return plan;
  const LibraryRoot& root = env.roots.of(plan->kind);
  if (root.path.empty())
    return std::unexpected{ImportRefusal{"no_library", fmt::format("configure {}", root.key), ""}};
  return plan;
}

ImportPreview problem_of(const ImportRefusal& refusal, const Parcel& parcel) {
  ImportPreview preview{.problem = ImportProblem{.code = refusal.code,
                                                 .detail = refusal.detail,
                                                 .fix = fix_for(refusal, parcel.job)}};
  for (const SourceFile& source : parcel.sources)
    preview.files.push_back({.source = source.path, .target = {}, .how = {}, .size = source.size});
  return preview;
}

// "reflink, hardlink or copy": a method is tried if the file system refuses those before it.
std::string text_of(std::span<const ImportBy> methods) {
  std::string text;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const bool is_last = i + 1 == methods.size();
    text += i == 0 ? "" : is_last ? " or " : ", ";
    text += name_of(methods[i]);
  }
  return text;
}

// A file that is there already, and cannot be the download's: its size differs. If haul cannot see
// it, the import says why.
std::string reason_against(const std::filesystem::path& target, std::int64_t size) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(target, error);
  if (error || !std::filesystem::exists(status)) return {};
  if (std::filesystem::is_regular_file(status)) {
    const auto there = std::filesystem::file_size(target, error);
    if (error || std::cmp_equal(there, size)) return {};
  }
  return "destination_taken";
}

ImportPreview preview_of(const ParcelEnv& env, const Parcel& parcel, const ImportPlan& plan) {
  ImportPreview preview;
  const std::string how = text_of(env.import.methods);
  const std::filesystem::path& root = env.roots.of(plan.kind).path;
  for (const PlannedFile& file : plan.files) {
    const std::filesystem::path target = root / file.target;
    preview.files.push_back({.source = file.source,
                             .target = target.string(),
                             .how = how,
                             .size = file.size,
                             .reason = reason_against(target, file.size)});
  }
  std::map<std::string_view, std::int64_t> sizes;
  for (const SourceFile& source : parcel.sources) sizes.emplace(source.path, source.size);
  for (const SkippedFile& file : plan.skipped)
    preview.files.push_back({.source = file.path,
                             .target = {},
                             .how = "skip",
                             .size = sizes.at(file.path),
                             .reason = std::string{file.reason}});
  return preview;
}

class OneParcel {
 public:
  OneParcel(const ParcelEnv& env, const Parcel& parcel, const std::stop_token& stop,
            const TellProgress& tell)
      : env_{env},
        parcel_{parcel},
        stop_{stop},
        tell_{tell},
        folders_{{.store = env.store, .job = parcel.job, .item = 0, .fence = parcel.fence},
                 env.records} {
    for (const SourceFile& source : parcel.sources) sources_.emplace(source.path, &source);
  }

  ParcelImport run() {
    const auto request = read_import_request(parcel_.request);
    if (!request) return {.files = {}, .fault = request.error()};
    const auto plan = plan_of(env_, *request, parcel_);
    if (!plan) return {.files = {}, .fault = fault_of(plan.error(), parcel_.job)};
    ParcelImport done;
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
    const auto source = sources_.find(file.source);
    ensure(source != sources_.end(), "a plan names files of the download");
    const io::SplitPath target = io::split_path(file.target);
    const auto folder = folders_.open(env_.roots.of(plan.kind).path, target.folder);
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

ImportPreview preview_parcel(const ParcelEnv& env, const Parcel& parcel) {
  const auto request = read_import_request(parcel.request);
  if (!request) return problem_of({request.error().code, request.error().detail, ""}, parcel);
  if (parcel.sources.empty()) {
    if (const auto refusal = HandSaid::check(parcel.by_hand)) return problem_of(*refusal, parcel);
    return problem_of({kFilesUnknown, "the download is not complete, so its files are not known",
                       "Ask again when it is complete."},
                      parcel);
  }
  const auto plan = plan_of(env, *request, parcel);
  return plan ? preview_of(env, parcel, *plan) : problem_of(plan.error(), parcel);
}

ParcelImport import_parcel(const ParcelEnv& env, const Parcel& parcel, const std::stop_token& stop,
                           const TellProgress& tell) {
  return OneParcel{env, parcel, stop, tell}.run();
}

}  // namespace haul::library
