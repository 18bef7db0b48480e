#pragma once
// One image on its way to an S3 server: the original, then its thumbnail, each sent and then asked
// for. Lives on the loop's thread; destroying it ends its requests.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "io/web/http_fetcher.h"
#include "sink/bucket/s3_requests.h"
#include "sink/bucket/staged_image.h"

namespace haul::bucket {

// What all landings share.
struct S3Env {
  const S3Settings& settings;
  io::HttpLoop& loop;
  const Clock& clock;

  Time now() const { return s3_now(settings, clock); }
};

class S3Landing {
 public:
  // Gets nothing if the server has the image, proved by its own answer.
  using Done = std::function<void(std::optional<Fault>)>;

  S3Landing(S3Env& env, ImageToKeep image, JobId job, Done done);

  // `done` runs once, maybe before this returns; it may destroy the landing.
  void begin();
  // Whether the server may have got something.
  bool has_sent() const { return has_sent_; }
  // The image, without its thumbnail if that was gone.
  const ImageToKeep& image() const { return image_; }

 private:
  void send_original();
  void send_thumbnail();
  void put(const std::string& path, S3Object object);
  void see_put(const std::string& path, const S3Object& object,
               const Result<io::HttpWhole>& answer);
  void prove(const S3Object& object);
  void see_head(const S3Object& object, const Result<io::HttpWhole>& answer);
  // Takes over the server's clock, once. False if that is not what is wrong.
  bool takes_clock_of(const io::HttpWhole& answer);

  S3Env& env_;
  ImageToKeep image_;
  const JobId job_;
  const Done done_;
  io::HttpFetcher fetcher_;
  bool has_sent_ = false;
  bool has_original_ = false;
  bool has_new_clock_ = false;
};

}  // namespace haul::bucket
