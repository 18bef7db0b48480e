#pragma once
// What a prompt and its parameters may be (document 004, PromptGuard), as a pure function.

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "base/blocklist.h"
#include "store/refusal.h"

namespace haul::flow {

struct PromptRules {
  std::size_t length_max = 4'000;                        // In characters.
  std::shared_ptr<const Blocklist> blocklist = nullptr;  // Null: nothing is blocked.
};

// Why a request for an image, JSON, is refused: `prompt_too_long`, `prompt_empty`,
// `prompt_blocked`, or `bad_params` for parameters that are not an object or ask for more than one
// image. The detail does not repeat the prompt. Nothing if it is fine, or if it is not such a
// request.
std::optional<Refusal> check_prompt(const PromptRules& rules, std::string_view request);

}  // namespace haul::flow
