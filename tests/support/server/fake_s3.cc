#include "support/server/fake_s3.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <array>
#include <span>

#include "base/ascii.h"
#include "base/hash.h"

namespace haul::testing {
namespace {

constexpr std::chrono::minutes kSkewMax{15};

// All bytes of an upload, as a server gets them. Stops where the source fails.
std::string body_of(const io::HttpRequest& sent) {
  if (!sent.upload) return sent.body;
  std::string body;
  std::array<std::byte, 4'096> piece{};
  for (;;) {
    const io::HttpSource::Given given = sent.upload->read(piece);
    if (given.is != io::HttpSource::Given::Is::more) return body;
    body.append(reinterpret_cast<const char*>(piece.data()), given.size);
  }
}

FakeReply error(int status, const std::string& code, FakeReply reply = {}) {
  reply.status = status;
  reply.body = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{}</Code><Message>no"
      "</Message><RequestId>1</RequestId></Error>",
      code);
  return reply;
}

std::string part_of(const std::string& text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size();
  return text.substr(from, text.find(',', from) - from);
}

// "20260203T040506Z"
Time read_stamp(const std::string& text) {
  const auto number = [&](std::size_t at, std::size_t size) {
    return std::stoi(text.substr(at, size));
  };
  const std::chrono::year_month_day day{std::chrono::year{number(0, 4)},
                                        std::chrono::month{static_cast<unsigned>(number(4, 2))},
                                        std::chrono::day{static_cast<unsigned>(number(6, 2))}};
  return Time{std::chrono::sys_days{day}} + std::chrono::hours{number(9, 2)} +
         std::chrono::minutes{number(11, 2)} + std::chrono::seconds{number(13, 2)};
}

std::string http_date(Time at) {
  return fmt::format(
      "{:%a, %d %b %Y %H:%M:%S} GMT",
      fmt::gmtime(std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count()));
}

}  // namespace

std::optional<FakeReply> FakeS3::answer(const io::HttpRequest& sent) {
  SentRequest request = read_sent(sent);
  request.body = body_of(sent);
  const std::string begin = fmt::format("/{}/", kBucket);
  std::string key = percent_decoded(request.path);
  key = key.starts_with(begin) ? key.substr(begin.size()) : "";
  std::optional<FakeReply> reply;
  if (sent.upload && std::ssize(request.body) != sent.upload_size)
    reply = FakeReply{.fault = Fault{FaultKind::retryable, "staged_changed", "other bytes"}};
  else
    reply = mood.decides(request) ? mood.reply() : serve(request, key);
  calls.push_back(fmt::format("{} {} {}", request.method, key,
                              reply && !reply->fault ? std::to_string(reply->status) : "none"));
  return reply;
}

// Why it does not take the request. Empty if it does.
std::string FakeS3::refusal(const SentRequest& request) const {
  const std::string given = request.header("authorization");
  if (given.find("Credential=" + keys.access_key + "/") == std::string::npos)
    return "InvalidAccessKeyId";
  const Time at = read_stamp(request.header("x-amz-date"));
  if (at - now > kSkewMax || now - at > kSkewMax) return "RequestTimeTooSkewed";
  const std::string host = request.header("host");  // Absent on a loop without a network.
  bucket::AwsRequest said{.method = request.method,
                          .host = host.empty() ? kHost : host,
                          .path = percent_decoded(request.path),
                          .sha256 = request.header("x-amz-content-sha256")};
  const std::string names = ";" + part_of(given, "SignedHeaders=") + ";";
  for (const std::string& header : request.headers) {
    const std::string name = lower(header.substr(0, header.find(':')));
    const bool is_added = name == "x-amz-date" || name == "x-amz-content-sha256" || name == "host";
    if (name.starts_with("x-amz-") && names.find(";" + name + ";") == std::string::npos)
      return "AccessDenied";
    if (!is_added && names.find(";" + name + ";") != std::string::npos)
      said.headers.emplace_back(name, request.header(name));
  }
  for (const auto& [name, value] : bucket::signed_headers(said, keys, at))
    if (name == "Authorization" && value == given) return {};
  return "SignatureDoesNotMatch";
}

FakeReply FakeS3::serve(const SentRequest& request, const std::string& key) {
  if (const std::string code = refusal(request); !code.empty()) {
    FakeReply reply = error(403, code, {.headers = {{"date", http_date(now)}}});
    if (request.method == "HEAD") reply.body.clear();
    return reply;
  }
  if (key.empty()) return error(404, "NoSuchBucket");
  return request.method == "PUT" ? put(request, key) : head(key);
}

FakeReply FakeS3::put(const SentRequest& request, const std::string& key) {
  const std::string sha256 = sha256_hex(request.body);
  if (request.header("x-amz-content-sha256") != sha256)
    return error(400, "XAmzContentSHA256Mismatch");
  if (base64_to_hex(request.header("x-amz-checksum-sha256")) != sha256)
    return error(400, "BadDigest");
  if (!error_within.empty()) return error(200, error_within);
  if (lose_after > 0) {
    --lose_after;
    return {};
  }
  objects[key] = {request.body, request.header("content-type"),
                  request.header("x-amz-meta-sha256")};
  return {.headers = {{"etag", "\"1\""}}};
}

FakeReply FakeS3::head(const std::string& key) const {
  const auto found = objects.find(key);
  if (found == objects.end()) return {.status = 404};
  FakeReply reply{.headers = {{"content-length", std::to_string(found->second.bytes.size())},
                              {"content-type", found->second.type},
                              {"x-amz-meta-sha256", found->second.sha256}}};
  if (has_checksums)
    reply.headers.emplace_back("x-amz-checksum-sha256",
                               base64_of(bytes_of_hex(sha256_hex(found->second.bytes))));
  return reply;
}

}  // namespace haul::testing
