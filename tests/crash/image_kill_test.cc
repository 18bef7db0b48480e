// A daemon that makes one image is killed at every call by which it writes to the disk, commits or
// sends something, and at every request to an S3 bucket. The next daemon ends with one image in the
// bucket, paid once from the owner's credits, and with a record of every call that the provider
// charges for.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include "base/clock.h"
#include "support/process/killed_image.h"
#include "support/run/proof.h"
#include "support/run/skip.h"
#include "support/server/fake_s3.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> files_below(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator{root}) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file{entry.path(), std::ios::binary};
    files[fs::relative(entry.path(), root).string()] = {std::istreambuf_iterator<char>{file}, {}};
  }
  return files;
}

bool can_kill() {
  if (run_program({HAUL_KILL_AT, "1", "true"}).code == 0) return true;
  skip("programs cannot be traced here");
  return false;
}

// What the threads of a test found wrong.
class Problems {
 public:
  void add(const std::string& where, const std::string& what) {
    if (what.empty()) return;
    const std::scoped_lock lock{mutex_};
    text_ += where + "\n" + what;
  }
  const std::string& text() const { return text_; }

 private:
  std::mutex mutex_;
  std::string text_;
};

// A bucket on a port, whose client is killed when a request comes, before or after it is served.
class DeadlyS3 {
 public:
  enum class Kill : std::uint8_t { before, after };

  void kill_at(pid_t client, int request, Kill when) {
    port_.with([&] {
      client_ = client;
      deadly_ = request;
      kill_ = when;
    });
  }
  std::vector<std::string> settings() const {
    return {"HAUL__BUCKET__KIND=s3",
            "HAUL__BUCKET__ENDPOINT=" + port_.url(),
            std::string{"HAUL__BUCKET__BUCKET="} + FakeS3::kBucket,
            "HAUL__BUCKET__REGION=" + server_.keys.region,
            "HAUL__BUCKET__ACCESS_KEY=" + server_.keys.access_key,
            "HAUL__BUCKET__SECRET_KEY=" + server_.keys.secret_key};
  }
  std::map<std::string, std::string> objects() {
    std::map<std::string, std::string> all;
    port_.with([&] {
      for (const auto& [key, object] : server_.objects) all[key] = object.bytes;
    });
    all.erase("haul-check.txt");  // Written before haul pays.
    return all;
  }
  int requests() {
    int count = 0;
    port_.with([&] { count = requests_; });
    return count;
  }

 private:
  std::optional<FakeReply> answer(const io::HttpRequest& sent) {
    server_.now = system_clock().now();
    const bool is_deadly = ++requests_ == deadly_;
    if (is_deadly && kill_ == Kill::before) return die();
    std::optional<FakeReply> reply = server_.answer(sent);
    return is_deadly ? die() : reply;
  }
  std::optional<FakeReply> die() const {
    ::kill(client_, SIGKILL);
    return std::nullopt;
  }

  FakeS3 server_;
  int requests_ = 0;
  int deadly_ = 0;
  Kill kill_ = Kill::before;
  pid_t client_ = 0;
  FakeOnPort port_{[this](const io::HttpRequest& sent) { return answer(sent); }};
};

}  // namespace

TEST_CASE(
    "S4-6, S4-7, S4-16, Z-21: killed at any write, flush or send of an image, haul ends with one "
    "image, paid once (proof: at every one)" *
    doctest::test_suite("proof")) {
  if (!can_kill()) return;
  Problems problems;

  const int runs = run_numbers(rounds(7, 1), [&](int number) {
    KilledImage image{{}, {HAUL_KILL_AT, std::to_string(number)}};
    const bool is_made = image.is_made();
    if (is_made) image.daemon().stop();  // It may be killed as it ends.
    const std::string found = image.problems_after_restart();
    problems.add(fmt::format("call {}:", number),
                 found + image.problems_of_objects(files_below(image.daemon().data() / "bucket")));
    return !is_made;
  });

  MESSAGE(runs << " runs");
  CHECK(runs > 4);
  CHECK(problems.text() == "");
}

TEST_CASE(
    "S4-5, S4-6: killed at any request to an S3 bucket, haul ends with one image, paid once") {
  DeadlyS3 alive;
  KilledImage untouched{alive.settings()};
  REQUIRE(untouched.is_made());
  CHECK(untouched.problems() == "");
  CHECK(untouched.problems_of_objects(alive.objects()) == "");
  const int requests = alive.requests();
  REQUIRE(requests >= 4);
  Problems problems;

  run_numbers(1, [&](int number) {
    if (number > 2 * requests) return false;
    DeadlyS3 s3;
    KilledImage image{s3.settings()};
    const int request = (number + 1) / 2;
    s3.kill_at(image.daemon().pid(), request,
               number % 2 == 1 ? DeadlyS3::Kill::before : DeadlyS3::Kill::after);
    const bool is_made = image.is_made();
    const std::string found = is_made ? "it was not killed\n" : image.problems_after_restart();
    problems.add(fmt::format("run {}, request {}:", number, request),
                 found + image.problems_of_objects(s3.objects()));
    return true;
  });

  CHECK(problems.text() == "");
}
