#include "app/config/bucket.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/config/config.h"
#include "app/config/value.h"
#include "base/ascii.h"
#include "base/environment.h"

namespace haul::app {
namespace {

constexpr std::string_view kKind = "bucket.kind";
constexpr std::string_view kRoot = "bucket.root";
constexpr std::string_view kEndpoint = "bucket.endpoint";
constexpr std::string_view kBucket = "bucket.bucket";
constexpr std::string_view kRegion = "bucket.region";
constexpr std::string_view kAccessKey = "bucket.access_key";
constexpr std::string_view kSecretKey = "bucket.secret_key";
constexpr std::string_view kPrefix = "bucket.prefix";
constexpr std::string_view kPathStyle = "bucket.path_style";
constexpr std::string_view kLinkFor = "bucket.link_for";

constexpr std::string_view kKinds[] = {"folder", "s3"};
constexpr std::size_t kNameMax = 63;
constexpr std::size_t kPrefixMax = 200;

std::string wrong_with_endpoint(const std::string& text) {
  const std::string address = server_address(text);
  const bool has_path = address.find('/', address.find("://") + 3) != std::string::npos;
  if (text.empty() || (!address.empty() && !has_path)) return {};
  return "not an http or https address without a path (expected e.g. "
         "https://s3.eu-central-1.amazonaws.com)";
}

// A name that may stand in a path and in a host.
std::string wrong_with_bucket(const std::string& text) {
  const bool is_name = text.size() <= kNameMax && std::ranges::all_of(text, [](char c) {
                         return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
                       });
  return is_name ? "" : "expected lower-case letters, digits, dots and dashes, at most 63";
}

std::string wrong_with_region(const std::string& text) {
  const bool is_name = !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_digit(c) || is_letter(c) || c == '-';
  });
  return is_name ? "" : "expected a region such as us-east-1";
}

// S3 servers and clients disagree about dot segments and empty ones.
std::string wrong_with_prefix(const std::string& text) {
  const std::string whole = "/" + text + "/";
  const bool has_odd_segment =
      whole.find("/./") != std::string::npos || whole.find("/../") != std::string::npos ||
      (!text.empty() && whole.substr(0, whole.size() - 1).find("//") != std::string::npos);
  if (text.size() <= kPrefixMax && !has_odd_segment && !text.starts_with('/')) return {};
  return "expected the begin of all keys, such as haul/images";
}

constexpr ConfigKey kKeys[] = {
    {.name = kKind,
     .kind = ConfigKind::text,
     .default_value = "folder",
     .about = "Where generated images are kept: folder (of this machine) or s3",
     .words = kKinds},
    {.name = kRoot,
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Folder for images. Default: `bucket` in the data folder",
     .check = wrong_with_root},
    {.name = kEndpoint,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "URL of the S3 server, such as https://s3.eu-central-1.amazonaws.com",
     .check = wrong_with_endpoint},
    {.name = kBucket,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Name of the S3 bucket. It must exist, and should be private",
     .check = wrong_with_bucket},
    {.name = kRegion,
     .kind = ConfigKind::text,
     .default_value = "us-east-1",
     .about = "Region of the S3 bucket; for Cloudflare R2: auto",
     .check = wrong_with_region},
    {.name = kAccessKey,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Access key id of the S3 server",
     .is_secret = true},
    {.name = kSecretKey,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Secret access key of the S3 server. Set it through a file or the environment",
     .is_secret = true},
    {.name = kPrefix,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Prefix of all keys in the S3 bucket, such as haul",
     .check = wrong_with_prefix},
    {.name = kPathStyle,
     .kind = ConfigKind::boolean,
     .default_value = "true",
     .about = "Whether S3 addresses have the bucket in the path, not in the host's name"},
    {.name = kLinkFor,
     .kind = ConfigKind::duration,
     .default_value = "10m",
     .about = "How long a link to an image in the S3 bucket is valid",
     .range = between(std::chrono::minutes{5}, std::chrono::minutes{10})},
};

Result<void> check(const Config& config) {
  if (config.text(kKind) != "s3") return {};
  for (const std::string_view key : {kEndpoint, kBucket, kAccessKey, kSecretKey})
    if (config.text(key).empty())
      return bad_config(config.from(kKind), fmt::format("{}: {} is required, too", kKind, key));
  return {};
}

}  // namespace

ConfigArea bucket_area() { return {.keys = kKeys, .check = check}; }

BucketSettings bucket_settings(const Config& config, const std::filesystem::path& data) {
  if (config.text(kKind) != "s3") {
    const std::filesystem::path root = config.text(kRoot);
    return bucket::FolderBucketSettings{
        .root = root.empty() ? std::filesystem::absolute(data) / "bucket" : root};
  }
  bucket::S3Settings settings{
      .endpoint = server_address(config.text(kEndpoint)),
      .bucket = config.text(kBucket),
      .region = config.text(kRegion),
      .access_key = config.text(kAccessKey),
      .secret_key = config.text(kSecretKey),
      .prefix = config.text(kPrefix),
      .path_style = config.is_on(kPathStyle),
      .link_for = std::chrono::floor<std::chrono::seconds>(config.duration(kLinkFor)),
      .ca_file = environment("SSL_CERT_FILE"),
      .on_trouble = {}};
  if (!settings.prefix.empty() && !settings.prefix.ends_with('/')) settings.prefix += '/';
  return settings;
}

}  // namespace haul::app
