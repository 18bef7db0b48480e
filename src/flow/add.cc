#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/plant.h"
#include "base/text.h"
#include "flow/request.h"
#include "flow/user.h"

namespace haul {
namespace {

using Fields = std::vector<JsonField>;

std::unexpected<Refusal> refuse(std::string_view code, std::string detail) {
  return std::unexpected{Refusal{RefusalKind::guarded, std::string{code}, std::move(detail)}};
}

std::string value_of(const Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? std::string{} : found->text;
}

std::optional<std::unexpected<Refusal>> check_fields(const Lifecycle& table, const Fields& fields) {
  const std::span<const RequestField> known = request_fields(table);
  std::vector<std::string_view> names;
  for (const RequestField& field : known) names.push_back(field.name);
  for (const JsonField& field : fields) {
    if (std::ranges::find(names, field.name) != names.end()) continue;
    const std::string_view like = nearest(field.name, names);
    return refuse("unknown_field",
                  fmt::format("'{}'{}", field.name,
                              like.empty() ? "" : fmt::format(", did you mean '{}'?", like)));
  }
  for (const RequestField& field : known)
    if (field.required && value_of(fields, field.name).empty())
      return refuse("missing_field", std::string{field.name});
  if (table.name == "batch" && value_of(fields, "url").empty() && value_of(fields, "urls").empty())
    return refuse("missing_field", "url, or urls");
  return std::nullopt;
}

std::string slot_of(const AddAsk& ask, const Fields& fields) {
  std::string slot;
  for (const std::string_view part : ask.lifecycle->slot) {
    const std::string text =
        part == "owner" ? std::to_string(ask.owner.value) : value_of(fields, part);
    slot += (slot.empty() ? "" : "\x1f") + text;
  }
  return slot;
}

// Z-15: the canonical array [user, prompt, params, minute], hashed.
std::string image_key(const AddAsk& ask, const Fields& fields, std::int64_t minute) {
  const std::string params = value_of(fields, "params");
  return sha256_hex(fmt::format("[{},{},{},{}]", ask.owner.value,
                                json_quoted(value_of(fields, "prompt")),
                                params.empty() ? "{}" : params, minute));
}

NewJob::Key key_of(const AddAsk& ask, const Fields& fields, Time now) {
  if (!ask.key.empty())
    return {.value = fmt::format("client:{}:{}", ask.owner.value, ask.key),
            .scope = KeyScope::forever};
  const std::string_view lifecycle = ask.lifecycle->name;
  if (lifecycle == "relay")  // 003 §3
    return {.value = sha256_hex(value_of(fields, "user_id") + ":" + value_of(fields, "file_id") +
                                ":" + value_of(fields, "nonce")),
            .scope = KeyScope::forever};
  if (lifecycle == "media")
    return {
        .value = sha256_hex(value_of(fields, "title") + "\x1f" + value_of(fields, "release_name")),
        .scope = KeyScope::while_open};
  if (lifecycle == "image") {
    const auto minute = std::chrono::floor<std::chrono::minutes>(now).time_since_epoch().count();
    return {.value = image_key(ask, fields, minute),
            .scope = KeyScope::window,
            .earlier = planted(Plant::window_key_off) ? "" : image_key(ask, fields, minute - 1)};
  }
  return {};
}

// Z-15: no params and empty params are the same wish, so they are the same text.
std::string with_defaults(const AddAsk& ask, const Fields& fields) {
  if (ask.lifecycle->name != "image" || !value_of(fields, "params").empty()) return ask.request;
  return fmt::format(R"({{"prompt":{},"params":{{}}}})", json_quoted(value_of(fields, "prompt")));
}

}  // namespace

std::expected<Added, Refusal> add(Store& store, const AddAsk& ask, Time now) {
  const auto fields = read_object(ask.request);
  if (!fields) return refuse(fields.error().code, fields.error().detail);
  if (const auto refusal = check_fields(*ask.lifecycle, *fields)) return *refusal;
  const auto body = canonical(with_defaults(ask, *fields));
  if (!body) return refuse(body.error().code, body.error().detail);
  const NewJob job{.lifecycle = ask.lifecycle,
                   .owner = ask.owner,
                   .request = *body,
                   .expires_at = ask.expires_at,
                   .slot = slot_of(ask, *fields),
                   .key = key_of(ask, *fields, now),
                   .price = ask.price,
                   .paused = ask.paused};
  return store.jobs().add({&job, 1}, now).front();
}

}  // namespace haul
