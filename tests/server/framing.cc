#include "server/framing.h"

#include <fmt/core.h>

#include <algorithm>

namespace haul::server {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 16U;

std::string length_field(const std::string& value) { return "Content-Length: " + value; }

// The number after the prefix: "short:5" gives 5 for the prefix "short:".
std::optional<std::uint64_t> after_prefix(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return read_number("length", text.substr(prefix.size()));
}

Framed with_length(const Step& body, const std::string& how) {
  const std::uint64_t size = body_size(body);
  const std::string right = length_field(std::to_string(size));
  Framed out{.steps = {body, End::close}};
  if (how == "right" || how == "twice") {
    out.fields.assign(how == "twice" ? 2 : 1, right);
    out.steps.back() = End::keep;
  } else if (const auto less = after_prefix(how, "short:")) {
    out.fields = {length_field(std::to_string(size - std::min(*less, size)))};
  } else if (const auto more = after_prefix(how, "long:")) {
    out.fields = {length_field(std::to_string(size + *more))};
  } else if (how == "twice_differ") {
    out.fields = {right, length_field(std::to_string(size + 1))};
  } else if (how == "huge") {
    out.fields = {length_field("9223372036854775807")};  // The largest signed 64-bit number.
  } else if (how == "overflow") {
    out.fields = {length_field("18446744073709551616")};  // 2^64: too large for 64 bits.
  } else if (how != "none") {
    throw BadSwitch{"length=" + how + ": no such value"};
  }
  return out;
}

Step part_of(const Step& body, std::uint64_t first, std::uint64_t size) {
  Step part = body;
  if (auto* content = std::get_if<Content>(&part)) {
    content->first += first;
    content->size = size;
  } else if (auto* text = std::get_if<Text>(&part)) {
    text->text = text->text.substr(first, size);
  }
  return part;
}

Framed chunked(const Step& body, const std::string& how) {
  const std::uint64_t size = body_size(body);
  Framed out{.fields = {"Transfer-Encoding: chunked"}};
  if (how == "with_length") out.fields.push_back(length_field(std::to_string(size + 1)));
  for (std::uint64_t first = 0; first < size; first += kChunk) {
    const std::uint64_t part = std::min(kChunk, size - first);
    out.steps.push_back(Text{.text = fmt::format("{:x}\r\n", part)});
    out.steps.push_back(part_of(body, first, part));
    out.steps.push_back(Text{.text = "\r\n"});
  }
  if (how == "bad_size") out.steps.push_back(Text{.text = "FFFFFFFFFFFFFFFF1\r\nx\r\n"});
  if (how == "trailer") out.steps.push_back(Text{.text = "0\r\nContent-Length: 1\r\n\r\n"});
  if (how == "ok" || how == "with_length") out.steps.push_back(Text{.text = "0\r\n\r\n"});
  out.steps.push_back(how == "ok" || how == "trailer" ? End::keep : End::close);
  return out;
}

}  // namespace

std::uint64_t body_size(const Step& step) {
  if (const auto* content = std::get_if<Content>(&step)) return content->size;
  const auto* text = std::get_if<Text>(&step);
  return text && text->role == Role::body ? text->text.size() : 0;
}

Framed framed(const Step& body, const Switches& switches) {
  const std::string how =
      switches.word("chunked", {"not", "ok", "no_end", "bad_size", "with_length", "trailer"});
  if (how != "not") return chunked(body, how);
  return with_length(body, switches.text("length", "right"));
}

void cut(std::vector<Step>& steps, std::uint64_t after, const Step& end) {
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    const std::uint64_t size = body_size(*step);
    if (after == 0 || after < size) {
      if (after > 0) {
        *step = part_of(*step, 0, after);
        ++step;
      }
      steps.erase(step, steps.end());
      steps.push_back(end);
      return;
    }
    after -= size;
  }
}

}  // namespace haul::server
