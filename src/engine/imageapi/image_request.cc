#include "engine/imageapi/image_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/redact.h"
#include "base/text.h"

namespace haul::imageapi {
namespace {

constexpr std::size_t kPromptRun = 20;
constexpr std::size_t kNameShown = 60;
constexpr std::size_t kParamsMax = 65'536;  // Bytes.

std::unexpected<Fault> bad(std::string code, std::string detail) {
  return std::unexpected{Fault{FaultKind::permanent, std::move(code), std::move(detail)}};
}

std::unexpected<BadParam> bad_param(std::string_view name, std::string_view why) {
  return std::unexpected{BadParam::of(name, why)};
}

bool is_string(const JsonField& field) { return field.json.starts_with('"'); }
bool is_scalar(const JsonField& field) {
  return !field.json.starts_with('{') && !field.json.starts_with('[');
}

std::optional<double> read_real(const JsonField& field) {
  if (is_string(field)) return std::nullopt;
  double value = 0;
  const char* const end = field.text.data() + field.text.size();
  const auto [at, error] = std::from_chars(field.text.data(), end, value);
  if (error != std::errc{} || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

ParamResult<void> check_rule(const JsonField& field, const ParamRule& rule) {
  if (rule.type == ParamRule::Type::text) {
    if (!is_string(field)) return bad_param(field.name, "expected a text");
    return {};
  }
  const auto value = read_real(field);
  const bool is_whole = rule.type == ParamRule::Type::whole;
  if (value && *value >= rule.least && *value <= rule.most &&
      (!is_whole || std::floor(*value) == *value))
    return {};
  return bad_param(field.name, fmt::format("expected a {}number from {} to {}",
                                           is_whole ? "whole " : "", rule.least, rule.most));
}

// What no provider may be asked for.
ParamResult<void> check_common(const JsonField& field) {
  if (field.name == "prompt" || field.name == "text_prompts")
    return bad_param(field.name, "the prompt has a field of its own");
  if (counts_images(field.name) && field.json != "1")
    return bad_param(field.name, "a job is one image; add a job for each");
  return {};
}

}  // namespace

// Looks for the prompt as the words may have it: printable, in whatever case, and any part of it.
bool repeats_prompt(std::string_view words, std::string_view prompt) {
  const std::string text = lower(words);
  const std::string wanted = lower(safe_detail(prompt));
  if (wanted.empty()) return false;
  for (std::size_t at = 0; at + kPromptRun <= text.size(); ++at)
    if (wanted.find(text.data() + at, 0, kPromptRun) != std::string::npos) return true;
  if (wanted.size() >= kPromptRun) return false;
  const auto is_edge = [&](std::size_t at) {
    return at >= text.size() || (!is_letter(text[at]) && !is_digit(text[at]));
  };
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    if ((at == 0 || is_edge(at - 1)) && is_edge(at + wanted.size())) return true;
  return false;
}

std::string without_prompt(std::string words, std::string_view prompt) {
  if (!repeats_prompt(words, prompt)) return words;
  return "the provider's reason repeats the prompt, so haul does not keep it";
}

// Each provider names the number of images in its own way.
bool counts_images(std::string_view name) {
  constexpr std::string_view kCounts[] = {"n",           "n_iter",     "batch_size",
                                          "num_outputs", "num_images", "number_of_images"};
  return std::ranges::find(kCounts, name) != std::end(kCounts);
}

Result<ImageRequest> read_image_request(std::string_view request, std::string_view call) {
  const auto fields = read_object(request);
  if (!fields) return bad("bad_request", "the request is no JSON object");
  ImageRequest wanted{.prompt = {}, .id = uuid_of(call)};
  for (const JsonField& field : *fields) {
    if (field.name == "prompt" && is_string(field)) wanted.prompt = field.text;
    if (field.name != "params" || field.is_null) continue;
    if (field.json.size() > kParamsMax) return bad("bad_params", "params: more than 64 KiB");
    auto params = read_object(field.json);
    if (!params) return bad("bad_params", "params: expected an object");
    wanted.params = *std::move(params);
  }
  if (wanted.prompt.empty()) return bad("bad_request", "the request has no prompt");
  return wanted;
}

BadParam BadParam::of(std::string_view name, std::string_view why) {
  const std::string field = "params." + printable(name.substr(0, kNameShown));
  return {field, fmt::format("{}: {}", field, why)};
}

std::string uuid_of(std::string_view text) {
  std::string hex = sha256_hex(text).substr(0, 32);
  hex[12] = '8';  // Version 8: made of a hash of our own.
  hex[16] = "89ab"[hex[16] & 3];
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

ParamResult<void> check_params(const ImageRequest& wanted, std::span<const ParamRule> rules) {
  for (const JsonField& field : wanted.params) {
    if (field.is_null) continue;
    if (auto good = check_common(field); !good) return good;
    if (counts_images(field.name)) continue;
    const auto rule = std::ranges::find(rules, field.name, &ParamRule::name);
    if (rule == rules.end()) return bad_param(field.name, "the provider does not take it");
    if (auto good = check_rule(field, *rule); !good) return good;
  }
  return {};
}

ParamResult<void> check_any_params(const ImageRequest& wanted) {
  for (const JsonField& field : wanted.params) {
    if (field.is_null) continue;
    if (auto good = check_common(field); !good) return good;
    if (!is_scalar(field)) return bad_param(field.name, "expected a text, a number or a boolean");
  }
  return {};
}

std::string with_params(std::string first, const ImageRequest& wanted) {
  std::string json = "{" + std::move(first);
  for (const JsonField& field : wanted.params) {
    if (field.is_null || counts_images(field.name)) continue;
    json += fmt::format(",{}:{}", json_quoted(field.name), field.json);
  }
  return json + "}";
}

const JsonField* find_param(const ImageRequest& wanted, std::string_view name) {
  const auto found = std::ranges::find(wanted.params, name, &JsonField::name);
  return found == wanted.params.end() || found->is_null ? nullptr : &*found;
}

}  // namespace haul::imageapi
