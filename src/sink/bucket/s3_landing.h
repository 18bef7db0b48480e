#pragma once
// One image on its way to an S3 server: the original, then its thumbnail. Lives on the loop's
// thread; destroying it ends its requests.

#include <optional>
#include <string>

#include "sink/bucket/s3_sending.h"
#include "sink/bucket/staged_image.h"

namespace haul::bucket {

class S3Landing {
 public:
  // Gets nothing if the server has the image, proved by its own answer.
  using Done = S3Sending::Done;

  S3Landing(S3Env& env, ImageToKeep image, io::PartOwner owner, Done done);

  // `done` runs once, maybe before this returns. It must not destroy the landing.
  void begin();
  // Whether the server may have got something.
  bool has_sent() const { return original_ && original_->has_sent(); }
  // The image, without its thumbnail if that was gone.
  const ImageToKeep& image() const { return image_; }

 private:
  void send_thumbnail();
  void send(std::optional<S3Sending>& as, const std::string& path, const S3Object& object,
            Done done);

  S3Env& env_;
  ImageToKeep image_;
  const io::PartOwner owner_;
  const Done done_;
  std::optional<S3Sending> original_;
  std::optional<S3Sending> thumbnail_;
};

}  // namespace haul::bucket
