#pragma once
// A lifecycle table as text for people: a diagram, or a page of the docs.

#include <string>

#include "lifecycle/table.h"

namespace haul {

// A Mermaid state diagram.
std::string to_mermaid(const Lifecycle& table);

// The same diagram as an SVG image.
std::string to_svg(const Lifecycle& table);

// A section of the docs: facts, a table of states, a table of moves, the Mermaid diagram.
std::string to_markdown(const Lifecycle& table);

// For a terminal: each state and the moves that leave it.
std::string to_text(const Lifecycle& table);

// "stay", "refused", "adopt", or the name of a state. Empty if the answer is not set.
std::string_view to_text(const Answer& answer);

}  // namespace haul
