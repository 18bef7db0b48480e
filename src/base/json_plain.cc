#include "base/json_plain.h"

#include <algorithm>
#include <array>
#include <utility>

namespace haul {
namespace {

constexpr int kDepthMax = 16;   // Deeper text goes to the library.
constexpr int kMembers = 8;     // Most objects have no more.
constexpr int kDigitsMax = 15;  // A double holds any such number exactly.

// The bytes that stand for themselves in a string: printable ASCII, but for quotes and backslashes.
constexpr auto kStandsForItself = [] {
  std::array<bool, 256> does{};
  for (std::size_t byte = ' '; byte < 0x7f; ++byte) does[byte] = byte != '"' && byte != '\\';
  return does;
}();

// Reads values and writes them in canonical form. When one function fails, the caller discards
// everything read and asks the library.
class Plain {
 public:
  explicit Plain(std::string_view text) : text_{text} {}

  bool is_over() {
    skip_blanks();
    return at_ == text_.size();
  }

  using Member = std::pair<std::string_view, std::string>;  // The value in canonical form.

  std::optional<std::vector<Member>> members(int depth) {
    if (depth > kDepthMax || !take('{')) return std::nullopt;
    std::vector<Member> found;
    if (take('}')) return found;
    do {
      const auto name = string();
      std::string value;
      if (!name || !take(':') || !append(value, depth + 1)) return std::nullopt;
      found.emplace_back(*name, std::move(value));
    } while (take(','));
    if (!take('}')) return std::nullopt;
    std::ranges::sort(found, {}, &Member::first);
    const bool twice = std::ranges::adjacent_find(found, {}, &Member::first) != found.end();
    return twice ? std::nullopt : std::optional{std::move(found)};
  }

  bool append_object(std::string& out, int depth) {
    const auto found = members(depth);
    if (!found) return false;
    const char* before = "{";
    for (const auto& [name, value] : *found) {
      out.append(before).append("\"").append(name).append("\":").append(value);
      before = ",";
    }
    out += found->empty() ? "{}" : "}";
    return true;
  }

  // Unlike members(), stores no value and does not look for names that are there twice.
  std::optional<std::vector<JsonMember>> views() {
    if (!take('{')) return std::nullopt;
    std::vector<JsonMember> found;
    if (take('}')) return found;
    found.reserve(kMembers);
    do {
      const auto name = string();
      if (!name || !take(':')) return std::nullopt;
      skip_blanks();
      const std::size_t begin = at_;
      if (!skip(2)) return std::nullopt;
      found.push_back({*name, text_.substr(begin, at_ - begin)});
    } while (take(','));
    if (!take('}')) return std::nullopt;
    return found;
  }

  // Skips one value without storing it.
  bool skip(int depth) {
    skip_blanks();
    if (at_ == text_.size()) return false;
    if (text_[at_] == '"') return skip_string();
    if (text_[at_] == '{') return skip_all('{', '}', depth);
    if (text_[at_] == '[') return skip_all('[', ']', depth);
    std::string word;
    return append_word(word) || append_number(word);
  }

  // Strings without their quotes, all else in canonical form.
  std::optional<std::vector<std::string>> elements(int depth) {
    if (depth > kDepthMax || !take('[')) return std::nullopt;
    std::vector<std::string> found;
    if (take(']')) return found;
    do {
      skip_blanks();
      if (at_ < text_.size() && text_[at_] == '"') {
        const auto text = string();
        if (!text) return std::nullopt;
        found.emplace_back(*text);
      } else if (!append(found.emplace_back(), depth + 1)) {
        return std::nullopt;
      }
    } while (take(','));
    if (!take(']')) return std::nullopt;
    return found;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<std::string_view> string() {
    if (!take('"')) return std::nullopt;
    const std::size_t begin = at_;
    pass_plain();
    if (at_ == text_.size() || text_[at_] != '"') return std::nullopt;
    return text_.substr(begin, at_++ - begin);
  }

  void pass_plain() {
    while (at_ < text_.size() && kStandsForItself[static_cast<unsigned char>(text_[at_])]) ++at_;
  }

  // Unlike string(), skips over escaped quotes and backslashes: HTTP validators are full of quotes.
  bool skip_string() {
    if (!take('"')) return false;
    for (pass_plain(); at_ < text_.size() && text_[at_] == '\\'; pass_plain()) {
      ++at_;
      const bool quotes = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\\');
      if (!quotes) return false;
      ++at_;
    }
    if (at_ == text_.size() || text_[at_] != '"') return false;
    ++at_;
    return true;
  }

  // Takes no sign, so that the library handles -0.
  bool append_number(std::string& out) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    const std::string_view digits = text_.substr(begin, at_ - begin);
    const char next = at_ < text_.size() ? text_[at_] : ',';
    const bool goes_on = next == '.' || next == 'e' || next == 'E';
    if (digits.empty() || digits.size() > kDigitsMax || goes_on) return false;
    if (digits.size() > 1 && digits.front() == '0') return false;
    out += digits;
    return true;
  }

  bool append_word(std::string& out) {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      out += word;
      return true;
    }
    return false;
  }

  bool append(std::string& out, int depth) {
    skip_blanks();
    if (at_ == text_.size()) return false;
    if (text_[at_] == '{') return append_object(out, depth);
    if (text_[at_] == '[') return append_array(out, depth);
    if (text_[at_] != '"') return append_word(out) || append_number(out);
    const auto value = string();
    if (!value) return false;
    out.append("\"").append(*value).append("\"");
    return true;
  }

  bool append_array(std::string& out, int depth) {
    if (depth > kDepthMax || !take('[')) return false;
    if (take(']')) {
      out += "[]";
      return true;
    }
    char before = '[';
    do {
      out += std::exchange(before, ',');
      if (!append(out, depth + 1)) return false;
    } while (take(','));
    out += ']';
    return take(']');
  }

  bool skip_all(char open, char close, int depth) {
    if (depth > kDepthMax || !take(open)) return false;
    if (take(close)) return true;
    do {
      const bool is_named = open == '[' || (skip_string() && take(':'));
      if (!is_named || !skip(depth + 1)) return false;
    } while (take(','));
    return take(close);
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

std::string own_text(const std::string& json) {
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

}  // namespace

std::optional<std::vector<JsonField>> read_plain_object(std::string_view text) {
  Plain plain{text};
  auto members = plain.members(1);
  if (!members || !plain.is_over()) return std::nullopt;
  std::vector<JsonField> fields;
  fields.reserve(members->size());
  for (auto& [name, json] : *members) {
    const bool is_null = json == "null";
    std::string own = own_text(json);
    fields.push_back({std::string{name}, std::move(own), is_null, std::move(json)});
  }
  return fields;
}

std::optional<std::vector<std::string>> read_plain_array(std::string_view text) {
  Plain plain{text};
  auto elements = plain.elements(1);
  return plain.is_over() ? std::move(elements) : std::nullopt;
}

std::optional<std::string> plain_canonical(std::string_view text) {
  Plain plain{text};
  std::string out;
  out.reserve(text.size());
  if (!plain.append_object(out, 1) || !plain.is_over()) return std::nullopt;
  return out;
}

std::optional<std::vector<JsonMember>> plain_members(std::string_view text) {
  Plain plain{text};
  auto members = plain.views();
  return plain.is_over() ? std::move(members) : std::nullopt;
}

bool is_plain_json(std::string_view text) {
  Plain plain{text};
  return plain.skip(1) && plain.is_over();
}

}  // namespace haul
