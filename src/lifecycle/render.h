#pragma once
// A lifecycle table as text for people: a diagram, or a page of the docs.

#include <string>

#include "lifecycle/table.h"

namespace haul {

// A Mermaid state diagram.
std::string to_mermaid(const Lifecycle& table);

// The same as a picture of its own.
std::string to_svg(const Lifecycle& table);

// Two tables and the diagram.
std::string to_markdown(const Lifecycle& table);

// What a terminal shows: the states, and what leads where.
std::string to_text(const Lifecycle& table);

// "stay", "refused", "adopt", or the name of a state; empty where nothing is answered.
std::string_view to_text(const Answer& answer);

}  // namespace haul
