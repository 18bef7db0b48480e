// J22: an action that a job's state does not allow gets 409 with the state and the allowed actions,
// and changes nothing.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {

TEST_CASE("J22: what a state does not allow is refused with the state and what is allowed") {
  struct Row {
    const char* path;     // The action that leads from PENDING to `state`.
    const char* refused;  // The action that is refused there.
    const char* state;
    const char* allowed;
  };
  for (const Row& row : {Row{"", "retry", "PENDING", R"(["cancel","pause"])"},
                         {"cancel", "cancel", "CANCELLED", R"(["retry","delete"])"},
                         {"cancel", "pause", "CANCELLED", R"(["retry","delete"])"},
                         {"cancel", "resume", "CANCELLED", R"(["retry","delete"])"}}) {
    CAPTURE(std::string{row.path});
    CAPTURE(std::string{row.refused});
    ApiBench b;
    const std::string path = fmt::format("/api/v1/jobs/{}", b.add_for("boss").value);
    if (*row.path) REQUIRE(b.post(path + "/" + row.path).status == 200);
    const std::string before = b.get(path).body;

    const WebReply reply = b.post(path + "/" + row.refused);
    CHECK(reply.status == 409);
    CHECK(member(reply, "state") == row.state);
    CHECK(member(reply, "allowed") == row.allowed);
    CHECK(b.get(path).body == before);
  }
}

TEST_CASE("J22: no path and no field sets a state directly") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/jobs/{}", b.add_for("boss").value);
  for (const char* method : {"PUT", "PATCH", "POST"})
    CHECK(b.as("boss", method, path, R"({"state":"COMPLETED"})").status == 405);
  CHECK(b.as("boss", "DELETE", path, R"({"state":"COMPLETED"})").status == 400);
  CHECK(b.post("/api/v1/jobs",
               R"({"lifecycle":"batch","state":"COMPLETED","request":{"url":"http://h/a"}})")
            .status == 400);
  CHECK(member(b.get(path), "state") == "PENDING");
}

}  // namespace haul::testing
