#include "sink/bucket/sigv4.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/hash.h"

namespace haul::bucket {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kUnsigned = "UNSIGNED-PAYLOAD";
constexpr std::chrono::seconds kValidMax{604'800};

struct AwsStamp {
  std::string day;     // "20130524"
  std::string moment;  // "20130524T000000Z"
};

AwsStamp stamp_of(Time now) {
  std::string text = to_file_stamp(now);  // "20130524-000000"
  text[8] = 'T';
  return {text.substr(0, 8), text + "Z"};
}

std::string scope_of(const AwsKeys& keys, const AwsStamp& stamp) {
  return fmt::format("{}/{}/s3/aws4_request", stamp.day, keys.region);
}

// Encoded, by name and then by value.
std::string query_of(const SignedFields& fields) {
  SignedFields encoded;
  encoded.reserve(fields.size());
  for (const auto& [name, value] : fields)
    encoded.emplace_back(percent_encoded(name), percent_encoded(value));
  std::ranges::sort(encoded);
  std::string query;
  for (const auto& [name, value] : encoded)
    query.append(query.empty() ? "" : "&").append(name).append("=").append(value);
  return query;
}

// Names in lower case, in order.
SignedFields in_order(const SignedFields& headers) {
  SignedFields sorted;
  sorted.reserve(headers.size());
  for (const auto& [name, value] : headers)
    sorted.emplace_back(lower(name), std::string{trimmed(value)});
  std::ranges::sort(sorted);
  return sorted;
}

std::string names_of(const SignedFields& sorted) {
  std::string names;
  for (const auto& [name, value] : sorted) names.append(names.empty() ? "" : ";").append(name);
  return names;
}

std::string canonical_request(const AwsRequest& request, const SignedFields& sorted,
                              std::string_view sha256) {
  std::string text = fmt::format("{}\n{}\n{}\n", request.method, encoded_path(request.path),
                                 query_of(request.query));
  for (const auto& [name, value] : sorted) text += fmt::format("{}:{}\n", name, value);
  return text + fmt::format("\n{}\n{}", names_of(sorted), sha256);
}

std::string signature_of(const std::string& canonical, const AwsKeys& keys, const AwsStamp& stamp) {
  std::string key = hmac_sha256("AWS4" + keys.secret_key, stamp.day);
  for (const std::string_view part :
       {std::string_view{keys.region}, std::string_view{"s3"}, std::string_view{"aws4_request"}})
    key = hmac_sha256(key, part);
  const std::string text = fmt::format("{}\n{}\n{}\n{}", kAlgorithm, stamp.moment,
                                       scope_of(keys, stamp), sha256_hex(canonical));
  return hex_of(hmac_sha256(key, text));
}

}  // namespace

std::string encoded_path(std::string_view path) {
  std::string encoded;
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    encoded += percent_encoded(segment);
    path.remove_prefix(segment.size());
    if (path.empty()) break;
    encoded += '/';
    path.remove_prefix(1);
  }
  return encoded;
}

SignedFields signed_headers(const AwsRequest& request, const AwsKeys& keys, Time now) {
  const AwsStamp stamp = stamp_of(now);
  SignedFields sent = request.headers;
  sent.emplace_back("x-amz-content-sha256", request.sha256);
  sent.emplace_back("x-amz-date", stamp.moment);
  SignedFields all = sent;
  all.emplace_back("host", request.host);
  const SignedFields sorted = in_order(all);
  const std::string signature =
      signature_of(canonical_request(request, sorted, request.sha256), keys, stamp);
  sent.emplace_back(
      "Authorization",
      fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm,
                  keys.access_key, scope_of(keys, stamp), names_of(sorted), signature));
  return sent;
}

std::string signed_target(const AwsRequest& request, const AwsKeys& keys, Time now,
                          std::chrono::seconds valid_for) {
  ensure(valid_for.count() > 0 && valid_for <= kValidMax, "a signed link is valid up to a week");
  const AwsStamp stamp = stamp_of(now);
  AwsRequest whole = request;
  whole.query.emplace_back("X-Amz-Algorithm", kAlgorithm);
  whole.query.emplace_back("X-Amz-Credential", keys.access_key + "/" + scope_of(keys, stamp));
  whole.query.emplace_back("X-Amz-Date", stamp.moment);
  whole.query.emplace_back("X-Amz-Expires", std::to_string(valid_for.count()));
  whole.query.emplace_back("X-Amz-SignedHeaders", "host");
  const SignedFields host = {{"host", request.host}};
  const std::string signature =
      signature_of(canonical_request(whole, host, kUnsigned), keys, stamp);
  return fmt::format("{}?{}&X-Amz-Signature={}", encoded_path(whole.path), query_of(whole.query),
                     signature);
}

}  // namespace haul::bucket
