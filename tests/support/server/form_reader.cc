#include "support/server/form_reader.h"

#include <algorithm>
#include <span>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul::testing {
namespace {

constexpr std::size_t kHeadMax = std::size_t{256} << 10U;
constexpr std::size_t kFieldMax = std::size_t{1} << 20U;
constexpr std::size_t kStemMax = 60;
constexpr std::size_t kEndingMax = 20;

struct PartHead {
  std::string name;
  std::optional<std::string> filename;
  std::string mime;
};

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
    text = text.substr(1, text.size() - 2);
  return std::string{text};
}

// Splits at every ";", also inside quotes, and ignores "filename*".
void read_disposition(std::string_view value, PartHead& head) {
  while (!value.empty()) {
    const std::string_view piece = value.substr(0, value.find(';'));
    value.remove_prefix(std::min(piece.size() + 1, value.size()));
    const std::size_t equals = std::min(piece.find('='), piece.size());
    const std::string key = lower(trimmed(piece.substr(0, equals)));
    if (equals == piece.size()) continue;
    if (key == "name") head.name = unquoted(piece.substr(equals + 1));
    if (key == "filename") head.filename = unquoted(piece.substr(equals + 1));
  }
}

PartHead read_part_head(std::string_view text) {
  PartHead head;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find("\r\n"));
    text.remove_prefix(std::min(line.size() + 2, text.size()));
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string name = lower(line.substr(0, colon));
    const std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (name == "content-disposition") read_disposition(value, head);
    if (name == "content-type") head.mime = std::string{trimmed(value)};
  }
  return head;
}

std::string characters(std::string_view text, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < most && !text.empty(); ++i) {
    const std::size_t size = std::max<std::size_t>(first_code_point(text).size, 1);
    out += text.substr(0, size);
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace

std::string cleaned_name(std::string_view name) {
  std::string plain{name};
  std::ranges::replace_if(
      plain, [](char c) { return std::string_view{"<>:\"/\\|?*&`'"}.find(c) != std::string::npos; },
      ' ');
  std::string_view left = plain;
  left.remove_prefix(std::min(left.find_first_not_of(". "), left.size()));
  const std::size_t dot = std::min(left.rfind('.'), left.size());
  return characters(left.substr(0, dot), kStemMax) + characters(left.substr(dot), kEndingMax + 1);
}

bool FormReader::add(std::string_view bytes) {
  unread_ += bytes;
  while (step()) {
  }
  return at_ != At::broken;
}

bool FormReader::step() {
  switch (at_) {
    case At::start:
      return read_start();
    case At::head:
      return read_head();
    case At::part:
      return read_part();
    case At::after_part:
      return read_after_part();
    case At::end:
    case At::broken:
      break;
  }
  return false;
}

bool FormReader::broken() {
  at_ = At::broken;
  return false;
}

bool FormReader::read_start() {
  const std::string first = "--" + boundary_ + "\r\n";
  if (unread_.size() < first.size()) return false;
  if (!unread_.starts_with(first)) return broken();
  unread_.erase(0, first.size());
  at_ = At::head;
  return true;
}

bool FormReader::read_head() {
  const std::size_t end = unread_.find("\r\n\r\n");
  if (end == std::string::npos) return unread_.size() > kHeadMax ? broken() : false;
  const PartHead head = read_part_head(std::string_view{unread_}.substr(0, end));
  unread_.erase(0, end + 4);
  if (head.name.empty()) return broken();
  field_ = head.name;
  is_file_ = head.filename.has_value();
  if (is_file_) {
    file_ = ReadFile{.field = field_, .name = cleaned_name(*head.filename), .mime = head.mime};
    hasher_ = Hasher::of("sha256");
  }
  at_ = At::part;
  return true;
}

bool FormReader::read_part() {
  const std::string delimiter = "\r\n--" + boundary_;
  const std::size_t end = unread_.find(delimiter);
  if (end == std::string::npos) {
    // The delimiter may have begun.
    const std::size_t sure = unread_.size() - std::min(unread_.size(), delimiter.size() - 1);
    take(std::string_view{unread_}.substr(0, sure));
    unread_.erase(0, sure);
    return false;
  }
  take(std::string_view{unread_}.substr(0, end));
  unread_.erase(0, end + delimiter.size());
  end_part();
  at_ = At::after_part;
  return true;
}

bool FormReader::read_after_part() {
  if (unread_.size() < 2) return false;
  const bool is_last = unread_.starts_with("--");
  if (!is_last && !unread_.starts_with("\r\n")) return broken();
  unread_.erase(0, 2);
  at_ = is_last ? At::end : At::head;
  return true;
}

void FormReader::take(std::string_view bytes) {
  if (is_file_) {
    file_->size += std::ssize(bytes);
    hasher_->add(std::as_bytes(std::span{bytes}));
  } else if (fields_[field_].size() < kFieldMax) {
    fields_[field_] += bytes;
  }
}

void FormReader::end_part() {
  if (is_file_) file_->sha256 = hasher_->hex();
}

}  // namespace haul::testing
