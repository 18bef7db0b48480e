#pragma once
// A real S3 server from npm (tests/s3). It compares no signatures.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/suite.h"
#include "io/web/http_call.h"
#include "sink/bucket/s3_requests.h"
#include "support/io/staged_picture.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/run/skip.h"
#include "support/server/free_port.h"

namespace haul::testing {

inline const std::filesystem::path kS3Folder = HAUL_SOURCE_DIR "/tests/s3";

// Whether its packages are there. Reports the test as skipped if they are not.
inline bool has_s3_packages() {
  if (std::filesystem::exists(kS3Folder / "node_modules/s3rver") &&
      std::filesystem::exists(kS3Folder / "node_modules/aws4"))
    return true;
  skip("npm ci in tests/s3 has not installed s3rver and aws4");
  return false;
}

// It takes the access key S3RVER alone.
class S3Server {
 public:
  S3Server()
      : settings{.store = StagedPicture::kStore,
                 .endpoint = fmt::format("http://127.0.0.1:{}", port_),
                 .bucket = "pictures",
                 .access_key = "S3RVER",
                 .secret_key = "S3RVER",
                 .prefix = "haul one/"},
        child_{bound({"node", (kS3Folder / "node_modules/s3rver/bin/s3rver.js").string(), "-d",
                      folder_.path().string(), "-a", "127.0.0.1", "-p", std::to_string(port_),
                      "--configure-bucket", "pictures", "--no-vhost-buckets"})} {
    REQUIRE(comes_true([this] { return io::call({.url = settings.endpoint}).has_value(); }));
  }

  What land(const Parcel& parcel) { return land(parcel, settings); }
  static What land(const Parcel& parcel, const bucket::S3Settings& with) {
    conformance::Sights sights;
    const auto loop = io::make_http_loop(system_clock());
    const auto sink = bucket::make_s3_bucket(with, *loop, system_clock());
    sink->land(parcel, sights);
    REQUIRE(comes_true([&] { return !sights.all().empty(); }));
    return sights.all().front().what;
  }
  io::HttpAnswer get(const std::string& key, Time now = system_clock().now(),
                     std::vector<std::string> headers = {}) const {
    return io::call({.url = bucket::s3_link(settings, key, now), .headers = std::move(headers)})
        .value();
  }

 private:
  const TempFolder folder_;
  const std::uint16_t port_ = free_port();

 public:
  const bucket::S3Settings settings;

 private:
  Child child_;
};

}  // namespace haul::testing
