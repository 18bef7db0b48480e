#pragma once
// What tests ask the API about jobs, and what became of it.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

#include "support/api/api_bench.h"

namespace haul::testing {

inline std::string path_of(JobId id, const char* act = "") {
  return fmt::format("/api/v1/jobs/{}{}", id.value, act);
}

// A job that its owner has cancelled.
inline JobId cancelled(ApiBench& b, const std::string& who) {
  const JobId id = b.add_for(who);
  REQUIRE(b.as(who, "POST", path_of(id, "/cancel")).status == 200);
  return id;
}

// A film that has failed.
inline JobId failed_film(ApiBench& b, const std::string& who) {
  const NewJob job{
      .lifecycle = &kMedia, .owner = b.users.at(who).id, .request = request_for(kMedia)};
  const JobId id = b.store().jobs().add({&job, 1}, b.clock.now()).front().value().id;
  const Ask fail{.version = b.store().reader().find(id)->version, .on = On::fail, .reason = "x"};
  REQUIRE(b.store().jobs().move({&fail, 1}, b.clock.now()).front());
  return id;
}

inline std::string state_of(ApiBench& b, JobId id) {
  return std::string{b.store().reader().find(id)->version.state};
}

// "JOB_DELETED 1" for each entry of the audit log, oldest first.
inline std::string audited(ApiBench& b) {
  std::string out;
  for (const AuditEntry& entry : b.store().ledger().audits(0, 100))
    out += fmt::format("{} {}\n", entry.action, entry.job.value);
  return out;
}

}  // namespace haul::testing
