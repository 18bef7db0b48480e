#include "engine/qbittorrent/bencode.h"

#include <charconv>

#include "base/ascii.h"

namespace haul::qbittorrent {
namespace {

constexpr std::size_t kDepthMax = 32;

std::unexpected<Fault> bad(std::string_view why) {
  return std::unexpected{Fault{FaultKind::permanent, "bad_bencode", std::string{why}}};
}

using Kind = Bencoded::Kind;

// A list or dictionary that has not ended yet.
struct Open {
  Kind kind = Kind::list;
  std::size_t from = 0;
  bool has_name = false;  // In a dictionary: the name is read, its value is not.
};

class BencodeWalk {
 public:
  BencodeWalk(std::string_view bytes, BencodeReader& reader) : bytes_{bytes}, reader_{reader} {}

  Result<void> run() {
    do {
      if (auto stepped = step(); !stepped) return stepped;
      if (enough_) return {};
    } while (!open_.empty());
    if (at_ != bytes_.size()) return bad("extra bytes follow its end");
    return {};
  }

 private:
  Result<void> step() {
    if (at_ >= bytes_.size()) return bad("it ends too early");
    const char c = bytes_[at_];
    if (c == 'e') return close();
    if (!open_.empty() && open_.back().kind == Kind::dictionary && !open_.back().has_name)
      return read_name();
    if (c == 'i') return read_number();
    if (c == 'l' || c == 'd') return open(c == 'l' ? Kind::list : Kind::dictionary);
    const auto text = read_text();
    if (!text) return std::unexpected{text.error()};
    tell({.kind = Kind::text,
          .path = path_,
          .raw = bytes_.substr(from_, at_ - from_),
          .text = *text});
    return {};
  }

  // Called at a value's first byte. An element of a list gets an empty name.
  void begin_value() {
    from_ = at_;
    if (!open_.empty() && open_.back().kind == Kind::list) path_.emplace_back();
  }

  void tell(const Bencoded& value) {
    enough_ = !reader_.see(value);
    if (open_.empty()) return;
    path_.pop_back();
    open_.back().has_name = false;
  }

  Result<void> open(Kind kind) {
    if (open_.size() >= kDepthMax) return bad("nested too deep");
    begin_value();
    open_.push_back({.kind = kind, .from = at_});
    ++at_;
    return {};
  }

  Result<void> close() {
    if (open_.empty() || open_.back().has_name) return bad("an end without a beginning");
    const Open closed = open_.back();
    open_.pop_back();
    ++at_;
    tell({.kind = closed.kind,
          .path = path_,
          .raw = bytes_.substr(closed.from, at_ - closed.from),
          .text = {}});
    return {};
  }

  Result<void> read_name() {
    const auto name = read_length_and_bytes();
    if (!name) return std::unexpected{name.error()};
    open_.back().has_name = true;
    path_.push_back(*name);
    return {};
  }

  Result<std::string_view> read_text() {
    begin_value();
    return read_length_and_bytes();
  }

  Result<std::string_view> read_length_and_bytes() {
    const std::size_t colon = bytes_.find(':', at_);
    const std::string_view digits =
        bytes_.substr(at_, colon == std::string_view::npos ? 0 : colon - at_);
    std::size_t length = 0;
    if (!read_digits(digits, length)) return bad("expected a string length");
    if (length > bytes_.size() - colon - 1) return bad("the string is longer than the file");
    at_ = colon + 1 + length;
    return bytes_.substr(colon + 1, length);
  }

  template <class Number>
  static bool read_digits(std::string_view digits, Number& number) {
    if (digits.empty() || digits.size() > 19) return false;
    if (digits.front() == '0' && digits.size() > 1) return false;
    const char* end = digits.data() + digits.size();
    for (const char c : digits)
      if (!is_digit(c)) return false;
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    return error == std::errc{} && stop == end;
  }

  Result<void> read_number() {
    begin_value();
    const std::size_t end = bytes_.find('e', at_);
    if (end == std::string_view::npos) return bad("a number without an end");
    std::string_view digits = bytes_.substr(at_ + 1, end - at_ - 1);
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    std::int64_t number = 0;
    if (!read_digits(digits, number) || (negative && number == 0)) return bad("not a number");
    at_ = end + 1;
    tell({.kind = Kind::number,
          .path = path_,
          .raw = bytes_.substr(from_, at_ - from_),
          .text = {},
          .number = negative ? -number : number});
    return {};
  }

  std::string_view bytes_;
  BencodeReader& reader_;
  std::size_t at_ = 0;
  std::size_t from_ = 0;
  std::vector<Open> open_;
  std::vector<std::string_view> path_;
  bool enough_ = false;
};

}  // namespace

Result<void> read_bencode(std::string_view bytes, BencodeReader& reader) {
  return BencodeWalk{bytes, reader}.run();
}

}  // namespace haul::qbittorrent
