// Handlers for users.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "api/json/user_json.h"
#include "base/secret.h"

namespace haul::api {
namespace handle {

ApiReply me(const ApiParts&, const Call& call) {
  const User& user = call.who.user;
  return json_reply(
      200, fmt::format(R"({{"id":{},"name":{},"role":"{}","scopes":{}}})", user.id.value,
                       json_quoted(user.name), role_name(user.role), scopes_json(call.who.scopes)));
}

ApiReply list_users(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const auto users = parts.store.users().list(UserId{page->cursor}, page->limit);
  std::vector<std::string> items;
  items.reserve(users.size());
  for (const User& user : users) items.push_back(user_json(user));
  return list_reply(items, users.size() == page->limit ? users.back().id.value : 0);
}

ApiReply add_user(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"name", "role"});
  if (!body) return std::unexpected{body.error()};
  const auto name = body->text("name");
  const auto role_text = body->text("role");
  for (const auto* field : {&name, &role_text})
    if (!*field) return std::unexpected{field->error()};
  const auto role = role_text->empty() ? Role::adder : role_named(*role_text);
  if (!role)
    return std::unexpected{wrong_field("role", "expected viewer, adder, operator or admin")};
  const auto user = parts.store.users().add(*name, *role, call.now);
  if (!user) return std::unexpected{error_of(user.error())};
  call.touch({.owner = user->id,
              .detail = fmt::format("user {} as {}", user->id.value, role_name(*role))});
  return json_reply(201, user_json(*user));
}

ApiReply set_user(const ApiParts& parts, const Call& call) {
  const auto id = user_in_path(call);
  if (!id) return std::unexpected{id.error()};
  const auto body = Body::read(call.request.body, {"role", "status", "password"});
  if (!body) return std::unexpected{body.error()};
  const auto role_text = body->text("role");
  const auto status_text = body->text("status");
  const auto password = body->text("password");
  for (const auto* field : {&role_text, &status_text, &password})
    if (!*field) return std::unexpected{field->error()};
  const auto role = role_named(*role_text);
  if (!role_text->empty() && !role)
    return std::unexpected{wrong_field("role", "expected viewer, adder, operator or admin")};
  const auto status = status_named(*status_text);
  if (!status_text->empty() && !status)
    return std::unexpected{wrong_field("status", "expected active, blocked or deleted")};
  const auto hash = password->empty() ? std::string{} : hash_password(*password);
  if (!hash) return std::unexpected{wrong_field("password", hash.error().detail)};
  // Read after the slow hash, so that `before` is as new as possible.
  const auto before = parts.store.users().find(*id);
  if (!before) return std::unexpected{ApiError{404, "no_such_user", "no such user"}};
  std::expected<User, Refusal> user = *before;
  // The store may refuse this. Then the request changes nothing.
  if (role || status)
    user =
        parts.store.users().set(*id, status.value_or(before->status), role.value_or(before->role));
  if (!user) return std::unexpected{error_of(user.error())};
  if (!hash->empty()) {
    parts.store.access().logins().set_password(*id, *hash, call.now);
    call.touch(
        {.owner = *id, .detail = fmt::format("user {}", id->value), .action = "PASSWORD_SET"});
  }
  parts.live.check_access();
  if (*user != *before)
    call.touch({.owner = *id,
                .detail = fmt::format("user {}: {}, {}", id->value, role_name(user->role),
                                      status_name(user->status))});
  return json_reply(200, user_json(*user));
}

}  // namespace handle
}  // namespace haul::api
