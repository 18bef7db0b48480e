// The S3 bucket on a loop without a network, against a server that checks every signature.

#include <doctest/doctest.h>

#include "sink/bucket/bucket.h"
#include "support/io/fake_loop.h"
#include "support/io/staged_picture.h"
#include "support/server/fake_s3.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

class S3Bench {
 public:
  S3Bench() {
    server.now = clock.now();
    loop.server = [this](const io::HttpRequest& sent) { return server.answer(sent); };
    const bucket::S3Settings settings{.store = StagedPicture::kStore,
                                      .endpoint = std::string{"http://"} + FakeS3::kHost,
                                      .bucket = FakeS3::kBucket,
                                      .region = server.keys.region,
                                      .access_key = server.keys.access_key,
                                      .secret_key = server.keys.secret_key,
                                      .prefix = "haul/",
                                      .on_trouble = [this](const Fault* fault) {
                                        troubles.push_back(fault ? fault->code : "over");
                                      }};
    skew = settings.skew;
    sink = bucket::make_s3_bucket(settings, loop, clock);
  }
  ~S3Bench() { loop.is_closing = true; }

  // The answer to a landing, if there is one.
  std::optional<What> land(const Parcel& parcel) {
    inbox.take();
    sink->land(parcel, inbox);
    loop.run();
    const std::vector<Sight> sights = inbox.take();
    if (sights.size() != 1) return std::nullopt;
    return sights.front().what;
  }
  std::string fault_of(const Parcel& parcel) {
    const auto what = land(parcel);
    const auto* failed = what ? std::get_if<Failed>(&*what) : nullptr;
    return failed ? failed->fault.code : "";
  }
  bool has_landed(const Parcel& parcel) {
    const auto what = land(parcel);
    return what && std::holds_alternative<Landed>(*what);
  }

  HandClock clock;
  FakeLoop loop{clock};
  FakeS3 server;
  Letters inbox;
  std::vector<std::string> troubles;
  std::shared_ptr<std::atomic<Millis>> skew;
  StagedPicture staged;
  std::unique_ptr<Sink> sink;
};

constexpr const char* kOriginal = "haul/originals/a1b2c3d4e5f6/7/0.png";
constexpr const char* kSmall = "haul/thumbnails/a1b2c3d4e5f6/7/0.jpg";

}  // namespace

TEST_CASE("S4-5: the original is sent and proved, then its thumbnail, and both are whole") {
  S3Bench b;

  const auto what = b.land(b.staged.parcel());

  REQUIRE(what);
  const auto* landed = std::get_if<Landed>(&*what);
  REQUIRE(landed);
  CHECK(landed->files ==
        std::vector<PlacedFile>{{"originals/a1b2c3d4e5f6/7/0.png", std::ssize(b.staged.bytes)}});
  CHECK(b.server.calls == std::vector<std::string>{fmt::format("PUT {} 200", kOriginal),
                                                   fmt::format("HEAD {} 200", kOriginal),
                                                   fmt::format("PUT {} 200", kSmall),
                                                   fmt::format("HEAD {} 200", kSmall)});
  CHECK(b.server.objects.at(kOriginal).bytes == b.staged.bytes);
  CHECK(b.server.objects.at(kOriginal).type == "image/png");
  CHECK(b.server.objects.at(kSmall).bytes == b.staged.thumbnail);
  CHECK(fs::exists(b.staged.path()));
}

TEST_CASE("X19: an error in the body of a 200 is a refusal, whatever the bucket has already") {
  S3Bench b;
  b.server.objects[kOriginal] = {b.staged.bytes, "image/png", ""};

  b.server.error_within = "InternalError";
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_unreachable");
  b.server.error_within = "AccessDenied";
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_unauthorised");
  b.server.error_within = "not a word";
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_refused");
  b.server.error_within.clear();

  CHECK(b.has_landed(b.staged.parcel()));
}

TEST_CASE("an image that lands again is there once") {
  S3Bench b;
  REQUIRE(b.has_landed(b.staged.parcel()));

  CHECK(b.has_landed(b.staged.parcel(JobId{7}, 2)));

  CHECK(b.server.objects.size() == 2);
}

TEST_CASE("X19: a server that says yes and has nothing, or something else, proves nothing") {
  S3Bench b;
  b.server.lose_after = 1;
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_missing");

  b.server.objects[kOriginal] = {"another image", "image/png", ""};
  b.server.lose_after = 1;
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_mismatch");

  b.server.objects[kOriginal] = {"an imagE", "image/png", ""};
  b.server.lose_after = 1;
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_mismatch");
  b.server.has_checksums = false;  // Then its size is all that it tells.
  CHECK(b.has_landed(b.staged.parcel()));
}

TEST_CASE("X19: a clock that is wrong by hours is corrected once, by the server's own") {
  for (const Millis ahead : {std::chrono::hours{5}, std::chrono::hours{-5}}) {
    S3Bench b;
    b.server.now = b.clock.now() + ahead;

    CHECK(b.has_landed(b.staged.parcel()));
    CHECK(b.server.calls.front() == fmt::format("PUT {} 403", kOriginal));
    CHECK(b.server.calls.size() == 5);
    CHECK(b.skew->load() == ahead);

    CHECK(b.has_landed(b.staged.parcel(JobId{8})));
    CHECK(b.server.calls.size() == 9);
  }
}

TEST_CASE("wrong keys and a server that is down are troubles, and cost a job no attempt") {
  S3Bench b;
  b.server.mood.is = FakeMood::Is::unreachable;
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_unreachable");
  b.server.mood.is = FakeMood::Is::starting;
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_unreachable");
  b.server.mood.is = FakeMood::Is::well;
  const std::string secret = std::exchange(b.server.keys.secret_key, "changed");
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_unauthorised");
  b.server.keys.secret_key = secret;

  CHECK(b.has_landed(b.staged.parcel()));

  CHECK(b.troubles ==
        std::vector<std::string>{"bucket_unreachable", "bucket_unauthorised", "over"});
}

TEST_CASE("whether S3 takes images is checked with an object of haul's own, once in a minute") {
  S3Bench b;
  const Parcel parcel{.job = JobId{7}, .fence = 1};
  const auto answer = [&]() -> std::string {
    b.inbox.take();
    if (b.sink->is_usable(parcel, b.inbox)) return "yes";
    b.loop.run();
    const std::vector<Sight> sights = b.inbox.take();
    REQUIRE(sights.size() == 1);
    CHECK(sights.front().fence == 1);
    const auto* failed = std::get_if<Failed>(&sights.front().what);
    if (failed) CHECK((failed->fault.kind == FaultKind::environment));
    return failed ? failed->fault.code : "usable";
  };
  b.server.mood.is = FakeMood::Is::unreachable;
  CHECK(answer() == "bucket_unreachable");
  b.server.mood.is = FakeMood::Is::well;
  const std::string secret = std::exchange(b.server.keys.secret_key, "changed");
  CHECK(answer() == "bucket_unauthorised");
  b.server.keys.secret_key = secret;
  b.server.lose_after = 1;  // It says yes and keeps nothing.
  CHECK(answer() == "bucket_missing");
  CHECK(b.server.objects.empty());

  CHECK(answer() == "usable");
  CHECK(b.server.objects.size() == 1);
  CHECK(b.server.objects.contains("haul/haul-check.txt"));
  CHECK(b.server.objects.at("haul/haul-check.txt").type == "text/plain");
  CHECK(b.troubles == std::vector<std::string>{"bucket_unreachable", "bucket_unauthorised",
                                               "bucket_missing", "over"});
  b.clock.pass(Millis{59'999});
  CHECK(answer() == "yes");
  b.clock.pass(Millis{1});
  CHECK(answer() == "usable");

  b.server.mood.is = FakeMood::Is::unreachable;
  CHECK(b.fault_of(b.staged.parcel()) == "bucket_unreachable");
  CHECK(answer() == "bucket_unreachable");  // What was proved is not true any more.
}

TEST_CASE("a check of S3 that has no answer can be stopped") {
  S3Bench b;
  b.server.mood.is = FakeMood::Is::silent;
  const Parcel parcel{.job = JobId{7}, .fence = 1};
  CHECK_FALSE(b.sink->is_usable(parcel, b.inbox));
  b.loop.run();
  b.sink->stop(parcel, b.inbox);
  b.loop.run();
  const std::vector<Sight> sights = b.inbox.take();
  REQUIRE(sights.size() == 1);
  CHECK(std::holds_alternative<Stopped>(sights.front().what));
}

TEST_CASE("a staged file that is gone or has other bytes is never sent whole") {
  S3Bench b;
  StagedPicture::write(b.staged.path(), "an imagE");
  CHECK(b.fault_of(b.staged.parcel()) == "staged_changed");
  StagedPicture::write(b.staged.path(), "an image and more");
  CHECK(b.fault_of(b.staged.parcel()) == "staged_changed");
  fs::remove(b.staged.path());
  CHECK(b.fault_of(b.staged.parcel()) == "staged_gone");
  CHECK(b.server.objects.empty());
  CHECK(b.fault_of({.job = JobId{7}, .fence = 1, .request = "{}"}) == "bad_staged");
}

TEST_CASE("a paid image lands although its thumbnail is gone") {
  S3Bench b;
  fs::remove(b.staged.thumbnail_path());

  CHECK(b.has_landed(b.staged.parcel()));
  CHECK(b.server.objects.size() == 1);
}

TEST_CASE("a stop while bytes are on their way says that some may have arrived") {
  S3Bench b;
  b.server.mood.is = FakeMood::Is::silent;
  CHECK_FALSE(b.land(b.staged.parcel()));

  b.sink->stop(b.staged.parcel(), b.inbox);
  b.loop.run();

  const std::vector<Sight> sights = b.inbox.take();
  REQUIRE(sights.size() == 1);
  const auto* failed = std::get_if<Failed>(&sights.front().what);
  REQUIRE(failed);
  CHECK(failed->fault.code == "stopped_halfway");
}

TEST_CASE("few images are sent at once; the others wait, and can be stopped without effect") {
  S3Bench b;
  b.server.mood.is = FakeMood::Is::silent;
  for (int job = 1; job <= 6; ++job) b.sink->land(b.staged.parcel(JobId{job}), b.inbox);
  b.loop.run();
  CHECK(b.server.calls.size() == 4);

  b.sink->stop(b.staged.parcel(JobId{6}), b.inbox);
  b.loop.run();
  const std::vector<Sight> stopped = b.inbox.take();
  REQUIRE(stopped.size() == 1);
  CHECK(std::holds_alternative<Stopped>(stopped.front().what));

  b.server.mood.is = FakeMood::Is::well;
  b.sink->stop(b.staged.parcel(JobId{1}), b.inbox);
  b.loop.run();
  const std::vector<Sight> rest = b.inbox.take();
  REQUIRE(rest.size() == 2);
  CHECK(rest.back().job == JobId{5});
  CHECK(std::holds_alternative<Landed>(rest.back().what));
}

}  // namespace haul::testing
