#pragma once
// Strict parsing of client input: numbers in paths and queries, and the fields of a body.

#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "base/json.h"
#include "lifecycle/table.h"

namespace haul::api {

inline constexpr std::size_t kPageMax = 100;
inline constexpr std::size_t kPageDefault = 20;

std::optional<std::int64_t> read_number(std::string_view text);

struct PageRequest {
  std::size_t limit = kPageDefault;
  std::int64_t cursor = 0;
};
// Reads `limit` and `cursor` of a query; refuses invalid values.
std::expected<PageRequest, ApiError> read_page(const WebRequest& request);
// Reads `limit` alone, for lists whose cursor is text.
std::expected<std::size_t, ApiError> read_limit(const WebRequest& request);

// Refuses a query field that is not in `known`, and one that is given twice.
std::optional<ApiError> check_query(const WebRequest& request,
                                    std::initializer_list<std::string_view> known);

// The fields of a JSON object. Refuses a body with fields that are not in `known`, and control
// characters in all fields but `raw`. The caller checks what the strings of a raw field may have.
class Body {
 public:
  static std::expected<Body, ApiError> read(std::string_view body,
                                            std::initializer_list<std::string_view> known,
                                            std::initializer_list<std::string_view> raw = {});

  const JsonField* find(std::string_view name) const;  // Null if absent or null.
  // Empty if the field is absent. Refuses other types.
  std::expected<std::string, ApiError> text(std::string_view name) const;
  std::expected<bool, ApiError> flag(std::string_view name) const;
  std::expected<std::optional<std::int64_t>, ApiError> number(std::string_view name) const;

 private:
  std::vector<JsonField> fields_;
};

ApiError wrong_field(std::string_view name, std::string why);

// The field `priority`; nothing if it is absent.
std::expected<std::optional<int>, ApiError> read_priority(const Body& body);

// Refuses a lifecycle that does not exist, and a state that the lifecycle does not have: an empty
// list would look as if there were no such jobs. Empty texts are any. The error lists what there
// is.
std::optional<ApiError> check_lifecycle(std::string_view lifecycle, std::string_view state);
// The name of an item's state as its table has it, whatever the case of `state`; empty for any.
// `table` may be nullptr: the job has no items.
std::expected<std::string_view, ApiError> read_item_state(const Lifecycle* table,
                                                          std::string_view state);

// "{"items":[…],"next":…}"; `next` is null if zero.
WebReply list_reply(const std::vector<std::string>& items, std::int64_t next);
// The same with a text cursor; `next` is null if empty.
WebReply list_reply(const std::vector<std::string>& items, const std::string& next);
// Adds how many rows a search read, unless none: a search is bounded, so a short page with a next
// one says how far it came.
WebReply searched_reply(WebReply list, std::int64_t searched);

// The user whose id is the first word of the path.
std::expected<UserId, ApiError> user_in_path(const Call& call);

}  // namespace haul::api
