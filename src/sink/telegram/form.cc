#include "sink/telegram/form.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/json.h"
#include "base/utf8.h"

namespace haul::telegram {
namespace {

constexpr std::size_t kBoundaryMax = 70;
constexpr std::size_t kStemMax = 60;    // Characters. Newer servers keep 64.
constexpr std::size_t kEndingMax = 16;  // Older servers keep 20.
constexpr std::size_t kChatDigitsMax = 19;
constexpr std::size_t kChatNameMax = 64;

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// "text/plain; charset=x" would be split at its ";".
bool is_plain_type(std::string_view mime) {
  const bool is_plain = std::ranges::all_of(
      mime, [](char c) { return is_word(c) || c == '/' || c == '-' || c == '.' || c == '+'; });
  return is_plain && mime.size() <= 127 && std::ranges::count(mime, '/') == 1 &&
         !mime.starts_with('/') && !mime.ends_with('/');
}

std::string field(const std::string& boundary, std::string_view name, std::string_view value) {
  return fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", boundary,
                     name, value);
}

// At most this many characters of a text that is UTF-8.
std::string_view first_characters(std::string_view text, std::size_t most) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < most && size < text.size(); ++i)
    size += first_code_point(text.substr(size)).size;
  return text.substr(0, size);
}

// The characters that would end the name, the header or the part.
bool breaks_header(std::uint32_t code) {
  return is_control(code) || code == '"' || code == ';' || code == '/' || code == '\\';
}

std::string in_one_piece(const std::string& name) {
  std::string out;
  for (std::string_view left = name; !left.empty();) {
    const CodePoint next = first_code_point(left);
    if (breaks_header(next.code))
      out += '_';
    else if (!is_invisible(next.code))
      out += left.substr(0, next.size);
    left.remove_prefix(next.size);
  }
  return out;
}

}  // namespace

SendForm document_form(const DocumentPart& part, const std::string& boundary) {
  ensure(!boundary.empty() && boundary.size() <= kBoundaryMax &&
             std::ranges::all_of(boundary, [](char c) { return is_letter(c) || is_digit(c); }),
         "a boundary is one word");
  ensure(is_chat(part.chat), "a chat's id fits into a form");
  const std::string_view mime =
      is_plain_type(part.mime) ? std::string_view{part.mime} : "application/octet-stream";
  return {.type = "multipart/form-data; boundary=" + boundary,
          .head = field(boundary, "chat_id", part.chat) +
                  // Otherwise Telegram may turn the file into an animation or a song.
                  field(boundary, "disable_content_type_detection", "true") +
                  fmt::format("--{}\r\nContent-Disposition: form-data; name=\"document\"; "
                              "filename=\"{}\"\r\nContent-Type: {}\r\n\r\n",
                              boundary, document_name(part.name), mime),
          .tail = fmt::format("\r\n--{}--\r\n", boundary)};
}

SendForm known_file_form(const std::string& chat, const std::string& file_id) {
  ensure(is_chat(chat), "a chat's id fits into a form");
  return {.type = "application/json",
          .head = fmt::format(R"({{"chat_id":{},"document":{})", json_quoted(chat),
                              json_quoted(file_id)),
          .tail = "}"};
}

bool is_chat(std::string_view chat) {
  if (chat.starts_with('@'))
    return chat.size() > 1 && chat.size() <= kChatNameMax + 1 &&
           std::ranges::all_of(chat.substr(1), is_word);
  if (chat.starts_with('-')) chat.remove_prefix(1);
  return !chat.empty() && chat.size() <= kChatDigitsMax && std::ranges::all_of(chat, is_digit);
}

bool is_group(std::string_view chat) { return chat.starts_with('-') || chat.starts_with('@'); }

std::string document_name(std::string_view name) {
  const std::string whole = in_one_piece(to_utf8(name));
  std::string_view shown = whole;
  shown.remove_prefix(std::min(shown.find_first_not_of(". "), shown.size()));
  const std::size_t dot = std::min(shown.rfind('.'), shown.size());
  const std::string_view stem = first_characters(shown.substr(0, dot), kStemMax);
  const std::string_view ending = first_characters(shown.substr(dot), kEndingMax + 1);
  return stem.empty() ? "file" : std::string{stem} + std::string{ending};
}

}  // namespace haul::telegram
