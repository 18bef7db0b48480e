// Imports by hand: a user says what the files of a job are.

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "flow/user/user.h"
#include "flow/worker/by_hand_json.h"

namespace haul::flow {
namespace {

constexpr int kTries = 8;  // Lost races, until the caller is told that the job keeps changing.
constexpr std::string_view kNote = "IMPORT_ASKED";

std::expected<ImportPreview, Refusal> preview_of(Store& store, const Job& job,
                                                 std::span<const ByHand> said,
                                                 std::span<const LifecycleWork> work) {
  const LifecycleWork* its = find_work(work, *job.version.lifecycle);
  if (!its || !its->plan_import)
    return std::unexpected{
        Refusal{RefusalKind::forbidden, "cannot_import",
                fmt::format("haul imports no files of {} jobs", job.version.lifecycle->name)}};
  return its->plan_import(store, job, said);
}

// Without a word, the import is tried again with what was said before.
std::vector<ByHand> words_for(Store& store, JobId id, std::span<const ByHand> said) {
  if (said.empty()) return last_said(store.intents(), id);
  return {said.begin(), said.end()};
}

Refusal no_such_job() { return {RefusalKind::stale, "no_such_job", ""}; }

Refusal refusal_of(const ImportProblem& problem) {
  return {
      RefusalKind::guarded, problem.code,
      problem.fix.empty() ? problem.detail : fmt::format("{}: {}", problem.detail, problem.fix)};
}

// The event says how many files were named, not each: a download may have thousands.
NewWish wish_of(const Job& job, std::span<const ByHand> said) {
  const auto whole = std::ranges::find(said, std::string{}, &ByHand::path);
  const bool has_whole = whole != said.end();
  return {.kind = kImportIntent,
          .data = by_hand_json(said),
          .note = kNote,
          .note_data =
              fmt::format(R"({{"as":{},"files":{}}})", has_whole ? json_quoted(whole->as) : "null",
                          said.size() - (has_whole ? 1 : 0)),
          .makes_due = !job.state().is_at_client()};
}

}  // namespace

std::expected<ImportPreview, Refusal> preview_import(Store& store, JobId id,
                                                     std::span<const ByHand> said,
                                                     std::span<const LifecycleWork> work) {
  const auto job = store.reader().find(id);
  if (!job) return std::unexpected{no_such_job()};
  return preview_of(store, *job, words_for(store, id, said), work);
}

std::expected<void, Refusal> import_by_hand(Store& store, JobId id, std::span<const ByHand> said,
                                            Time now, std::span<const LifecycleWork> work) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto job = store.reader().find(id);
    if (!job) return std::unexpected{no_such_job()};
    const std::vector<ByHand> words = words_for(store, id, said);
    const auto preview = preview_of(store, *job, words, work);
    if (!preview) return std::unexpected{preview.error()};
    const auto& problem = preview->problem;
    if (problem && problem->code != kFilesUnknown) return std::unexpected{refusal_of(*problem)};
    if (store.intents().wish(job->version, wish_of(*job, words), now)) return {};
  }
  return std::unexpected{Refusal{RefusalKind::stale, "stale", "the job keeps changing; try again"}};
}

}  // namespace haul::flow
