#pragma once
// Credits and the audit log, both append-only. Reserving, spending and refunding are effects of
// adding and moving jobs; here credits are granted and looked at.

#include <cstdint>
#include <expected>
#include <optional>
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

class Ledger {
 public:
  virtual ~Ledger() = default;

  // Positive amounts up to 10^12; the user must exist.
  virtual std::expected<Wallet, Refusal> grant(UserId owner, std::int64_t amount,
                                               const std::string& detail, Time now) = 0;
  virtual Wallet wallet(UserId owner) = 0;
  virtual std::vector<Credit> entries(UserId owner, std::int64_t after, std::size_t limit) = 0;

  // `user` is hashed with this store's salt before it is written.
  virtual void audit(UserId user, JobId job, const std::string& action, const std::string& detail,
                     Time now) = 0;
  virtual std::vector<AuditEntry> audits(std::int64_t after, std::size_t limit) = 0;
  // The newest first, with ids smaller than `before`; zero: from the newest.
  virtual std::vector<AuditEntry> audits_before(std::int64_t before, std::size_t limit) = 0;
};

}  // namespace haul
