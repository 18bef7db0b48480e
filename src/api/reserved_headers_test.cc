// Request headers that a job may not set.
#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {

TEST_CASE("a job's headers may not set framing, routing or connection; the refusal names which") {
  ApiBench b;
  const auto add = [&](const std::string& headers) {
    return b.post(
        "/api/v1/jobs",
        R"({"lifecycle":"batch","request":{"url":"http://h/a","headers":)" + headers + "}}");
  };
  CHECK(add(R"(["Referer: http://h/","X-Host: a"])").status == 201);
  for (const char* bad : {"Content-Length: 5", "transfer-encoding:chunked", "Host: evil",
                          "Connection: upgrade", "TE : trailers", "Upgrade: h2c"}) {
    const WebReply reply = add(fmt::format(R"(["Referer: http://h/","{}"])", bad));
    CAPTURE(bad);
    CHECK(reply.status == 422);
    CHECK(member(reply, "code") == "bad_request");
    CHECK(member(reply, "fields").find("request.headers[1]") != std::string::npos);
  }
}

}  // namespace haul::testing
