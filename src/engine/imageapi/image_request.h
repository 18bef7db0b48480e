#pragma once
// What a job asks of the provider: the prompt and the parameters of its request. Pure.

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/json.h"

namespace haul::imageapi {

struct ImageRequest {
  std::string prompt;
  std::vector<JsonField> params{};
  std::string id{};  // haul's own name for this call: a UUID, another one for each attempt.
};

// Reads a job's request. `call` identifies the attempt. Fault `bad_request` (permanent) if there is
// no prompt, or the parameters are no object.
Result<ImageRequest> read_image_request(std::string_view request, std::string_view call);

// A UUID that is the same for the same text.
std::string uuid_of(std::string_view text);

// One parameter that a provider takes.
struct ParamRule {
  enum class Type : std::uint8_t { text, whole, number };

  std::string_view name;
  Type type = Type::text;
  double least = 0;  // Of a number.
  double most = 0;
};

// A parameter that the provider does not take.
struct BadParam {
  std::string field;   // "params.steps"
  std::string detail;  // "params.steps: expected a whole number from 1 to 150"

  // The name is cut off, and has only printable characters.
  static BadParam of(std::string_view name, std::string_view why);
  // `bad_params`, permanent.
  Fault fault() const { return {FaultKind::permanent, "bad_params", detail}; }
};
template <class T>
using ParamResult = std::expected<T, BadParam>;

// Refuses a parameter that has no rule or breaks it. A parameter that asks for more than one image
// is refused whatever the rules are, because a job is one image. So is one that would replace the
// prompt, which haul has checked.
[[nodiscard]] ParamResult<void> check_params(const ImageRequest& wanted,
                                             std::span<const ParamRule> rules);
// The same for a provider whose models each have parameters of their own.
[[nodiscard]] ParamResult<void> check_any_params(const ImageRequest& wanted);

// `{"prompt":"…","size":"1024x1024"}`: the members of `first`, then the parameters that ask for
// something. `first` has no braces.
std::string with_params(std::string first, const ImageRequest& wanted);

// Whether a provider's words repeat the prompt, or 20 characters of it.
bool repeats_prompt(std::string_view words, std::string_view prompt);

// A provider's words, unless they repeat the prompt: haul shows prompts to their owners only.
std::string without_prompt(std::string words, std::string_view prompt);

// Whether a parameter of that name says how many images are wanted.
bool counts_images(std::string_view name);

// The parameter of that name; nullptr if it is absent or null.
const JsonField* find_param(const ImageRequest& wanted, std::string_view name);

}  // namespace haul::imageapi
