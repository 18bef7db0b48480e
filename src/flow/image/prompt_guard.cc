#include "flow/image/prompt_guard.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/fold.h"
#include "base/json.h"
#include "lifecycle/request.h"

namespace haul::flow {
namespace {

constexpr std::string_view kPrompt = "prompt";
constexpr std::string_view kParams = "params";
// The names that providers have for the number of images. A job is one image.
constexpr std::string_view kCounts[] = {"n", "batch_size", "n_iter"};

Refusal refuse(std::string_view code, std::string_view field, const std::string& why) {
  return {RefusalKind::guarded, std::string{code}, fmt::format("{}: {}", field, why),
          std::string{field}};
}

// Of UTF-8 text: bytes that do not continue a character.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

constexpr std::string_view kNegative = "negative_prompt";  // Names what the image must not have.

std::optional<Refusal> check_params(const PromptRules& rules, const JsonField& params) {
  const auto fields = read_object(params.json);
  if (!fields) return refuse("bad_params", kParams, "expected an object");
  for (const std::string_view name : kCounts) {
    const JsonField* count = find_field(*fields, name);
    if (count && count->json != "1")
      return refuse("bad_params", fmt::format("{}.{}", kParams, name),
                    "expected 1: a job is one image");
  }
  if (!rules.blocklist) return std::nullopt;
  // Models take further text by names of their own, such as prompt_2.
  for (const JsonField& field : *fields)
    if (field.name != kNegative &&
        (rules.blocklist->blocks(field.text) || rules.blocklist->blocks(field.json)))
      return refuse("prompt_blocked", kParams,
                    "they contain words that this server does not allow");
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_prompt(const PromptRules& rules, std::string_view request) {
  const auto fields = read_object(request);
  if (!fields) return std::nullopt;
  const JsonField* prompt = find_field(*fields, kPrompt);
  if (!prompt) return std::nullopt;
  const std::size_t length = length_of(prompt->text);
  if (length > rules.length_max)
    return refuse(
        "prompt_too_long", kPrompt,
        fmt::format("{} characters, but at most {} are allowed", length, rules.length_max));
  if (folded(prompt->text).find_first_not_of(" \t\r\n\v\f") == std::string::npos)
    return refuse("prompt_empty", kPrompt, "nothing in it can be seen");
  if (rules.blocklist && rules.blocklist->blocks(prompt->text))
    return refuse("prompt_blocked", kPrompt, "it contains words that this server does not allow");
  const JsonField* params = find_field(*fields, kParams);
  return params ? check_params(rules, *params) : std::nullopt;
}

}  // namespace haul::flow
