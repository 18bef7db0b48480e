#include "engine/imageapi/answer_json.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/request_value.h"

namespace haul::imageapi {
namespace {

constexpr std::string_view kMark = "haul-cut-";
constexpr std::size_t kLong = 4'096;
constexpr std::size_t kCutsMax = 64;

constexpr std::string_view kData = "data:";
constexpr std::string_view kDataEnd = ";base64,";
constexpr std::size_t kDataHeadMax = 100;

std::string_view without_data_head(std::string_view text) {
  const std::size_t end = text.substr(0, kDataHeadMax).find(kDataEnd);
  if (!text.starts_with(kData) || end == std::string_view::npos) return text;
  return text.substr(end + kDataEnd.size());
}

// As it stands in JSON, where a line break is two characters.
bool is_base64(std::string_view text) {
  return std::ranges::all_of(without_data_head(text), [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '/' || c == '=' || c == '\\';
  });
}

// The closing quote of the string that begins after `at`.
std::size_t closing_quote(std::string_view json, std::size_t at) {
  for (std::size_t i = at + 1; i < json.size(); ++i) {
    if (json[i] == '"') return i;
    if (json[i] == '\\') ++i;
  }
  return json.size();
}

}  // namespace

std::optional<AnswerJson> AnswerJson::read(std::string_view text) {
  auto fields = read_object(text);
  if (!fields) return std::nullopt;
  AnswerJson json;
  json.fields_ = *std::move(fields);
  return json;
}

const JsonField* AnswerJson::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &JsonField::name);
  return found == fields_.end() || found->is_null ? nullptr : &*found;
}

std::string AnswerJson::text(std::string_view name) const {
  const JsonField* field = find(name);
  if (!field || field->json.starts_with('{') || field->json.starts_with('[')) return {};
  return field->text;
}

std::optional<AnswerJson> AnswerJson::object(std::string_view name) const {
  const JsonField* field = find(name);
  return field ? read(field->json) : std::nullopt;
}

std::vector<std::string> AnswerJson::array(std::string_view name) const {
  const JsonField* field = find(name);
  if (!field) return {};
  return read_array(field->json).value_or(std::vector<std::string>{});
}

std::string AnswerJson::json(std::string_view name) const {
  const JsonField* field = find(name);
  return field ? field->json : std::string{};
}

std::string_view CutJson::whole(std::string_view text) const {
  if (!text.starts_with(kMark)) return text;
  const auto index = read_whole(text.substr(kMark.size()));
  if (!index || *index < 0 || *index >= std::ssize(texts)) return text;
  return texts[static_cast<std::size_t>(*index)];
}

std::optional<std::string> image_bytes(std::string_view text) {
  std::string digits;
  digits.reserve(text.size());
  text = without_data_head(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size();
    if (is_escape && (text[i + 1] == 'n' || text[i + 1] == 'r'))
      ++i;
    else if (is_escape && text[i + 1] == '/')
      continue;
    else if (text[i] != '\n' && text[i] != '\r')
      digits += text[i];
  }
  return base64_bytes(digits);
}

CutJson cut_long_texts(std::string_view json) {
  CutJson cut;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t quote = std::min(json.find('"', at), json.size());
    cut.json.append(json.substr(at, quote - at));
    if (quote == json.size()) break;
    const std::size_t end = closing_quote(json, quote);
    const std::string_view text = json.substr(quote + 1, end - std::min(quote + 1, end));
    if (text.size() > kLong && cut.texts.size() < kCutsMax && is_base64(text)) {
      cut.json += fmt::format("\"{}{}\"", kMark, cut.texts.size());
      cut.texts.push_back(text);
    } else {
      cut.json.append(json.substr(quote, end + 1 - quote));
    }
    at = end + 1;
  }
  return cut;
}

}  // namespace haul::imageapi
