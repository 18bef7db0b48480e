#include "flow/batch/judge.h"

#include <algorithm>
#include <array>

#include "base/ensure.h"
#include "base/link_refusal.h"

namespace haul::flow {
namespace {

// A source that is not the last gets fewer attempts; the last gets all.
constexpr int kAttemptsBeforeNext = 2;

}  // namespace

BatchAct judge_begin(Step step) { return step == Step::transfer ? BatchAct::plan : BatchAct::none; }

const State& item_state(const Lifecycle& items, Step step) {
  const auto found = std::ranges::find(items.states, step, &State::step);
  ensure(found != items.states.end(), "the table of items has a state with this step");
  return *found;
}

std::vector<std::string_view> states_without_file(const Lifecycle& items) {
  std::vector<std::string_view> names;
  for (const State& state : items.states)
    if (state.end == End::bad || state.end == End::stopped) names.push_back(state.name);
  return names;
}

ItemVerdict judge_item(const Lifecycle& table, const Item& item, const Fault& fault,
                       bool moved_forward, const BatchSettings& settings, double chance,
                       std::optional<int> retries, Sources sources) {
  using Kind = ItemVerdict::Kind;
  if (fault.kind == FaultKind::environment) return {.kind = Kind::release};
  const int attempt = (moved_forward ? 0 : item.attempt) + 1;
  const int tries = item.tries + 1;
  // A file that does not match its checksum is fetched again from the start, but only once.
  // If there is another source, it is fetched from there.
  const bool is_damaged = fault.code == "checksum_mismatch";
  const bool damaged_twice = is_damaged && item.reason == fault.code;
  const State& state = item_state(table, Step::transfer);
  const bool has_more = sources == Sources::more;
  int attempts_max = retries ? *retries + 1 : table.attempts_max;
  if (has_more) attempts_max = std::min(attempts_max, kAttemptsBeforeNext);
  const bool again = state.on_fault.kind == AnswerKind::stay &&
                     fault.kind == FaultKind::retryable && tries < settings.item_tries_max &&
                     attempt < attempts_max && !damaged_twice && !(has_more && is_damaged);
  if (!again && has_more && tries < settings.item_tries_max)
    return {.kind = Kind::elsewhere, .attempt = 0, .tries = tries};
  const bool may_fail = state.on_fail.kind == AnswerKind::go;
  if (!again && may_fail) return {.kind = Kind::fail, .attempt = attempt, .tries = tries};
  return {Kind::again, attempt, tries, table.backoff.after(attempt, chance)};
}

bool leaves_part(const Failed& failed) {
  constexpr std::array<std::string_view, 5> kWrong = {"checksum_mismatch", "file_changed",
                                                      "truncated", "size_mismatch", "not_in_place"};
  const std::string& code = failed.fault.code;
  const bool has_part = !failed.checkpoint.empty() && failed.checkpoint != "{}";
  const bool may_pass =
      failed.fault.kind == FaultKind::retryable || code == "max_time" || refuses_link(failed.fault);
  return has_part && may_pass && std::ranges::find(kWrong, code) == kWrong.end();
}

}  // namespace haul::flow
