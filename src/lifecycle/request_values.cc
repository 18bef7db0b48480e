#include "lifecycle/request_values.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/request_value.h"
#include "base/url.h"

namespace haul {
namespace {

constexpr std::size_t kBookIdMax = 200;
constexpr std::size_t kTitleMax = 1'000;
constexpr std::size_t kExtensionMax = 32;
constexpr std::size_t kChatDigitsMax = 18;
constexpr std::size_t kChatNameLeast = 4;
constexpr std::size_t kChatNameMax = 32;

std::string_view without_prefix(std::string_view text) {
  for (const std::string_view prefix : {"r:", "recursive:"})
    if (text.starts_with(prefix)) return text.substr(prefix.size());
  return text;
}

// A number that fits 63 bits: Telegram's chats have at most 52.
bool is_chat_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= kChatDigitsMax && text.front() != '0' &&
         std::ranges::all_of(text, is_digit);
}

bool is_chat_name(std::string_view text) {
  if (!text.starts_with('@')) return false;
  text.remove_prefix(1);
  return text.size() >= kChatNameLeast && text.size() <= kChatNameMax && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_magnet(std::string_view text) { return text.starts_with("magnet:?"); }

}  // namespace

std::string wrong_with_book_id(std::string_view id) {
  if (id.empty()) return "required";
  if (id.size() > kBookIdMax) return "at most 200 bytes";
  if (id == "." || id == ".." || id.find_first_of("/\\") != std::string_view::npos)
    return "must not be a path";
  return {};
}

std::string wrong_with_title(std::string_view title) {
  return title.size() > kTitleMax ? "at most 1000 bytes" : "";
}

std::string wrong_with_address(std::string_view text) {
  const auto url = parse_url(text);
  if (url) return {};
  return "not an http or https URL: " + url.error().detail;
}

bool has_recursive_prefix(std::string_view text) { return without_prefix(text) != text; }

std::string wrong_with_page(std::string_view text) {
  return wrong_with_address(without_prefix(text));
}

std::string wrong_with_uri(std::string_view text) {
  if (is_magnet(text) || parse_url(text)) return {};
  return "expected a magnet link, or an http or https URL";
}

std::string code_for(std::string (*wrong)(std::string_view), std::string_view text) {
  if (wrong == wrong_with_uri) return "bad_uri";
  if (wrong != wrong_with_address && wrong != wrong_with_page) return "bad_request";
  const auto url = parse_url(without_prefix(text));
  return url ? "bad_request" : url.error().code;
}

std::string wrong_with_extension(std::string_view text) {
  const std::string_view bare = text.starts_with('.') ? text.substr(1) : text;
  const bool is_fit = !bare.empty() && text.size() <= kExtensionMax &&
                      bare.find_first_of("/\\") == std::string_view::npos;
  return is_fit ? "" : "expected a file name extension such as .zip";
}

std::string wrong_with_path(std::string_view text) {
  return text.starts_with('/') ? "" : "expected an absolute path";
}

// The disk would resolve a dot segment itself, and then one file would have two keys.
std::string wrong_with_disk_file(std::string_view text) {
  constexpr const char* kWanted = "expected the path of a file such as disk:/Films/a.mp4";
  if (text.starts_with("disk:")) text.remove_prefix(5);
  if (!text.starts_with('/')) return kWanted;
  while (!text.empty()) {
    text.remove_prefix(1);  // The slash.
    const std::string_view name = text.substr(0, text.find('/'));
    if (name.empty()) return kWanted;
    if (name == "." || name == "..") return "must not contain . or .. as a folder";
    text.remove_prefix(name.size());
  }
  return {};
}

std::string wrong_with_chat(std::string_view text) {
  if (is_chat_number(text) || is_chat_name(text)) return {};
  return "expected a chat's number such as -1001234567890, or @name";
}

}  // namespace haul
