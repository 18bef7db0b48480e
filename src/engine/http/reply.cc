#include "engine/http/reply.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/hash.h"
#include "io/file/content.h"
#include "io/web/http_date.h"
#include "io/web/http_fault.h"

namespace haul::http {
namespace {

constexpr std::int64_t kRetryAfterMaxMs = 600'000;  // Z-11
constexpr Millis kOldEnough{60'000};  // A file that changes twice within a second keeps its date.

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || at != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

Reply fault(FaultKind kind, std::string code, std::string detail) {
  return {.meaning = Meaning::fault, .fault = {kind, std::move(code), std::move(detail)}};
}

// Two equal Content-Length headers are accepted. Two different ones contradict each other.
struct Length {
  bool contradicts = false;
  std::optional<std::int64_t> value;
};
Length read_length(const io::HttpHead& head) {
  Length length;
  for (const auto& [name, text] : head.headers) {
    if (name != "content-length") continue;
    const auto value = read_number(text);
    if (!value || (length.value && *length.value != *value)) return {.contradicts = true};
    length.value = value;
  }
  if (!head.find("transfer-encoding").empty()) length.value.reset();  // It overrides the length.
  return length;
}

struct ContentRange {
  std::optional<std::int64_t> from;  // No value for "*": no range fits.
  std::int64_t to = 0;               // The last byte, inclusive.
  std::optional<std::int64_t> total;
};
std::optional<ContentRange> read_content_range(std::string_view text) {
  if (!lower(text).starts_with("bytes ")) return std::nullopt;
  text.remove_prefix(6);
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  ContentRange range;
  const std::string_view total = text.substr(slash + 1);
  range.total = read_number(total);
  if (!range.total && total != "*") return std::nullopt;
  const std::string_view span = text.substr(0, slash);
  if (span == "*") return range;
  const auto dash = span.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  range.from = read_number(span.substr(0, dash));
  const auto last = read_number(span.substr(dash + 1));
  if (!range.from || !last || *last < *range.from) return std::nullopt;
  if (range.total && *last >= *range.total) return std::nullopt;
  range.to = *last;
  return range;
}

Version read_version(const io::HttpHead& head) {
  Version version;
  const std::string_view etag = head.find("etag");
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') version.etag = etag;
  const auto modified = io::read_http_date(head.find("last-modified"));
  const auto date = io::read_http_date(head.find("date"));
  if (modified && date && *modified > Time{} && *date - *modified >= kOldEnough)
    version.last_modified = head.find("last-modified");
  return version;
}

// Repr-Digest: sha-256=:…: (RFC 9530), or the older Digest: SHA-256=….
Checksum read_digest(const io::HttpHead& head) {
  for (const char* name : {"repr-digest", "digest"}) {
    const std::string_view text = head.find(name);
    const auto at = lower(text).find("sha-256=");
    if (at == std::string::npos) continue;
    std::string_view value = text.substr(at + 8);
    value = value.substr(0, value.find_first_of(", ;"));
    if (value.size() > 2 && value.front() == ':' && value.back() == ':')
      value = value.substr(1, value.size() - 2);
    if (std::string hex = base64_to_hex(value); hex.size() == 64) return {"sha256", std::move(hex)};
  }
  return {};
}

std::int64_t retry_after_ms(const io::HttpHead& head, Time now) {
  const std::string_view text = head.find("retry-after");
  if (const auto seconds = read_number(text))
    return std::min(*seconds, kRetryAfterMaxMs / 1'000) * 1'000;
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos)
    return kRetryAfterMaxMs;  // The number is too large to be read.
  const auto date = io::read_http_date(text);
  if (!date) return 0;
  return std::clamp<std::int64_t>((*date - now).count(), 0, kRetryAfterMaxMs);
}

bool promises_media(io::MediaKind kind) {
  return kind != io::MediaKind::page && kind != io::MediaKind::other;
}

bool is_html(std::string_view type) {
  return type == "text/html" || type == "application/xhtml+xml";
}
bool is_json(std::string_view type) {
  return type == "application/json" || type == "text/json" || type.ends_with("+json");
}

// Whether the name has an extension, and not that of a page or of JSON.
bool names_other(std::string_view name) {
  return name.find('.') != std::string_view::npos && io::kind_of(name) != io::MediaKind::page &&
         !lower(name).ends_with("json");
}

// What the server sends in place of a range.
enum class Instead : std::uint8_t { nothing, whole_body };

// F34: a fault if the content type cannot be that of the requested file. A whole page or JSON in
// place of the rest of a file is no new version of it, unless the name says so or the bytes so far
// had such a type, too.
std::optional<Reply> judge_type(std::string_view type, std::string_view expected, Instead instead,
                                bool was_page) {
  const bool is_page = is_html(type);
  if (!is_page_type(type)) return std::nullopt;
  const std::string detail = fmt::format("{} came instead of the file; a login may be needed",
                                         is_page ? "a web page" : "JSON");
  if (instead == Instead::whole_body && !was_page && names_other(expected))
    return fault(FaultKind::permanent, "page_instead", detail);
  if (is_page ? promises_media(io::kind_of(expected)) : io::promises_bytes(expected))
    return fault(FaultKind::permanent, "unexpected_content", detail);
  return std::nullopt;
}

Reply judge_redirect(const io::HttpHead& head) {
  const std::string_view location = head.find("location");
  if (location.empty())
    return fault(FaultKind::permanent, "bad_redirect", "a redirect without an address");
  return {.meaning = Meaning::moved, .location = std::string{location}};
}

Reply judge_refusal(const SentRequest& sent, const io::HttpHead& head) {
  const FaultKind kind = io::kind_of_status(head.status);
  Reply reply = fault(kind, fmt::format("http_{}", head.status),
                      fmt::format("the server answered {}", head.status));
  if (kind == FaultKind::retryable) reply.wait_ms = retry_after_ms(head, sent.now);
  return reply;
}

// 416: the file has no more bytes, or the bytes so far are of another version.
Reply judge_unsatisfied(const SentRequest& sent, const io::HttpHead& head) {
  const auto range = read_content_range(head.find("content-range"));
  if (!sent.is_range) return judge_refusal(sent, head);
  const bool all_here = range && range->total && *range->total == sent.from &&
                        (!sent.known.size || *sent.known.size == sent.from);
  return {.meaning = all_here ? Meaning::complete : Meaning::changed, .version = sent.known};
}

bool is_same(const Version& known, const Version& now) {
  if (!known.etag.empty() && !now.etag.empty() && known.etag != now.etag) return false;
  return !known.size || !now.size || *known.size == *now.size;
}

// A server may send a part of another version although If-Range forbids it.
bool is_other(const io::HttpHead& head, const Version& known) {
  if (!known.is_strong()) return false;  // Asked without If-Range: a hash will tell.
  const bool by_tag = !known.etag.empty();
  const std::string_view now = head.find(by_tag ? "etag" : "last-modified");
  return !now.empty() && now != (by_tag ? known.etag : known.last_modified);
}

enum class BodyForm : std::uint8_t { plain, coded };

// A range of a coded body counts coded bytes, so it goes on with nothing that is here.
Reply judge_part(const SentRequest& sent, const io::HttpHead& head, BodyForm body, Reply reply) {
  if (!sent.is_range)
    return fault(FaultKind::permanent, "bad_answer",
                 "a part of the file, but haul asked for all of it");
  const auto range = read_content_range(head.find("content-range"));
  reply.meaning = Meaning::changed;
  if (body == BodyForm::coded) return reply;
  if (!range || !range->from || *range->from != sent.from) return reply;
  reply.version.size = range->total ? range->total : sent.known.size;
  // A server may send less than it was asked for. Without a size its end would look like the
  // file's.
  if (!reply.version.size) return reply;
  if (is_other(head, sent.known) || !is_same(sent.known, reply.version) ||
      reply.type == "multipart/byteranges")
    return reply;
  reply.meaning = Meaning::part;
  reply.takes_ranges = true;
  return reply;
}

}  // namespace

bool is_page_type(std::string_view type) { return is_html(type) || is_json(type); }

Reply judge_reply(const SentRequest& sent, const io::HttpHead& head, Coding coding) {
  const int status = head.status;
  constexpr std::array kRedirects = {301, 302, 303, 307, 308};
  if (std::ranges::find(kRedirects, status) != kRedirects.end()) return judge_redirect(head);
  if (status == 416) return judge_unsatisfied(sent, head);
  if (status == 204 || status == 205)
    return fault(FaultKind::permanent, "no_content", "the server has nothing to send");
  if (status != 200 && status != 206) return judge_refusal(sent, head);

  const Length length = read_length(head);
  if (length.contradicts)
    return fault(FaultKind::permanent, "bad_answer", "the length contradicts itself");
  Reply reply{.version = read_version(head), .digest = read_digest(head)};
  reply.given = {std::string{head.find("etag")}, std::string{head.find("last-modified")}};
  const std::string_view type = head.find("content-type");
  reply.type = lower(type.substr(0, type.find_first_of("; ")));
  reply.name = io::disposition_name(head.find("content-disposition"));
  const std::string coded = lower(head.find("content-encoding"));
  const bool is_coded = !coded.empty() && coded != "identity";
  const std::string expected = reply.name.empty() ? io::url_name(sent.url) : reply.name;
  const Instead instead = sent.is_range && status == 200 ? Instead::whole_body : Instead::nothing;
  if (auto unexpected = judge_type(reply.type, expected, instead, sent.was_page))
    return *std::move(unexpected);
  if (status == 206)
    return judge_part(sent, head, is_coded ? BodyForm::coded : BodyForm::plain, std::move(reply));
  reply.length_proven = length.value || !head.find("transfer-encoding").empty();
  reply.version.size = length.value;
  reply.meaning = Meaning::whole;
  // Ranges count encoded bytes, so nothing of this body can be resumed or joined.
  if (is_coded) {
    if (coding == Coding::plain) reply.meaning = Meaning::coded;
    reply.version = {.size = coding == Coding::plain ? length.value : std::nullopt};
    reply.digest = {};
    if (coding == Coding::decoded) reply.given.etag.clear();  // It is that of the coded body.
    return reply;
  }
  reply.takes_ranges = lower(head.find("accept-ranges")) == "bytes" && reply.version.is_strong();
  return reply;
}

}  // namespace haul::http
