#include "app/wiring/bucket.h"

#include <fcntl.h>

#include <utility>

#include "io/web/http.h"
#include "sink/bucket/object_folder.h"
#include "sink/bucket/s3_requests.h"
#include "sink/bucket/staged_image.h"

namespace haul::app {
namespace {

// An S3 bucket with an event loop of its own.
class RemoteBucket final : public Sink {
 public:
  RemoteBucket(const Clock& clock, const bucket::S3Settings& settings)
      : loop_{io::make_http_loop(clock)}, sink_{bucket::make_s3_bucket(settings, *loop_, clock)} {}

  void land(const Parcel& parcel, Inbox& inbox) override { sink_->land(parcel, inbox); }
  bool is_usable(const Parcel& parcel, Inbox& inbox) override {
    return sink_->is_usable(parcel, inbox);
  }
  void verify(const Parcel& parcel, Inbox& inbox) override { sink_->verify(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { sink_->clean(parcel, inbox); }
  void stop(const Parcel& parcel, Inbox& inbox) override { sink_->stop(parcel, inbox); }

 private:
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<Sink> sink_;  // Destroyed first: it uses the loop.
};

class LocalKept final : public api::KeptFile {
 public:
  explicit LocalKept(io::File file) : file_{std::move(file)}, size_{file_.mark().size} {}

  std::int64_t size() const override { return size_; }
  Result<std::string> read(std::int64_t at, std::size_t most) const override {
    std::string bytes(most, '\0');
    const auto got = file_.read_at(std::as_writable_bytes(std::span{bytes}), at);
    if (!got) return std::unexpected{got.error()};
    bytes.resize(*got);
    return bytes;
  }
  void read_ahead(std::int64_t at, std::int64_t size) const override {
    ::posix_fadvise(file_.descriptor(), at, size, POSIX_FADV_WILLNEED);
  }

 private:
  const io::File file_;
  const std::int64_t size_;
};

std::string key_for(const std::string& path, api::KeptForm form) {
  const std::string thumbnail = bucket::thumbnail_of(path);
  if (thumbnail.empty()) return {};  // Not of a bucket.
  return form == api::KeptForm::thumbnail ? thumbnail : path;
}

std::unexpected<Fault> no_such_object() {
  return std::unexpected{Fault{FaultKind::permanent, "no_such_object", "there is no such file"}};
}

}  // namespace

std::unique_ptr<Sink> make_bucket(const Clock& clock, io::DiskSpace& space,
                                  const BucketSettings& settings) {
  if (const auto* folder = std::get_if<bucket::FolderBucketSettings>(&settings))
    return bucket::make_folder_bucket(*folder, space, clock);
  return std::make_unique<RemoteBucket>(clock, std::get<bucket::S3Settings>(settings));
}

api::OpenKept bucket_reader(const Clock& clock, const BucketSettings& settings) {
  if (const auto* s3 = std::get_if<bucket::S3Settings>(&settings))
    return
        [&clock, s3 = *s3](const std::string& path, api::KeptForm form) -> Result<api::KeptCopy> {
          const std::string key = key_for(path, form);
          if (key.empty()) return no_such_object();
          return api::KeptCopy{.file = {},
                               .link = bucket::s3_link(s3, key, bucket::s3_now(s3, clock)),
                               .type = std::string{bucket::content_type(key)}};
        };
  const auto& folder = std::get<bucket::FolderBucketSettings>(settings);
  return
      [root = folder.root](const std::string& path, api::KeptForm form) -> Result<api::KeptCopy> {
        const std::string key = key_for(path, form);
        if (key.empty()) return no_such_object();
        auto file = bucket::open_object(root, key);
        if (!file) return std::unexpected{file.error()};
        return api::KeptCopy{.file = std::make_shared<const LocalKept>(*std::move(file)),
                             .link = {},
                             .type = std::string{bucket::content_type(key)}};
      };
}

std::string bucket_origin(const BucketSettings& settings) {
  const auto* s3 = std::get_if<bucket::S3Settings>(&settings);
  return s3 ? bucket::s3_origin(*s3) : std::string{};
}

}  // namespace haul::app
