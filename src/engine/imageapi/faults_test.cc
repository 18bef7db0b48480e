#include "engine/imageapi/faults.h"

#include <doctest/doctest.h>

#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using testing::meaning_text;
using testing::provider_reply;

std::string of_status(int status) { return meaning_text(refused(provider_reply(status, ""), "")); }

Fault of_code(const char* code, FaultKind kind = FaultKind::retryable) {
  return {kind, code, "the test said so"};
}

}  // namespace

TEST_CASE("A4-4, Z-28: each status is retryable, permanent, or for the operator") {
  CHECK(of_status(400) == "permanent provider_refused");
  CHECK(of_status(401) == "environment provider_refused_key");
  CHECK(of_status(402) == "environment provider_wants_payment");
  CHECK(of_status(403) == "retryable provider_forbids");
  CHECK(of_status(404) == "retryable provider_unknown_model");
  for (const int status : {405, 410, 413, 415, 422, 451})
    CHECK(of_status(status) == "permanent provider_refused");
  for (const int status : {408, 409, 425}) CHECK(of_status(status) == "retryable provider_busy");
  CHECK(of_status(429) == "retryable provider_rate_limit");
  for (const int status : {500, 501, 503, 529})
    CHECK(of_status(status) == "retryable provider_error");
  for (const int status : {301, 302, 307})
    CHECK(of_status(status) == "retryable provider_elsewhere");
}

TEST_CASE(
    "Z-28: a 403 or 404 is the operator's if it names what all calls share, else the call's") {
  const auto says = [](int status, const char* message, std::string_view prompt = {}) {
    ProviderReply reply = provider_reply(status, "");
    reply.prompt = prompt;
    return meaning_text(refused(reply, message));
  };
  CHECK(says(403, "Your organization must be verified") == "environment provider_forbids");
  CHECK(says(403, "invalid API key") == "environment provider_forbids");
  CHECK(says(404, "model_not_found: no such") == "environment provider_unknown_model");
  CHECK(says(403, "blocked by the firewall") == "retryable provider_forbids");
  CHECK(says(403, "no: a billing office", "a billing office") == "retryable provider_forbids");
}

TEST_CASE("F47: behind a gateway that gave up, the call may go on") {
  for (const int status : {502, 504, 520, 524})
    CHECK(of_status(status) == "retryable provider_error unknown");
}

TEST_CASE("a refused key is not repeated, whatever the provider says") {
  const CallFault fault =
      refused(provider_reply(401, ""), "Incorrect API key provided: sk-secret-value");
  CHECK(fault.fault.detail.find("secret") == std::string::npos);
}

TEST_CASE("a provider may ask for milliseconds, seconds or a date, and gets ten minutes at most") {
  const auto wait = [](const char* name, const char* value) {
    return asked_wait(provider_reply(429, "", {{name, value}})).count();
  };
  CHECK(wait("retry-after-ms", "1500") == 1'500);
  CHECK(wait("retry-after", "3") == 3'000);
  CHECK(wait("retry-after", "600") == 600'000);
  CHECK(wait("retry-after", "601") == 600'000);
  CHECK(wait("retry-after", "99999999999") == 600'000);
  CHECK(wait("retry-after", "Tue, 14 Nov 2023 22:13:25 GMT") == 5'000);
  CHECK(wait("retry-after", "Tue, 14 Nov 2023 22:13:15 GMT") == 0);
  for (const char* bad : {"", "-1", "soon", "1.5"}) CHECK(wait("retry-after", bad) == 0);
  CHECK(asked_wait(provider_reply(429, "", {{"retry-after-ms", "5"}, {"retry-after", "9"}})) ==
        Millis{5});
}

TEST_CASE("F47: only a call that cannot have arrived has a known outcome") {
  const auto of = [](const Fault& fault) { return meaning_text(unreached(fault)); };
  CHECK(of(of_code("host_not_found")) == "environment provider_unreachable");
  CHECK(of(of_code("cannot_connect")) == "environment provider_unreachable");
  CHECK(of(of_code("network_down", FaultKind::environment)) == "environment provider_unreachable");
  CHECK(of(of_code("tls_not_trusted", FaultKind::permanent)) == "environment provider_not_trusted");
  CHECK(of(of_code("timeout")) == "retryable provider_timeout unknown");
  CHECK(of(of_code("stalled")) == "retryable provider_timeout unknown");
  for (const char* code : {"connection_lost", "truncated", "transfer_error", "some_new_code"})
    CHECK(of(of_code(code)) == "retryable provider_lost unknown");
  CHECK(of(of_code("bad_answer", FaultKind::permanent)) == "retryable provider_lost unknown");
}

}  // namespace haul::imageapi
