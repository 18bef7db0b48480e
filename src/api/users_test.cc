// POST /users/{id}: what a change of a user leaves alone.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <functional>
#include <utility>

#include "support/api/api_bench.h"

namespace haul::testing {

TEST_CASE("a new password undoes no block and no demotion that another admin made meanwhile") {
  std::function<void()> meanwhile;  // Runs once, before the next write.
  ApiBench b{open_test_store(Bench::kStart, [&](CommitPhase phase) {
    if (phase != CommitPhase::before || !meanwhile) return;
    std::exchange(meanwhile, nullptr)();
  })};
  const UserId id = b.users["adder"].id;
  const std::string path = fmt::format("/api/v1/users/{}", id.value);
  REQUIRE(b.get("/api/v1/users").status == 200);  // Writes when the key was used.

  bool has_run = false;
  meanwhile = [&] {
    has_run = b.store().users().set(id, UserStatus::blocked, Role::viewer).has_value();
  };
  CHECK(b.post(path, R"({"password":"correct horse"})").status == 200);

  CHECK(has_run);
  const auto user = b.store().users().find(id);
  REQUIRE(user);
  CHECK((user->status == UserStatus::blocked));
  CHECK((user->role == Role::viewer));
}

TEST_CASE("a change of a user's role keeps the status, and a change of the status the role") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);
  const WebReply blocked = b.post(path, R"({"status":"blocked"})");
  CHECK(member(blocked, "role") == "adder");
  CHECK(member(blocked, "status") == "blocked");
  const WebReply demoted = b.post(path, R"({"role":"viewer"})");
  CHECK(member(demoted, "role") == "viewer");
  CHECK(member(demoted, "status") == "blocked");
  CHECK(b.post(path, R"({"role":"nobody"})").status == 400);
  CHECK(b.post(path, R"({"status":"gone"})").status == 400);
}

}  // namespace haul::testing
