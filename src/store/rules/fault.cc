#include "store/rules/fault.h"

namespace haul::rules {

bool is_spent(const Lifecycle& lifecycle, int attempt) {
  return lifecycle.attempts_max > 0 && attempt >= lifecycle.attempts_max;
}

const Move* move_to(const Lifecycle& lifecycle, std::string_view from, const Answer& answer) {
  if (answer.kind != AnswerKind::go) return nullptr;
  for (const Move& move : lifecycle.moves)
    if (move.from.contains(from) && move.to == answer.to && answers_faults(move.on)) return &move;
  return nullptr;
}

}  // namespace haul::rules
