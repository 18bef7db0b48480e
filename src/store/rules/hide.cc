#include "store/rules/hide.h"

#include <fmt/core.h>

#include "base/ensure.h"
#include "base/json.h"
#include "store/rules/purge.h"

namespace haul::rules {
namespace {

std::string data_of(const JobVersion& seen) {
  return fmt::format(R"({{"state":{}}})", json_quoted(seen.state));
}

}  // namespace

std::expected<std::optional<HideChange>, Refusal> grant_hide(const HideFacts& facts) {
  ensure(facts.seen.lifecycle != nullptr, "a job to hide has a lifecycle");
  if (facts.seen.lifecycle->at(facts.seen.state).is_open())
    return std::unexpected{
        Refusal{RefusalKind::forbidden, "open",
                fmt::format("the job is {}; only an ended job can be deleted: cancel it first, or "
                            "wait for its end",
                            facts.seen.state)}};
  if (facts.files == OwnFiles::remove && !has_own_files(*facts.seen.lifecycle))
    return std::unexpected{Refusal{
        RefusalKind::guarded, "no_own_files",
        fmt::format("{} jobs have no files in the download folder that haul could remove; delete "
                    "the job without its files",
                    facts.seen.lifecycle->name)}};
  if (facts.is_hidden) return std::nullopt;
  return HideChange{.note = kHidden, .data = data_of(facts.seen)};
}

HideChange shown_again(const JobVersion& seen) { return {.note = kShown, .data = data_of(seen)}; }

}  // namespace haul::rules
