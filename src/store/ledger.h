#pragma once
// Credits and the audit log, both append-only. Reserving, spending and refunding are effects of
// adding and moving jobs; this interface grants and reads credits.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "store/refusal.h"

namespace haul {

// available + reserved + spent = granted, at all times.
struct Wallet {
  std::int64_t granted = 0;
  std::int64_t available = 0;
  std::int64_t reserved = 0;
  std::int64_t spent = 0;

  bool operator==(const Wallet&) const = default;
};

struct Credit {
  std::int64_t id = 0;
  UserId owner;
  JobId job;
  std::string kind;  // grant, reserve, spend, refund
  std::int64_t amount = 0;
  Time at;
  std::string detail;

  bool operator==(const Credit&) const = default;
};

struct AuditEntry {
  std::int64_t id = 0;
  Time at;
  std::string user_hash;
  JobId job;
  std::string action;
  std::string detail;

  bool operator==(const AuditEntry&) const = default;
};

struct NewGrant {
  UserId owner;
  std::int64_t amount = 0;  // From 1 to 10^12.
  std::string detail;
  std::string key{};  // Idempotency key, at most 300 bytes; may be empty.
};
struct Granted {
  Wallet wallet;
  bool replayed = false;  // An equal grant with this key existed; nothing was paid.
};

struct NewAudit {
  UserId user;  // Hashed with this store's salt before it is written.
  JobId job{};
  std::string action;
  std::string detail{};
};

class Ledger {
 public:
  virtual ~Ledger() = default;

  // The user must exist. A key pays once per owner. Refused with key_reused if the key came with
  // another amount or detail before.
  virtual std::expected<Granted, Refusal> grant(const NewGrant& grant, Time now) = 0;
  std::expected<Wallet, Refusal> grant(UserId owner, std::int64_t amount, const std::string& detail,
                                       Time now) {
    auto granted = grant({.owner = owner, .amount = amount, .detail = detail}, now);
    if (!granted) return std::unexpected{granted.error()};
    return granted->wallet;
  }
  virtual Wallet wallet(UserId owner) = 0;
  virtual std::vector<Credit> entries(UserId owner, std::int64_t after, std::size_t limit) = 0;
  // Newest first, only ids below `before`; zero starts at the newest.
  virtual std::vector<Credit> entries_before(UserId owner, std::int64_t before,
                                             std::size_t limit) = 0;
  // What the job has reserved, resolved since or not. Zero if nothing.
  virtual std::int64_t reserved_for(JobId job) = 0;

  // Writes all entries in one transaction.
  virtual void audit(std::span<const NewAudit> entries, Time now) = 0;
  void audit(UserId user, JobId job, const std::string& action, const std::string& detail,
             Time now) {
    const NewAudit entry{.user = user, .job = job, .action = action, .detail = detail};
    audit({&entry, 1}, now);
  }
  // Oldest first, only ids above `after`.
  virtual std::vector<AuditEntry> audits(std::int64_t after, std::size_t limit) = 0;
  // Newest first, only ids below `before`; zero starts at the newest.
  virtual std::vector<AuditEntry> audits_before(std::int64_t before, std::size_t limit) = 0;
};

}  // namespace haul
