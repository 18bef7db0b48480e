#include "engine/yandexdisk/tokens.h"

#include <fmt/core.h>

#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/query.h"
#include "base/request_value.h"

namespace haul::yandexdisk {
namespace {

constexpr Millis kClaimFor{60'000};  // Longer than a refresh may take.
constexpr Millis kRefreshWithin{30'000};
constexpr Millis kLookEvery{500};
constexpr int kWaitsMax = 150;  // More than the other worker's claim lasts.
constexpr std::size_t kAskedMax = 10'000;
constexpr std::size_t kGrantMax = std::size_t{64} << 10U;

Fault unauthorised(std::string_view why) {
  return {FaultKind::environment, kUnauthorised,
          fmt::format("{}. Set relay.yandex_token or relay.yandex_refresh_token", why)};
}

// Changes when the operator configures other tokens: a record of earlier ones is then void.
std::string source_of(const DiskSettings& settings) {
  return sha256_hex(fmt::format("[{},{},{}]", json_quoted(settings.token),
                                json_quoted(settings.refresh_token),
                                json_quoted(settings.client_id)))
      .substr(0, 16);
}

// A claim that ends later than any made now is from before the clock was set back. Its worker may
// be gone, so haul does not wait for it.
bool is_claimed(const TokenRecord& record, Time now) {
  return record.claimed_until > to_unix_ms(now) &&
         record.claimed_until <= to_unix_ms(now + kClaimFor);
}

}  // namespace

std::string record_text(const TokenRecord& record) {
  return fmt::format(R"({{"claimed_until":{},"refresh_token":{},"source":{},"token":{}}})",
                     record.claimed_until, json_quoted(record.refresh_token),
                     json_quoted(record.source), json_quoted(record.token));
}

TokenRecord read_record(const std::string& text) {
  TokenRecord record;
  const auto fields = read_object(text);
  if (!fields) return record;
  for (const JsonField& field : *fields) {
    if (field.name == "claimed_until") record.claimed_until = read_whole(field.text).value_or(0);
    if (field.name == "refresh_token") record.refresh_token = field.text;
    if (field.name == "source") record.source = field.text;
    if (field.name == "token") record.token = field.text;
  }
  return record;
}

DiskTokens::DiskTokens(io::HttpLoop& loop, const Clock& clock, TokenKeeper& keeper,
                       const DiskSettings& settings)
    : loop_{loop},
      clock_{clock},
      keeper_{keeper},
      settings_{settings},
      fetcher_{loop},
      source_{source_of(settings)} {}

Result<KeptToken> DiskTokens::read() {
  auto kept = keeper_.get();
  if (!kept) return kept;
  version_ = kept->version;
  record_ = read_record(kept->text);
  if (record_.source == source_) return kept;
  record_ = {.source = source_,
             .token = settings_.token,
             .refresh_token = settings_.refresh_token,
             .claimed_until = 0};
  return kept;
}

Result<std::string> DiskTokens::current() {
  if (!record_.source.empty()) return record_.token;
  const auto kept = read();
  if (!kept) return std::unexpected{kept.error()};
  return record_.token;
}

void DiskTokens::replace(const std::string& refused, Then then) {
  if (asked_.size() >= kAskedMax)
    return then(std::unexpected{
        Fault{FaultKind::retryable, "disk_busy", "too many requests wait for a new token"}});
  asked_.push_back({refused, std::move(then)});
  if (asked_.size() > 1) return;  // A refresh goes on; all get its token.
  waits_ = 0;
  begin();
}

void DiskTokens::begin() {
  const auto kept = read();
  if (!kept) return end(std::unexpected{kept.error()});
  if (record_.token != asked_.front().refused && !record_.token.empty()) return end(record_.token);
  if (record_.refresh_token.empty())
    return end(std::unexpected{unauthorised("Yandex Disk refuses the token")});
  if (is_claimed(record_, clock_.now())) return wait_for_other();
  claim();
}

// Only the worker that writes this claim asks the OAuth server, which may accept a refresh token
// once.
void DiskTokens::claim() {
  record_.claimed_until = to_unix_ms(clock_.now() + kClaimFor);
  const auto put = keeper_.put(record_text(record_), version_);
  if (!put) return end(std::unexpected{put.error()});
  if (!*put) return wait_for_other();
  ++version_;
  refresh();
}

// Without a token no file can be read, so a wait in vain is an environment fault: it uses up no
// attempt.
void DiskTokens::wait_for_other() {
  if (++waits_ > kWaitsMax)
    return end(std::unexpected{
        Fault{FaultKind::environment, "disk_busy", "another worker's new token does not come"}});
  loop_.after(kLookEvery, [this, alive = std::weak_ptr{alive_}] {
    if (alive.lock()) begin();
  });
}

void DiskTokens::refresh() {
  const io::HttpRequest request{
      .method = "POST",
      .url = settings_.oauth_url + "/token",
      .headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: application/json"},
      .body = query_text({{"grant_type", "refresh_token"},
                          {"refresh_token", record_.refresh_token},
                          {"client_id", settings_.client_id},
                          {"client_secret", settings_.client_secret}}),
      .user_agent = settings_.user_agent,
      .direct = !settings_.oauth_url.starts_with("https://"),  // A proxy would read the tokens.
      .ca_file = settings_.ca_file,
      .connect_timeout = settings_.connect_timeout,
      .head_timeout = settings_.read_timeout,
      .stall_timeout = settings_.read_timeout,
      .reach = {.private_too = true, .allowed = {}}};
  fetcher_.fetch(request, {.body_max = kGrantMax, .within = kRefreshWithin},
                 [this](const Result<io::HttpWhole>& answer) { see(answer); });
}

void DiskTokens::see(const Result<io::HttpWhole>& answer) {
  Result<DiskGrant> grant = std::unexpected{Fault{}};
  if (!answer)
    grant = std::unexpected{Fault{answer.error().kind, answer.error().code,
                                  "Yandex's token server: " + answer.error().detail}};
  else if (answer->head.status >= 200 && answer->head.status < 300)
    grant = read_grant(answer->body);
  else if (is_final_refusal(answer->head, answer->body))
    grant = std::unexpected{unauthorised("Yandex refuses the refresh token")};
  else
    grant = std::unexpected{
        Fault{FaultKind::retryable, "disk_unavailable",
              fmt::format("Yandex's token server answered {}", answer->head.status)}};
  if (grant) return keep(*grant);
  grant.error().kind = FaultKind::environment;  // Without a token no file can be read.
  record_.claimed_until = 0;  // The next worker need not wait for this claim to end.
  if (const auto put = keeper_.put(record_text(record_), version_); put && *put) ++version_;
  end(std::unexpected{grant.error()});
}

// The token counts even if it cannot be kept: the refresh token may be spent.
void DiskTokens::keep(const DiskGrant& grant) {
  record_.token = grant.token;
  if (!grant.refresh_token.empty()) record_.refresh_token = grant.refresh_token;
  record_.claimed_until = 0;
  if (const auto put = keeper_.put(record_text(record_), version_); put && *put) ++version_;
  end(record_.token);
}

void DiskTokens::end(const Result<std::string>& token) {
  for (const Asked& each : std::exchange(asked_, {})) each.then(token);
}

}  // namespace haul::yandexdisk
