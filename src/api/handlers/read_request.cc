#include "api/handlers/read_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/ascii.h"
#include "base/text.h"
#include "lifecycle/tables.h"
#include "store/rules/priority.h"

namespace haul::api {
namespace {

std::string near_of(std::string_view name, std::initializer_list<std::string_view> known) {
  const std::vector<std::string_view> names{known};
  const std::string_view like = nearest(name, names);
  return like.empty() ? "unknown field"
                      : "unknown field; did you mean '" + std::string{like} + "'?";
}

ApiError unknown_field(std::string_view name, std::initializer_list<std::string_view> known) {
  return {400, "unknown_field", printable(name), {{std::string{name}, near_of(name, known)}}};
}

std::string expected_one_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : ", ").append(word);
  return "unknown; expected one of " + text;
}

// Each name once: lifecycles share names.
void add_states(const Lifecycle& table, std::vector<std::string_view>& states) {
  for (const State& state : table.states)
    if (std::ranges::find(states, state.name) == states.end()) states.push_back(state.name);
}

bool is_same(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

std::optional<ApiError> check_state(std::string_view state,
                                    const std::vector<std::string_view>& known) {
  const auto fits = [&](std::string_view name) { return is_same(name, state); };
  if (state.empty() || std::ranges::any_of(known, fits)) return std::nullopt;
  return wrong_field("state", expected_one_of(known));
}

bool is_string(const JsonField& field) { return field.json.starts_with('"'); }

}  // namespace

ApiError wrong_field(std::string_view name, std::string why) {
  return {400, "wrong_type", std::string{name} + ": " + why, {{std::string{name}, why}}};
}

std::optional<ApiError> check_lifecycle(std::string_view lifecycle, std::string_view state) {
  std::vector<std::string_view> names;
  std::vector<std::string_view> states;
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    names.push_back(table->name);
    if (lifecycle.empty() || table->name == lifecycle) add_states(*table, states);
  }
  if (!lifecycle.empty() && std::ranges::find(names, lifecycle) == names.end())
    return wrong_field("lifecycle", expected_one_of(names));
  return check_state(state, states);
}

std::expected<std::string_view, ApiError> read_item_state(const Lifecycle* table,
                                                          std::string_view state) {
  if (!table || state.empty()) return state;
  std::vector<std::string_view> states;
  add_states(*table, states);
  if (auto error = check_state(state, states)) return std::unexpected{*std::move(error)};
  return *std::ranges::find_if(states, [&](std::string_view each) { return is_same(each, state); });
}

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

std::expected<std::size_t, ApiError> read_limit(const WebRequest& request) {
  const std::string_view text = request.query("limit");
  if (text.empty()) return kPageDefault;
  const auto limit = read_number(text);
  if (!limit || *limit < 1 || *limit > static_cast<std::int64_t>(kPageMax))
    return std::unexpected{wrong_field("limit", "expected a number from 1 to 100")};
  return static_cast<std::size_t>(*limit);
}

std::expected<PageRequest, ApiError> read_page(const WebRequest& request) {
  const auto limit = read_limit(request);
  if (!limit) return std::unexpected{limit.error()};
  PageRequest page{.limit = *limit};
  if (const std::string_view text = request.query("cursor"); !text.empty()) {
    const auto cursor = read_number(text);
    if (!cursor || *cursor < 1)
      return std::unexpected{wrong_field("cursor", "expected the value of `next`")};
    page.cursor = *cursor;
  }
  return page;
}

std::optional<ApiError> check_query(const WebRequest& request,
                                    std::initializer_list<std::string_view> known) {
  std::set<std::string_view> seen;
  for (const auto& [name, value] : request.target.query) {
    if (std::ranges::find(known, name) == known.end()) return unknown_field(name, known);
    if (!seen.insert(name).second)
      return ApiError{400, "given_twice", name, {{name, "given twice"}}};
  }
  return std::nullopt;
}

std::expected<Body, ApiError> Body::read(std::string_view body,
                                         std::initializer_list<std::string_view> known,
                                         std::initializer_list<std::string_view> raw) {
  const auto fields = read_object(body);
  if (!fields) return std::unexpected{ApiError{400, fields.error().code, fields.error().detail}};
  for (const JsonField& field : *fields)
    if (std::ranges::find(known, field.name) == known.end())
      return std::unexpected{unknown_field(field.name, known)};
  for (const JsonField& field : *fields)
    if (std::ranges::find(raw, field.name) == raw.end() && has_control_within(field.json))
      return std::unexpected{wrong_field(field.name, "control characters are not allowed")};
  Body read;
  read.fields_ = *fields;
  return read;
}

const JsonField* Body::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &JsonField::name);
  return found == fields_.end() || found->is_null ? nullptr : &*found;
}

std::expected<std::string, ApiError> Body::text(std::string_view name) const {
  const JsonField* field = find(name);
  if (field && !is_string(*field)) return std::unexpected{wrong_field(name, "expected a string")};
  return field ? field->text : std::string{};
}

std::expected<bool, ApiError> Body::flag(std::string_view name) const {
  const JsonField* field = find(name);
  if (field && field->json != "true" && field->json != "false")
    return std::unexpected{wrong_field(name, "expected true or false")};
  return field && field->json == "true";
}

std::expected<std::optional<std::int64_t>, ApiError> Body::number(std::string_view name) const {
  const JsonField* field = find(name);
  if (!field) return std::nullopt;
  const auto number = read_number(field->json);
  if (!number) return std::unexpected{wrong_field(name, "expected a whole number")};
  return number;
}

std::expected<std::optional<int>, ApiError> read_priority(const Body& body) {
  const JsonField* field = body.find("priority");
  if (!field) return std::nullopt;
  const auto number = read_number(field->json);
  const bool fits = number && *number >= kPriorityMin && *number <= kPriorityMax;
  if (!fits) return std::unexpected{wrong_field("priority", std::string{rules::kPriorityExpected})};
  return static_cast<int>(*number);
}

WebReply list_reply(const std::vector<std::string>& items, const std::string& next) {
  std::string body = "{\"items\":[";
  for (std::size_t i = 0; i < items.size(); ++i) body += (i == 0 ? "" : ",") + items[i];
  body += "],\"next\":" + (next.empty() ? "null" : json_quoted(next)) + "}";
  return json_reply(200, std::move(body));
}

WebReply list_reply(const std::vector<std::string>& items, std::int64_t next) {
  return list_reply(items, next == 0 ? std::string{} : std::to_string(next));
}

WebReply searched_reply(WebReply list, std::int64_t searched) {
  if (searched == 0) return list;
  list.body.pop_back();
  list.body += fmt::format(R"(,"searched":{}}})", searched);
  return list;
}

std::expected<UserId, ApiError> user_in_path(const Call& call) {
  const auto id = read_number(call.word());
  if (!id || *id < 1) return std::unexpected{ApiError{404, "no_such_user", "no such user"}};
  return UserId{*id};
}

}  // namespace haul::api
