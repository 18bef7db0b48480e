#include "store/rules/hide.h"

#include <fmt/core.h>

#include "base/ensure.h"
#include "base/json.h"
#include "store/rules/purge.h"

namespace haul::rules {
namespace {

std::string data_of(const JobVersion& version) {
  return fmt::format(R"({{"state":{}}})", json_quoted(version.state));
}

}  // namespace

std::expected<std::optional<HideChange>, Refusal> grant_hide(const HideFacts& facts) {
  ensure(facts.version.lifecycle != nullptr, "a job to hide has a lifecycle");
  if (facts.version.lifecycle->at(facts.version.state).is_open())
    return std::unexpected{
        Refusal{RefusalKind::forbidden, "open",
                fmt::format("the job is {}; only an ended job can be deleted: cancel it first, or "
                            "wait for its end",
                            facts.version.state)}};
  if (facts.files == OwnFiles::remove && !has_own_files(*facts.version.lifecycle))
    return std::unexpected{Refusal{
        RefusalKind::guarded, "no_own_files",
        fmt::format("{} jobs have no files in the download folder that haul could remove; delete "
                    "the job without its files",
                    facts.version.lifecycle->name)}};
  if (facts.is_hidden) return std::nullopt;
  return HideChange{.note = kHidden, .data = data_of(facts.version)};
}

HideChange shown_again(const JobVersion& version) {
  return {.note = kShown, .data = data_of(version)};
}

}  // namespace haul::rules
