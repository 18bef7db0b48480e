#include "engine/yandexdisk/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/ascii.h"
#include "base/json.h"
#include "base/request_value.h"
#include "base/url.h"
#include "io/web/http_date.h"

namespace haul::yandexdisk {
namespace {

constexpr std::int64_t kWaitMaxMs = 600'000;
constexpr std::int64_t kLockedWaitMs = 120'000;  // Maintenance takes minutes.
constexpr std::string_view kDailyLimit = "DiskResourceDownloadLimitExceededError";

// The fields of one JSON object.
class Fields {
 public:
  static std::optional<Fields> read(std::string_view text) {
    auto fields = read_object(text);
    if (!fields) return std::nullopt;
    return Fields{*std::move(fields)};
  }

  // Empty if it is absent or no text.
  std::string text(std::string_view name) const {
    const JsonField* field = find(name);
    return field && field->json.starts_with('"') ? field->text : std::string{};
  }
  std::optional<std::int64_t> whole(std::string_view name) const {
    const JsonField* field = find(name);
    return field && !field->json.starts_with('"') ? read_whole(field->text) : std::nullopt;
  }
  // The value as JSON. Empty if it is absent.
  std::string json(std::string_view name) const {
    const JsonField* field = find(name);
    return field && !field->is_null ? field->json : std::string{};
  }

 private:
  explicit Fields(std::vector<JsonField> fields) : fields_{std::move(fields)} {}
  const JsonField* find(std::string_view name) const {
    const auto found = std::ranges::find(fields_, name, &JsonField::name);
    return found == fields_.end() ? nullptr : &*found;
  }

  std::vector<JsonField> fields_;
};

std::unexpected<Fault> wrong(std::string_view what) { return std::unexpected{disk_garbage(what)}; }

// Nullopt if it is neither absent nor such a digest.
std::optional<std::string> digest_in(const Fields& fields, std::string_view name,
                                     std::size_t digits) {
  std::string hex = lower(fields.text(name));
  if (hex.empty()) return hex;
  const bool is_hex = hex.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_hex && hex.size() == digits ? std::optional{std::move(hex)} : std::nullopt;
}

Result<DiskMeta> meta_in(const Fields& fields) {
  DiskMeta meta{.name = fields.text("name"), .path = fields.text("path")};
  const std::string type = fields.text("type");
  if (meta.name.empty() || meta.path.empty() || (type != "file" && type != "dir"))
    return wrong("metadata without name, path and type");
  meta.is_file = type == "file";
  meta.resource_id = fields.text("resource_id");
  meta.revision = fields.whole("revision").value_or(0);
  if (!meta.is_file) return meta;
  const auto size = fields.whole("size");
  const auto sha256 = digest_in(fields, "sha256", 64);
  const auto md5 = digest_in(fields, "md5", 32);
  if (!size || *size < 0) return wrong("a file without a size");
  if (!sha256 || !md5) return wrong("a file with an invalid checksum");
  meta.size = *size;
  meta.sha256 = *sha256;
  meta.md5 = *md5;
  meta.mime = fields.text("mime_type");
  return meta;
}

DiskRefusal retryable(std::string code, std::string detail, std::int64_t wait_ms) {
  return {.fault = {FaultKind::retryable, std::move(code), std::move(detail)}, .wait_ms = wait_ms};
}
DiskRefusal permanent(std::string code, std::string detail) {
  return {.fault = {FaultKind::permanent, std::move(code), std::move(detail)}};
}

// The word for programs in an error's body, such as DiskNotFoundError. Empty if there is none.
std::string error_word(std::string_view body) {
  const auto fields = Fields::read(body);
  std::string word = fields ? fields->text("error") : std::string{};
  const bool is_word = std::ranges::all_of(
      word, [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
  return is_word && word.size() <= 64 ? word : std::string{};
}

std::string said(int status, const std::string& word) {
  if (word.empty()) return fmt::format("Yandex Disk answered {}", status);
  return fmt::format("Yandex Disk answered {} {}", status, word);
}

}  // namespace

Fault disk_garbage(std::string_view what) {
  return {FaultKind::retryable, "disk_garbage", fmt::format("Yandex Disk answered with {}", what)};
}

Result<DiskMeta> read_meta(std::string_view body) {
  const auto fields = Fields::read(body);
  if (!fields) return wrong("text that is not a JSON object");
  return meta_in(*fields);
}

Result<std::string> read_link(std::string_view body) {
  const auto fields = Fields::read(body);
  if (!fields) return wrong("text that is not a JSON object");
  const auto url = parse_url(fields->text("href"));
  if (!url) return wrong("a link that is no address");
  return url->text;
}

Result<DiskPage> read_page(std::string_view body) {
  const auto outer = Fields::read(body);
  const auto embedded = outer ? Fields::read(outer->json("_embedded")) : std::nullopt;
  if (!embedded) return wrong("a folder without its list");
  const auto items = read_array(embedded->json("items"));
  const auto total = embedded->whole("total");
  if (!items || !total || *total < 0) return wrong("a folder without its list");
  DiskPage page{.entries = {}, .total = *total};
  for (const std::string& item : *items) {
    const auto fields = Fields::read(item);
    auto meta = fields ? meta_in(*fields) : wrong("an entry that is not a JSON object");
    if (meta)
      page.entries.push_back(*std::move(meta));
    else
      ++page.unreadable;
  }
  return page;
}

Result<DiskGrant> read_grant(std::string_view body) {
  const auto fields = Fields::read(body);
  if (!fields || fields->text("access_token").empty())
    return wrong("a grant without an access token");
  return DiskGrant{.token = fields->text("access_token"),
                   .refresh_token = fields->text("refresh_token"),
                   .expires_in_s = fields->whole("expires_in").value_or(0)};
}

DiskRefusal refusal_of_api(const io::HttpHead& head, std::string_view body, Time now) {
  const int status = head.status;
  const std::string word = error_word(body);
  const std::string detail = said(status, word);
  if (status == 401)
    return {.fault = {FaultKind::environment, kUnauthorised,
                      detail + ": check relay.yandex_token and relay.yandex_refresh_token"}};
  if (status == 403) return permanent("disk_forbidden", detail);
  if (status == 404) return permanent("disk_not_found", detail + ": there is no such file");
  if (status == 423)
    return retryable("disk_locked", detail, std::max(wait_in(head, now), kLockedWaitMs));
  if (status == 429 && word == kDailyLimit)
    return retryable("disk_download_limit", detail + ": the file was downloaded too often today",
                     kWaitMaxMs);
  if (status == 429) return retryable("disk_busy", detail, wait_in(head, now));
  if (status >= 500 && status != 507)
    return retryable("disk_unavailable", detail, wait_in(head, now));
  if (status >= 300 && status < 400)
    return {.fault = disk_garbage(fmt::format(
                "a redirect ({}), which haul does not follow: check relay.yandex_url", status))};
  return permanent("disk_refused", detail);
}

DiskRefusal refusal_of_link(const io::HttpHead& head, Time now) {
  const int status = head.status;
  const std::string detail = fmt::format("the disk's download host answered {}", status);
  if (status == 403) return permanent("disk_forbidden", detail);
  if (status == 404) return permanent("disk_not_found", detail);
  if (status == 410) return retryable("disk_link_expired", detail, 0);
  if (status == 429) return retryable("disk_busy", detail, wait_in(head, now));
  if (status >= 500) return retryable("disk_unavailable", detail, wait_in(head, now));
  return permanent("disk_refused", detail);
}

bool is_final_refusal(const io::HttpHead& head, std::string_view body) {
  if (head.status == 401 || head.status == 403) return true;
  if (head.status != 400) return false;
  const std::string word = error_word(body);
  constexpr std::string_view kFinal[] = {"invalid_grant", "invalid_client",
                                         "unsupported_token_type", "unauthorized_client",
                                         "invalid_scope"};
  return std::ranges::find(kFinal, word) != std::end(kFinal);
}

bool is_outage(const Fault& fault) {
  constexpr std::string_view kOutages[] = {"cannot_connect", "host_not_found", "network_down",
                                           "tls_not_trusted"};
  return std::ranges::find(kOutages, fault.code) != std::end(kOutages);
}

std::int64_t wait_in(const io::HttpHead& head, Time now) {
  const std::string_view text = head.find("retry-after");
  if (text.empty()) return 0;
  if (text.find_first_not_of("0123456789") == std::string_view::npos)
    return std::min(read_whole(text).value_or(kWaitMaxMs), kWaitMaxMs / 1'000) * 1'000;
  const auto date = io::read_http_date(text);
  if (!date) return 0;
  return std::clamp<std::int64_t>((*date - now).count(), 0, kWaitMaxMs);
}

}  // namespace haul::yandexdisk
