#pragma once
// Whether haul removes the source of a film, as a pure function (document 001, Z-31).

#include <cstdint>
#include <expected>

#include "flow/media/receipt.h"

namespace haul::flow {

// A film that landed, when its media server answers.
struct LandedView {
  const Landing& landing;
  bool is_restored = false;  // The store is: see flow/worker/restored.h.
};

// Why haul keeps the source for now.
enum class KeepSource : std::uint8_t {
  not_proven,  // The media server does not list every file that landed.
  restored,    // It does, but a restored store removes nothing.
};

// The receipt that allows haul to remove the source.
std::expected<Receipt, KeepSource> judge_indexed(const LandedView& view, const Indexed& seen);

}  // namespace haul::flow
