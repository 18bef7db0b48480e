#pragma once
// The rules for a batch and its items as pure functions: what a worker begins, in which states the
// items are, and what a failed transfer means for one (S2-21, S2-22, Z-8, Z-11).

#include <optional>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "flow/batch/settings.h"
#include "seam/sight.h"
#include "store/items.h"

namespace haul::flow {

// What a worker does with a batch that it gets.
enum class BatchAct : std::uint8_t {
  none,
  plan,  // Find out its items, then fetch them.
};

// By the step of the job's state.
BatchAct judge_begin(Step step);

// The state of the items that ask for this step: `claim` for those that have not started,
// `transfer` for those that are being fetched. The table of items must have one.
const State& item_state(const Lifecycle& items, Step step);
// The states of the items that ended without their file, in the order of the table.
std::vector<std::string_view> states_without_file(const Lifecycle& items);

// Whether the file has another source that was not given up.
enum class Sources : std::uint8_t { none_left, more };

// By the table of items. `retries` are those that the job's own request allows, if it says so.
// `elsewhere`: this source is given up, and the next one is asked at once.
struct ItemVerdict {
  enum class Kind : std::uint8_t { again, elsewhere, fail, release } kind = Kind::fail;
  int attempt = 0;
  int tries = 0;
  Millis wait{0};
};
ItemVerdict judge_item(const Lifecycle& table, const Item& item, const Fault& fault,
                       bool moved_forward, const BatchSettings& settings, double chance,
                       std::optional<int> retries = {}, Sources sources = Sources::none_left);

// Whether a later job may go on with the part of an item that fails like this: its own time or its
// retries are over, or its link is refused, and nothing is wrong with the bytes so far.
bool leaves_part(const Failed& failed);

}  // namespace haul::flow
