#include "base/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_plain.h"
#include "base/utf8.h"

namespace haul {
namespace {

using Json = nlohmann::json;  // Sorts an object's members by name.

constexpr std::size_t kBytesMax = std::size_t{16} << 20U;
constexpr int kDepthMax = 32;

std::unexpected<Fault> bad(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_json", std::move(detail)}};
}

// The library treats a NUL as the end of the text and ignores what follows it.
bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

// Parser callback. Remembers the first thing that is not allowed; parse() then refuses the text.
class ParseCheck {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    const bool opens =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= kDepthMax && why_.empty()) why_ = "nested too deep";
    if (event == Json::parse_event_t::object_start) names_.emplace_back();
    if (event == Json::parse_event_t::object_end && !names_.empty()) names_.pop_back();
    if (event == Json::parse_event_t::key && !names_.empty() &&
        !names_.back().insert(value.get<std::string>()).second && why_.empty())
      why_ = fmt::format("'{}' is given twice", value.get<std::string>());
    return true;
  }
  const std::string& why() const { return why_; }

 private:
  std::vector<std::set<std::string>> names_;
  std::string why_;
};

// Notes where the text stops being JSON. Counts bytes from 1.
struct ErrorFinder final : nlohmann::json_sax<Json> {
  std::size_t byte = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    byte = position;
    return false;
  }
};

// "not JSON: line 3, column 14". The column counts bytes. Quotes nothing of the text, which may
// have secrets.
std::string where_wrong(std::string_view text) {
  ErrorFinder finder;
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos)
    Json::sax_parse(text, &finder);
  else
    finder.byte = nul + 1;
  const std::size_t at = std::min(finder.byte > 0 ? finder.byte - 1 : 0, text.size());
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t begin = before.rfind('\n');
  const std::size_t column = begin == std::string_view::npos ? at + 1 : at - begin;
  return fmt::format("not JSON: line {}, column {}", line, column);
}

Result<Json> parse(std::string_view text, Json::value_t wanted = Json::value_t::object) {
  if (text.size() > kBytesMax) return bad("more than 16 MiB");
  if (has_nul(text)) return bad(where_wrong(text));
  ParseCheck check;
  // The callback cannot stop the library, which would build the whole tree. So the library does not
  // get the text after the first bracket that is too deep.
  Json json = Json::parse(
      text.substr(0, end_at_depth(text, kDepthMax + 1)),
      [&](int depth, Json::parse_event_t event, Json& value) { return check(depth, event, value); },
      false);
  if (!check.why().empty()) return bad(check.why());
  if (json.is_discarded()) return bad(where_wrong(text));
  if (json.type() != wanted)
    return bad(wanted == Json::value_t::object ? "not an object" : "not an array");
  return json;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Result<std::vector<JsonField>> read_object(std::string_view text) {
  if (auto plain = text.size() > kBytesMax ? std::nullopt : read_plain_object(text))
    return *std::move(plain);
  const Result<Json> json = parse(text);
  if (!json) return std::unexpected{json.error()};
  std::vector<JsonField> fields;
  for (const auto& [name, value] : json->items()) {
    std::string raw = value.dump();
    std::string given = value.is_string() ? value.get<std::string>() : raw;
    fields.push_back({name, std::move(given), value.is_null(), std::move(raw)});
  }
  return fields;
}

Result<std::vector<std::string>> read_array(std::string_view text) {
  if (auto plain = text.size() > kBytesMax ? std::nullopt : read_plain_array(text))
    return *std::move(plain);
  const Result<Json> json = parse(text, Json::value_t::array);
  if (!json) return std::unexpected{json.error()};
  std::vector<std::string> elements;
  for (const Json& value : *json) elements.push_back(text_of(value));
  return elements;
}

Result<std::string> canonical(std::string_view text) {
  if (auto plain = text.size() > kBytesMax ? std::nullopt : plain_canonical(text))
    return *std::move(plain);
  const Result<Json> json = parse(text);
  if (!json) return std::unexpected{json.error()};
  return json->dump();
}

std::size_t end_at_depth(std::string_view text, int depth) {
  int open = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      is_string = !is_string;
    } else if (is_string) {
      if (c == '\\') ++i;
    } else if (c == '{' || c == '[') {
      if (++open == depth) return i + 1;
    } else if (c == '}' || c == ']') {
      if (--open == depth) return i + 1;
    }
  }
  return std::string_view::npos;
}

bool is_json_text(std::string_view text) {
  return is_plain_json(text) || (!has_nul(text) && Json::accept(text));
}

std::string json_quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

// Canonical JSON escapes C0 control characters, quotes and backslashes, and nothing else.
bool has_control_within(std::string_view canonical_json) {
  const std::string_view json = canonical_json;
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at + 2))
    if (json[at + 1] != '"' && json[at + 1] != '\\') return true;
  return has_control(json);
}

void append_quoted(std::string& out, std::string_view text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; });
  if (!is_plain) {
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  const auto quotes = [](char c) { return c == '"' || c == '\\'; };
  out += '"';
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if(at, text.end(), quotes);
    out.append(at, end);
    if (end == text.end()) break;
    out.append(1, '\\').append(1, *end);
    at = end + 1;
  }
  out += '"';
}

}  // namespace haul
