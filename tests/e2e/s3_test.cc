// The S3 bucket against a real server, and haul's signer beside another one, both from npm
// (tests/s3). The server does not compare signatures, so the other signer does.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <sstream>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/random.h"
#include "sink/bucket/sigv4.h"
#include "support/io/staged_picture.h"
#include "support/server/s3_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr const char* kOriginal = "originals/a1b2c3d4e5f6/7/0.png";
constexpr const char* kSmall = "thumbnails/a1b2c3d4e5f6/7/0.jpg";

std::string code_of(const What& what) {
  const auto* failed = std::get_if<Failed>(&what);
  return failed ? failed->fault.code : "";
}

// A request with odd characters wherever they may be.
bucket::AwsRequest any_request(SeededRandom& random) {
  constexpr std::string_view kOdd[] = {"a",  "Z9", " ", "~", "-._", "$",  "&",   "=",
                                       "+",  "%",  "é", "(", "*",   "'",  "%20", ",;",
                                       "!@", "[",  "|", "?", "#",   "\"", "<>",  "x"};
  const auto odd = [&](std::uint64_t most) {
    std::string text;
    for (std::uint64_t n = random.below(most) + 1; n > 0; --n)
      text += kOdd[random.below(std::size(kOdd))];
    return text;
  };
  bucket::AwsRequest request{.method = random.one_in(2) ? "PUT" : "GET",
                             .host = random.one_in(2) ? "127.0.0.1:9000" : "s3.example.org",
                             .path = "/bucket",
                             .sha256 = sha256_hex(odd(5))};
  for (std::uint64_t n = random.below(3) + 1; n > 0; --n) request.path += "/" + odd(4);
  for (std::uint64_t n = random.below(3); n > 0; --n)
    request.query.emplace_back(fmt::format("q{}{}", n, odd(2)), random.one_in(4) ? "" : odd(4));
  for (std::uint64_t n = random.below(3); n > 0; --n)
    request.headers.emplace_back(fmt::format("x-amz-meta-{}", n), "v" + odd(3) + "v");
  return request;
}

std::string encoded_query(const bucket::AwsRequest& request) {
  std::string query;
  for (const auto& [name, value] : request.query)
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", percent_encoded(name),
                         percent_encoded(value));
  return query;
}

// The same request as aws4 takes it.
std::string as_json(const bucket::AwsRequest& request, const bucket::AwsKeys& keys,
                    const std::string& date, bool is_link) {
  std::string headers = fmt::format(R"("Host":{})", json_quoted(request.host));
  if (!is_link) {
    headers +=
        fmt::format(R"(,"X-Amz-Date":"{}","X-Amz-Content-Sha256":"{}")", date, request.sha256);
    for (const auto& [name, value] : request.headers)
      headers += fmt::format(",{}:{}", json_quoted(name), json_quoted(value));
  }
  std::string path = bucket::encoded_path(request.path) + encoded_query(request);
  if (is_link)
    path += fmt::format("{}X-Amz-Date={}&X-Amz-Expires=600",
                        path.find('?') == std::string::npos ? "?" : "&", date);
  return fmt::format(
      R"({{"method":"{}","region":{},"path":{},"headers":{{{}}},"access_key":{},"secret_key":{},)"
      R"("link":{}}})",
      request.method, json_quoted(keys.region), json_quoted(path), headers,
      json_quoted(keys.access_key), json_quoted(keys.secret_key), is_link);
}

std::string signature_in(const std::string& text) {
  const std::size_t at = text.find("Signature=");
  return at == std::string::npos ? "none" : text.substr(at + 10, 64);
}

}  // namespace

TEST_CASE("haul's signatures are those of another signer, for a thousand odd requests") {
  if (!has_s3_packages()) return;
  const TempFolder folder;
  SeededRandom random{20'261'117};
  const bucket::AwsKeys keys{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCY", "eu-central-1"};
  const Time now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 17} + std::chrono::hours{12}};
  std::vector<bucket::AwsRequest> requests;
  for (int i = 0; i < 1'000; ++i) requests.push_back(any_request(random));
  {
    std::ofstream file{folder / "requests"};
    for (std::size_t i = 0; i < requests.size(); ++i)
      file << as_json(requests[i], keys, "20261117T120000Z", i % 2 == 1) << "\n";
  }

  const testing::Finished ran =
      run_program({"node", (kS3Folder / "sign.mjs").string(), (folder / "requests").string()});

  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  std::istringstream lines{ran.out};
  std::string line;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    REQUIRE(std::getline(lines, line));
    CAPTURE(requests[i].path);
    CAPTURE(line);
    if (i % 2 == 1) {
      CHECK(signature_in(bucket::signed_target(requests[i], keys, now,
                                               std::chrono::seconds{600})) == signature_in(line));
      continue;
    }
    for (const auto& [name, value] : bucket::signed_headers(requests[i], keys, now))
      if (name == "Authorization") CHECK(signature_in(value) == signature_in(line));
  }
}

TEST_CASE("S4-5, A4-11: an image lands in a real S3 server, and signed links lead to it") {
  if (!has_s3_packages()) return;
  S3Server server;
  const StagedPicture staged{std::string(std::size_t{3} << 20U, 'p')};

  const What what = server.land(staged.parcel());

  REQUIRE_MESSAGE(std::holds_alternative<Landed>(what), code_of(what));
  const io::HttpAnswer original = server.get(kOriginal);
  CHECK(original.status == 200);
  CHECK(original.body == staged.bytes);
  CHECK(server.get(kSmall).body == staged.thumbnail);
  const io::HttpAnswer part = server.get(kOriginal, system_clock().now(), {"Range: bytes=0-9"});
  CHECK(part.status == 206);
  CHECK(part.body == "pppppppppp");
}

TEST_CASE("A4-11: a link is no longer valid once its minutes are over") {
  if (!has_s3_packages()) return;
  S3Server server;
  const StagedPicture staged;
  REQUIRE(std::holds_alternative<Landed>(server.land(staged.parcel())));
  const Time now = system_clock().now();

  CHECK(server.get(kOriginal, now - std::chrono::minutes{9}).status == 200);
  CHECK(server.get(kOriginal, now - std::chrono::minutes{11}).status == 403);
}

TEST_CASE("an image that lands again in a real S3 server is there once, as it was last") {
  if (!has_s3_packages()) return;
  S3Server server;
  const StagedPicture first{"the first one"};
  const StagedPicture second{"the second"};
  REQUIRE(std::holds_alternative<Landed>(server.land(first.parcel())));

  REQUIRE(std::holds_alternative<Landed>(server.land(second.parcel(JobId{7}, 2))));

  CHECK(server.get(kOriginal).body == "the second");
}

TEST_CASE("a wrong bucket, wrong keys and a server that is gone are the environment's faults") {
  if (!has_s3_packages()) return;
  const StagedPicture staged;
  bucket::S3Settings gone;
  {
    S3Server server;
    bucket::S3Settings wrong = server.settings;
    wrong.bucket = "no-such-bucket";
    CHECK(code_of(S3Server::land(staged.parcel(), wrong)) == "bucket_missing");
    wrong = server.settings;
    wrong.access_key = "somebody";
    CHECK(code_of(S3Server::land(staged.parcel(), wrong)) == "bucket_unauthorised");
    gone = server.settings;
  }
  CHECK(code_of(S3Server::land(staged.parcel(), gone)) == "bucket_unreachable");
}
