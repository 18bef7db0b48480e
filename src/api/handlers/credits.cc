// Handlers for credits and the audit log.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "base/json.h"

namespace haul::api {
namespace {

constexpr std::size_t kGrantKeyMax = 200;

std::string form(const Wallet& wallet) {
  return fmt::format(R"({{"granted":{},"available":{},"reserved":{},"spent":{}}})", wallet.granted,
                     wallet.available, wallet.reserved, wallet.spent);
}

std::string form(const Granted& granted) {
  const std::string wallet = form(granted.wallet);
  return fmt::format(R"({},"replayed":{}}})", wallet.substr(0, wallet.size() - 1),
                     granted.replayed);
}

// Required, so that a client that lost the answer can repeat the request without granting twice.
// The same key from two admins means two grants.
std::expected<std::string, ApiError> grant_key(const Call& call) {
  constexpr const char* kHeader = "Idempotency-Key";
  const std::string_view key = call.request.header("idempotency-key");
  if (key.empty())
    return std::unexpected{ApiError{
        400,
        "missing_key",
        "the header Idempotency-Key is required: a new value for each grant, the same value to "
        "repeat one",
        {{kHeader, "required"}}}};
  if (key.size() > kGrantKeyMax)
    return std::unexpected{ApiError{
        400, "bad_key", fmt::format("Idempotency-Key has at most {} bytes", kGrantKeyMax)}};
  return fmt::format("{}:{}", call.who.user.id.value, key);
}

// The user of the path. Only an admin may look at the credits of others.
std::expected<UserId, ApiError> owner_in_path(const Call& call) {
  const auto id = user_in_path(call);
  if (id && *id != call.who.user.id && !call.who.scopes.has(Scope::admin))
    return std::unexpected{ApiError{404, "no_such_user", "no such user"}};
  return id;
}

}  // namespace

namespace handle {

ApiReply grant_credits(const ApiParts& parts, const Call& call) {
  const auto id = user_in_path(call);
  if (!id) return std::unexpected{id.error()};
  const auto body = Body::read(call.request.body, {"amount", "detail"});
  if (!body) return std::unexpected{body.error()};
  const auto asked = body->number("amount");
  if (!asked) return std::unexpected{asked.error()};
  const std::optional<std::int64_t> amount = *asked;
  if (!amount) return std::unexpected{wrong_field("amount", "required")};
  const auto detail = body->text("detail");
  if (!detail) return std::unexpected{detail.error()};
  const auto key = grant_key(call);
  if (!key) return std::unexpected{key.error()};
  const auto granted = parts.store.ledger().grant(
      {.owner = *id, .amount = *amount, .detail = *detail, .key = *key}, call.now);
  if (!granted) return std::unexpected{error_of(granted.error())};
  call.touch({.owner = *id,
              .detail = fmt::format("{} to user {}", *amount, id->value),
              .action = granted->replayed ? "CREDITS_REPEATED" : ""});
  return json_reply(200, form(*granted));
}

ApiReply show_credits(const ApiParts& parts, const Call& call) {
  const auto id = owner_in_path(call);
  if (!id) return std::unexpected{id.error()};
  return json_reply(200, form(parts.store.ledger().wallet(*id)));
}

ApiReply list_credits(const ApiParts& parts, const Call& call) {
  const auto id = owner_in_path(call);
  if (!id) return std::unexpected{id.error()};
  if (auto error = check_query(call.request, {"limit", "before"})) return std::unexpected{*error};
  const auto limit = read_limit(call.request);
  if (!limit) return std::unexpected{limit.error()};
  const std::string_view text = call.request.query("before");
  const auto before = text.empty() ? std::optional<std::int64_t>{0} : read_number(text);
  if (!before || *before < 0)
    return std::unexpected{wrong_field("before", "expected the value of `next`")};
  const auto entries = parts.store.ledger().entries_before(*id, *before, *limit);
  std::vector<std::string> items;
  items.reserve(entries.size());
  for (const Credit& entry : entries)
    items.push_back(
        fmt::format(R"({{"id":{},"at":"{}","kind":{},"amount":{},"job":{},"detail":{}}})", entry.id,
                    to_iso(entry.at), json_quoted(entry.kind), entry.amount,
                    entry.job ? std::to_string(entry.job.value) : "null",
                    entry.detail.empty() ? "null" : json_quoted(entry.detail)));
  return list_reply(items, entries.size() == *limit ? entries.back().id : 0);
}

ApiReply list_audit(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const auto entries = parts.store.ledger().audits_before(page->cursor, page->limit);
  std::vector<std::string> items;
  items.reserve(entries.size());
  for (const AuditEntry& entry : entries)
    items.push_back(
        fmt::format(R"({{"id":{},"at":"{}","user_hash":{},"job":{},"action":{},"detail":{}}})",
                    entry.id, to_iso(entry.at), json_quoted(entry.user_hash),
                    entry.job ? std::to_string(entry.job.value) : "null", json_quoted(entry.action),
                    json_quoted(entry.detail)));
  return list_reply(items, entries.size() == page->limit ? entries.back().id : 0);
}

}  // namespace handle
}  // namespace haul::api
