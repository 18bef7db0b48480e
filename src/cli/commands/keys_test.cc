#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

TEST_CASE("keys shows a new key once, and revokes a key with those created with it") {
  Desk desk;
  desk.api
      .on("POST /api/v1/keys", 201,
          R"({"id":3,"name":"ci","scopes":["read","add"],"key":"haul_abc"})")
      .on("DELETE /api/v1/keys/3", 204, "");

  CHECK(run_keys({.act = KeysAct::add, .name = "ci", .scopes = {"read", "add"}, .user = "7"},
                 desk.remote()) == 0);
  CHECK(run_keys({.act = KeysAct::revoke, .id = 3}, desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/keys {\"name\":\"ci\",\"scopes\":[\"read\",\"add\"],\"user\":7}\n"
        "DELETE /api/v1/keys/3\n");
  CHECK(desk.out.str() ==
        "Key 3 has the scopes read,add. haul shows it only once:\nhaul_abc\n"
        "Key 3 and all keys created with it are revoked\n");
}

}  // namespace
}  // namespace haul::cli
