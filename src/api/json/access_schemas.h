#pragma once
// The schemas of users, their keys, logins and credits, and of the audit.

#include <array>

#include "api/json/api_schemas.h"

namespace haul::api {

inline constexpr std::array kAccessSchemas{
    NamedSchema{"Key", R"(
      id: integer
      user: integer
      name: string
      scopes: string[]
      prefix: string
      created_at: time
      expires_at: time?
      used_at: time?
      revoked_at: time?
      made_by: integer?         # The key that created it.
    )"},
    NamedSchema{"NewKey", R"(
      name?: string
      scopes?: string[]         # read, add, operate, admin. Default: all of the caller's.
      user?: integer            # Default: the caller.
    )"},
    NamedSchema{"MadeKey", R"(
      ...Key
      key: string               # The key itself. haul shows it only here.
    )"},
    NamedSchema{"User", R"(
      id: integer
      name: string
      role: viewer|adder|operator|admin
      status: active|blocked|deleted
      created_at: time
    )"},
    NamedSchema{"Me", R"(
      id: integer
      name: string
      role: viewer|adder|operator|admin
      scopes: string[]
    )"},
    NamedSchema{"NewUser", R"(
      name: string
      role?: viewer|adder|operator|admin
    )"},
    NamedSchema{"UserChange", R"(
      role?: viewer|adder|operator|admin
      status?: active|blocked|deleted
      password?: string
    )"},
    NamedSchema{"Login", R"(
      key?: string              # A key, or a name and a password.
      name?: string
      password?: string
    )"},
    NamedSchema{"LoggedIn", R"(
      user: User
    )"},
    NamedSchema{"Wallet", R"(
      granted: integer
      available: integer
      reserved: integer
      spent: integer
    )"},
    NamedSchema{"NewGrant", R"(
      amount: integer
      detail?: string
    )"},
    NamedSchema{"Granted", R"(
      ...Wallet
      replayed: boolean         # True: an earlier request with this key granted it.
    )"},
    NamedSchema{"Credit", R"(
      id: integer
      at: time
      kind: string
      amount: integer
      job: integer?
      detail: string?
    )"},
    NamedSchema{"AuditEntry", R"(
      id: integer
      at: time
      user_hash: string
      job: integer?
      action: string
      detail: string
    )"},
};

}  // namespace haul::api
