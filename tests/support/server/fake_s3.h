#pragma once
// An S3 server with one bucket, in memory, path style. Checks every signature with the test's own
// words (the headers that were sent), the body's SHA-256, and that no request is older than 15
// minutes. Keeps a record of what happened to it.

#include <map>
#include <string>
#include <vector>

#include "base/time.h"
#include "sink/bucket/sigv4.h"
#include "support/io/fake_reply.h"
#include "support/server/fake_web.h"

namespace haul::testing {

struct FakeObject {
  std::string bytes;
  std::string type;
  std::string sha256;  // As its metadata says.

  bool operator==(const FakeObject&) const = default;
};

class FakeS3 {
 public:
  static constexpr const char* kHost = "s3.test:9000";
  static constexpr const char* kBucket = "pictures";

  std::optional<FakeReply> answer(const io::HttpRequest& sent);

  bucket::AwsKeys keys{.access_key = "AKTEST", .secret_key = "a secret/+=", .region = "eu-test-1"};
  FakeMood mood;
  Time now{};                  // Of its own clock.
  int lose_after = 0;          // Objects put from now on that are not kept; 200 all the same.
  std::string error_within{};  // The code of an error in a PUT's 200. Nothing is kept then.
  bool has_checksums = true;   // Answers a HEAD with the SHA-256, as AWS does.
  std::map<std::string, FakeObject> objects;  // By key.
  std::vector<std::string> calls;             // "PUT originals/a1b2c3d4e5f6/1/0.png 200"

 private:
  FakeReply serve(const SentRequest& request, const std::string& key);
  std::string refusal(const SentRequest& request) const;
  FakeReply put(const SentRequest& request, const std::string& key);
  FakeReply head(const std::string& key) const;
};

}  // namespace haul::testing
