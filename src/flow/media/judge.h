#pragma once
// The rules for an import as pure functions: what a worker does with a film that it holds, and
// whether haul removes its source (document 001, Z-31).

#include <cstdint>
#include <expected>

#include "flow/media/receipt.h"
#include "lifecycle/words.h"

namespace haul::flow {

// What a worker does with a film that it holds.
enum class ImportAct : std::uint8_t {
  none,
  land,   // Tell the library to import the file.
  prove,  // Ask the media server for it, or end the job if its source stays.
};

// By the step of the job's state.
ImportAct judge_import(Step step);

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
