#pragma once
// Where generated images are kept: a folder of this machine, or a bucket of an S3 server. Both keep
// an image under originals/ and its thumbnail under thumbnails/ (staged_image.h), in a folder of
// the store, so that stores can share a bucket. The engine's staged files stay: a landing can be
// repeated until its job is completed.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "io/file/room.h"
#include "io/web/http.h"
#include "seam/sink.h"

namespace haul::bucket {

struct FolderBucketSettings {
  std::filesystem::path root;  // Absolute. Made if it is missing.
  std::string store{};         // Id of haul's store. Keys and parts carry it.
  std::size_t tasks_max = 1'000;
  // Called when the folder's fault changes, with null when it is over. Runs on a thread of its own.
  std::function<void(const Fault*)> on_trouble{};
};

// The space and the clock outlive it.
std::unique_ptr<Sink> make_folder_bucket(FolderBucketSettings settings, io::DiskSpace& space,
                                         const Clock& clock);

struct S3Settings {
  std::string store{};   // Id of haul's store. Keys carry it.
  std::string endpoint;  // "https://s3.eu-central-1.amazonaws.com", without a path.
  std::string bucket;
  std::string region = "us-east-1";
  std::string access_key;
  std::string secret_key;
  std::string prefix;      // Of all keys: "haul/". Empty, or ends in a slash.
  bool path_style = true;  // The bucket is in the path, not in the host's name.
  std::chrono::seconds link_for{600};
  std::string ca_file;
  std::size_t tasks_max = 1'000;
  // By how much the server's clock is ahead of haul's. Uploads learn it; links use it, too.
  std::shared_ptr<std::atomic<Millis>> skew = std::make_shared<std::atomic<Millis>>(Millis{0});
  // Called when the bucket's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

// The loop and the clock outlive it. Destroying it waits for the loop's thread.
std::unique_ptr<Sink> make_s3_bucket(S3Settings settings, io::HttpLoop& loop, const Clock& clock);

}  // namespace haul::bucket
