#pragma once
// Reading what a client gives: numbers of paths and queries, and the fields of a body, strictly.

#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "base/json.h"

namespace haul {

inline constexpr std::size_t kPageMax = 100;
inline constexpr std::size_t kPageUsual = 20;

std::optional<std::int64_t> read_number(std::string_view text);

struct PageAsk {
  std::size_t limit = kPageUsual;
  std::int64_t cursor = 0;
};
// `limit` and `cursor` of a query; refused are those that are none.
std::expected<PageAsk, ApiError> read_page(const WebRequest& request);
// `limit` alone, where a cursor is a word.
std::expected<std::size_t, ApiError> read_limit(const WebRequest& request);

// Refused: a field of the query that is not among these, and one given twice.
std::optional<ApiError> check_query(const WebRequest& request,
                                    std::initializer_list<std::string_view> known);

// A body's fields: an object with no others than these.
class Body {
 public:
  static std::expected<Body, ApiError> read(std::string_view body,
                                            std::initializer_list<std::string_view> known);

  const JsonField* find(std::string_view name) const;  // Nothing also where it is null.
  // A string; absent: empty. Refused: another type.
  std::expected<std::string, ApiError> text(std::string_view name) const;
  std::expected<bool, ApiError> flag(std::string_view name) const;
  std::expected<std::optional<std::int64_t>, ApiError> number(std::string_view name) const;

 private:
  std::vector<JsonField> fields_;
};

ApiError wrong_field(std::string_view name, std::string why);

// "{"items":[…],"next":…}"; a cursor of zero is null.
WebReply list_reply(const std::vector<std::string>& items, std::int64_t next);
// The same where a cursor is a word; empty is null.
WebReply list_reply(const std::vector<std::string>& items, const std::string& next);

}  // namespace haul
