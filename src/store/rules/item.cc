#include "store/rules/item.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/planted_bug.h"
#include "store/rules/guards.h"

namespace haul::rules {
namespace {

std::unexpected<Refusal> refuse(RefusalKind kind, std::string_view code, std::string why) {
  return std::unexpected{Refusal{kind, std::string{code}, std::move(why)}};
}

}  // namespace

std::expected<const Move*, Refusal> grant_item(const Lifecycle& table, const ItemMove& ask) {
  const Move* move = table.find(ask.from, ask.on);
  if (!move)
    return refuse(RefusalKind::forbidden, "no_such_move",
                  fmt::format("item: {} from '{}' is not in the table", name(ask.on), ask.from));
  if (move->by != By::worker)
    return refuse(RefusalKind::forbidden, "not_allowed",
                  fmt::format("item: {} happens with its job", name(ask.on)));
  const bool has_proof = ask.proof.kind == move->terms.needs && !ask.proof.data.empty();
  if (move->terms.needs != Proof::none && (!has_proof || ask.path.empty()))
    return refuse(RefusalKind::guarded, fmt::format("needs_{}", name(move->terms.needs)),
                  "a file arrives with path and evidence");
  if (!ask.proof.data.empty() && !is_json_text(ask.proof.data))
    return refuse(RefusalKind::guarded, "bad_proof", "the evidence is not JSON");
  for (const Guard guard : move->terms.guards)
    if (auto refusal = check_held(guard, ask.holds)) return std::unexpected{*std::move(refusal)};
  return move;
}

ItemCount count_of(const Lifecycle& table, const Move& move) {
  switch (table.at(move.to).end) {
    case End::open:
      return ItemCount::none;
    case End::good:
      return move.on == On::skip ? ItemCount::skipped : ItemCount::downloaded;
    case End::bad:
      return ItemCount::failed;
    case End::stopped:
      return ItemCount::cancelled;
  }
  return ItemCount::none;  // Not reached: the switch is complete.
}

bool is_told(ItemCount counted) {
  if (counted == ItemCount::failed) return !planted(PlantedBug::item_untold);
  return counted == ItemCount::downloaded || counted == ItemCount::skipped;
}

void ItemTally::count(ItemCount counted) {
  switch (counted) {
    case ItemCount::none:
      return;
    case ItemCount::downloaded:
      ++downloaded;
      return;
    case ItemCount::skipped:
      ++skipped;
      return;
    case ItemCount::failed:
      ++failed;
      return;
    case ItemCount::cancelled:
      ++cancelled;
      return;
  }
}

std::vector<ItemStep> steps_by(const Lifecycle& table, On on) {
  std::vector<ItemStep> steps;
  for (const Move& move : table.moves)
    if (move.on == on)
      for (const std::string_view from : move.from) steps.push_back({from, move.to});
  return steps;
}

std::vector<ItemStep> steps_before_fail(const Lifecycle& table) {
  std::vector<ItemStep> steps;
  for (const ItemStep& start : steps_by(table, On::start))
    if (!table.find(start.from, On::fail)) steps.push_back(start);
  return steps;
}

}  // namespace haul::rules
