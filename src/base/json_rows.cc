// Reads rows out of a long array without building a tree of all its values.

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace haul {
namespace {

using Json = nlohmann::json;
using Kind = JsonScalar::Kind;

constexpr std::size_t kBytesMax = std::size_t{64} << 20U;
constexpr int kDepthMax = 32;

// Parser callbacks. The array is at depth 1, the members of its elements are at depth 2. A callback
// that returns false stops the parser.
class Rows {
 public:
  Rows(std::span<const std::string_view> names, std::size_t rows_max)
      : names_{names}, rows_max_{rows_max} {}

  bool null() { return scalar({}); }
  bool boolean(bool value) { return scalar({Kind::boolean, value ? "true" : "false"}); }
  bool number_integer(std::int64_t value) { return scalar({Kind::number, std::to_string(value)}); }
  bool number_unsigned(std::uint64_t value) {
    return scalar({Kind::number, std::to_string(value)});
  }
  bool number_float(double, const std::string& text) { return scalar({Kind::number, text}); }
  bool string(std::string& value) { return scalar({Kind::text, std::move(value)}); }
  bool binary(Json::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(false); }
  bool start_array(std::size_t) { return open(true); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    at_ = names_.size();
    if (depth_ != 2) return true;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) at_ = i;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    why = "not JSON";
    return false;
  }

  std::vector<JsonRow> rows;
  std::string why;

 private:
  bool stop(const char* because) {
    why = because;
    return false;
  }
  bool open(bool is_list) {
    if (depth_ == 0 && !is_list) return stop("not an array");
    if (depth_ == 1 && !add_row()) return false;
    in_row_ = depth_ == 1 ? !is_list : in_row_;
    if (++depth_ > kDepthMax) return stop("nested too deep");
    at_ = names_.size();
    return true;
  }
  bool close() {
    --depth_;
    at_ = names_.size();
    return true;
  }
  bool add_row() {
    if (rows.size() >= rows_max_) return stop("too many");
    rows.emplace_back(names_.size());
    return true;
  }
  bool scalar(JsonScalar value) {
    if (depth_ == 0) return stop("not an array");
    if (depth_ == 1) return add_row();
    if (depth_ == 2 && in_row_ && at_ < names_.size()) rows.back()[at_] = std::move(value);
    return true;
  }

  std::span<const std::string_view> names_;
  std::size_t rows_max_;
  int depth_ = 0;
  bool in_row_ = false;
  std::size_t at_ = 0;  // The name the next value belongs to; names_.size() if none.
};

}  // namespace

std::optional<std::int64_t> JsonScalar::whole() const {
  if (kind != Kind::number) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

Result<std::vector<JsonRow>> read_rows(std::string_view text,
                                       std::span<const std::string_view> names,
                                       std::size_t rows_max) {
  Rows rows{names, rows_max};
  if (text.size() > kBytesMax) rows.why = "more than 64 MiB";
  if (text.find('\0') != std::string_view::npos) rows.why = "not JSON";
  if (rows.why.empty()) Json::sax_parse(text, &rows);
  if (!rows.why.empty())
    return std::unexpected{Fault{FaultKind::rejected, "bad_json", std::move(rows.why)}};
  return std::move(rows.rows);
}

}  // namespace haul
