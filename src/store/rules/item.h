#pragma once
// The rules of items, as pure functions of their table.

#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "store/items.h"

namespace haul::rules {

// The row of the table that grants the ask.
std::expected<const Move*, Refusal> grant_item(const Lifecycle& table, const ItemMove& ask);

// Which counter of its job counts an item after this move.
enum class ItemCount : std::uint8_t {
  none,  // It is still open.
  downloaded,
  skipped,
  failed,
  cancelled,
};
ItemCount count_of(const Lifecycle& table, const Move& move);
// Whether an ITEM_DONE tells the end of an item that is counted so.
bool is_told(ItemCount counted);

// What several moves of items add to the counters of their job.
struct ItemTally {
  int downloaded = 0;
  int skipped = 0;
  int failed = 0;
  int cancelled = 0;

  void count(ItemCount counted);
  // Whether a JOB_PROGRESS tells them: a cancelled item is no progress.
  bool is_progress() const { return downloaded + skipped + failed > 0; }
};

// All items of a job in one state go to another, because their job moves.
struct ItemStep {
  std::string_view from;
  std::string_view to;

  bool operator==(const ItemStep&) const = default;
};
// The steps of all moves with this trigger.
std::vector<ItemStep> steps_by(const Lifecycle& table, On on);
// The steps that bring open items to a state from which they can fail.
std::vector<ItemStep> steps_before_fail(const Lifecycle& table);

}  // namespace haul::rules
