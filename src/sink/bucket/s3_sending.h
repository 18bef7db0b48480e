#pragma once
// One object on its way to an S3 server: sent, then asked for. Lives on the loop's thread;
// destroying it ends its requests.

#include <functional>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "io/web/http_fetcher.h"
#include "sink/bucket/s3_requests.h"

namespace haul::bucket {

// What all requests to the server share.
struct S3Env {
  const S3Settings& settings;
  io::HttpLoop& loop;
  const Clock& clock;

  Time now() const { return s3_now(settings, clock); }
};

class S3Sending {
 public:
  // Puts the bytes into the request. Called for each try.
  using GiveBytes = std::function<Result<void>(io::HttpRequest&)>;
  // Gets nothing if the server has the object, proved by its own answer.
  using Done = std::function<void(std::optional<Fault>)>;

  S3Sending(S3Env& env, S3Object object, GiveBytes give, Done done);

  // `done` runs once, maybe before this returns. It must not destroy the sending.
  void begin();
  // Whether the server may have got something.
  bool has_sent() const { return has_sent_; }

 private:
  void see_put(const Result<io::HttpWhole>& answer);
  void see_head(const Result<io::HttpWhole>& answer);
  // Takes over the server's clock, once. False if that is not what is wrong.
  bool takes_clock_of(const io::HttpWhole& answer);

  S3Env& env_;
  const S3Object object_;
  const GiveBytes give_;
  const Done done_;
  io::HttpFetcher fetcher_;
  bool has_sent_ = false;
  bool has_new_clock_ = false;
};

// A small object of fixed text, always under the same key. If the server takes it, it takes images.
std::unique_ptr<S3Sending> make_check(S3Env& env, S3Sending::Done done);

}  // namespace haul::bucket
