#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

constexpr const char* kSha = "c0ffee";

// A file in memory, that counts its readers.
class TextFile final : public api::KeptFile {
 public:
  explicit TextFile(std::string text) : text_{std::move(text)} {}
  std::int64_t size() const override { return std::ssize(text_); }
  Result<std::string> read(std::int64_t at, std::size_t most) const override {
    if (breaks_at >= 0 && at >= breaks_at)
      return std::unexpected{Fault{FaultKind::environment, "disk_error", "a canary's path"}};
    return text_.substr(static_cast<std::size_t>(at), most);
  }
  void read_ahead(std::int64_t, std::int64_t) const override {}

  std::int64_t breaks_at = -1;  // The disk fails from here on; below zero: never.

 private:
  const std::string text_;
};

// The image of a job of the adder, and a bucket that has it and its thumbnail.
class AssetBench : public ApiBench {
 public:
  explicit AssetBench(std::string image = "0123456789") : image_{std::move(image)} {
    const NewJob job{.lifecycle = &kBook,
                     .owner = users.at("adder").id,
                     .request =
                         R"({"book_id":"b","title":"b","media_type":"text","uri":"magnet:?x",)"
                         R"("source":"s"})"};
    id = store().jobs().add({&job, 1}, clock.now()).front().value().id;
    move(On::started);
    move(On::landed);
    file_ = std::make_shared<TextFile>(image_);
    open_kept = [this](const std::string& path, api::KeptForm form) -> Result<api::KeptCopy> {
      const bool is_small = form == api::KeptForm::thumbnail;
      if (path != "originals/1/0.png" || (is_small && !has_thumbnail))
        return std::unexpected{Fault{FaultKind::permanent, "no_such_object", "none"}};
      if (is_broken)
        return std::unexpected{Fault{FaultKind::environment, "disk_error", "a canary's path"}};
      if (!link.empty()) return api::KeptCopy{.file = {}, .link = link, .type = "image/png"};
      if (is_small) return api::KeptCopy{std::make_shared<TextFile>("small"), "", "image/jpeg"};
      return api::KeptCopy{file_, "", "image/png"};
    };
  }

  WebReply file(const std::string& who, WebFields headers = {}, const std::string& query = "") {
    return as(who, "GET", "/api/v1/assets/1/file" + query, {}, std::move(headers));
  }
  TextFile& kept() { return *file_; }

  JobId id;
  bool has_thumbnail = true;
  bool is_broken = false;
  std::string link;

 private:
  void move(On on) {
    Ask ask{.version = store().reader().find(id)->version, .on = on, .by = By::worker};
    ask.holds = {Guard::active_report, Guard::file_in_place};
    if (on == On::landed) {
      ask.proof = {Proof::evidence, R"({"size":10})"};
      ask.assets = {AssetFacts{.book = "b",
                               .title = "b",
                               .media_type = "text",
                               .path = "originals/1/0.png",
                               .size = std::ssize(image_),
                               .checksum = kSha,
                               .source_url = "",
                               .source = "s"}};
    }
    REQUIRE(store().jobs().move({&ask, 1}, clock.now()).front().has_value());
  }

  const std::string image_;
  std::shared_ptr<TextFile> file_;
};

std::string all_of(WebStream& stream) {
  std::string all;
  while (const auto next = stream.next()) all += *next;
  return all;
}

}  // namespace

TEST_CASE("S4-5: the owner and operators get an image; others cannot tell that it exists") {
  AssetBench b;
  for (const char* who : {"adder", "operator", "boss"}) {
    CAPTURE(who);
    const WebReply reply = b.file(who);
    CHECK(reply.status == 200);
    CHECK(reply.body == "0123456789");
  }

  const WebReply other = b.file("viewer");
  CHECK(other.status == 404);
  CHECK(member(other, "code") == "no_such_file");
  CHECK(b.file("").status == 401);
  CHECK(b.as("viewer", "GET", "/api/v1/assets/2/file").status == 404);
  for (const char* path : {"/api/v1/assets/0/file", "/api/v1/assets/-1/file",
                           "/api/v1/assets/x/file", "/api/v1/assets/99999999999999999999/file"})
    CHECK(b.get(path).status == 404);
}

TEST_CASE("an image is shown as what it is, under a name of haul's own, and kept by one user") {
  AssetBench b;

  const WebReply reply = b.file("adder");

  CHECK(header_of(reply, "Content-Type") == "image/png");
  CHECK(header_of(reply, "X-Content-Type-Options") == "nosniff");
  CHECK(header_of(reply, "Content-Disposition") == "inline; filename=\"image-1.png\"");
  CHECK(header_of(reply, "Cache-Control") == "private, no-cache");
  CHECK(header_of(reply, "ETag") == "\"c0ffee\"");
  CHECK(header_of(reply, "Accept-Ranges") == "bytes");
}

TEST_CASE("a thumbnail is sent instead, or the image itself if it has none") {
  AssetBench b;
  const WebReply small = b.file("adder", {}, "?size=thumbnail");
  CHECK(small.body == "small");
  CHECK(header_of(small, "Content-Type") == "image/jpeg");
  CHECK(header_of(small, "ETag") == "\"c0ffee-small\"");

  b.has_thumbnail = false;
  CHECK(b.file("adder", {}, "?size=thumbnail").body == "0123456789");
  CHECK(b.file("adder", {}, "?size=large").status == 400);
  CHECK(b.file("adder", {}, "?key=x").status == 400);
}

TEST_CASE("a range is answered with 206, one beyond the file with 416") {
  AssetBench b;
  const WebReply part = b.file("adder", {{"range", "bytes=2-4"}});
  CHECK(part.status == 206);
  CHECK(part.body == "234");
  CHECK(header_of(part, "Content-Range") == "bytes 2-4/10");
  CHECK(b.file("adder", {{"range", "bytes=-1"}}).body == "9");
  CHECK(b.file("adder", {{"range", "bytes=9-"}}).body == "9");

  const WebReply beyond = b.file("adder", {{"range", "bytes=10-"}});
  CHECK(beyond.status == 416);
  CHECK(header_of(beyond, "Content-Range") == "bytes */10");
  CHECK(member(beyond, "code") == "no_such_range");
  CHECK(b.file("adder", {{"range", "bytes=0-1,4-5"}}).status == 200);
}

TEST_CASE("a browser that has the image is told so, and a range of another image is not sent") {
  AssetBench b;
  const WebReply same = b.file("adder", {{"if-none-match", "\"c0ffee\""}});
  CHECK(same.status == 304);
  CHECK(same.body.empty());
  CHECK(b.file("adder", {{"if-none-match", "W/\"x\", \"c0ffee\""}}).status == 304);
  CHECK(b.file("adder", {{"if-none-match", "\"other\""}}).status == 200);

  const WebFields range{{"range", "bytes=0-1"}};
  WebFields with_same = range;
  with_same.emplace_back("if-range", "\"c0ffee\"");
  CHECK(b.file("adder", with_same).status == 206);
  WebFields with_other = range;
  with_other.emplace_back("if-range", "\"other\"");
  CHECK(b.file("adder", with_other).status == 200);
}

TEST_CASE("a large image is streamed with its length, a small one is not, also by ranges") {
  const std::string large(std::size_t{1} << 20U, 'x');
  AssetBench b{large};

  const WebReply reply = b.file("adder");
  REQUIRE(reply.stream);
  CHECK(reply.body_length() == std::ssize(large));
  CHECK(all_of(*reply.stream) == large);
  CHECK(reply.stream->is_over());

  const WebReply most = b.file("adder", {{"range", "bytes=1-"}});
  REQUIRE(most.stream);
  CHECK(most.body_length() == std::ssize(large) - 1);
  CHECK(all_of(*most.stream).size() == large.size() - 1);
  CHECK_FALSE(b.file("adder", {{"range", "bytes=0-262143"}}).stream);
  CHECK(b.file("adder", {{"range", "bytes=0-262144"}}).stream);
}

TEST_CASE("a stream is not over while its last bytes may still be on their way") {
  AssetBench b{std::string(std::size_t{300} << 10U, 'x')};
  const WebReply reply = b.file("adder");
  REQUIRE(reply.stream);

  for (int piece = 0; piece < 3; ++piece) {
    CHECK(reply.stream->next());
    CHECK_FALSE(reply.stream->is_over());
  }
  CHECK_FALSE(reply.stream->next());
  CHECK(reply.stream->is_over());
}

TEST_CASE("a disk that fails ends a reply early, and is no 200 with half an image") {
  AssetBench b{std::string(std::size_t{1} << 20U, 'x')};
  b.kept().breaks_at = 300'000;
  const WebReply reply = b.file("adder");
  REQUIRE(reply.stream);
  CHECK(all_of(*reply.stream).size() < (std::size_t{1} << 20U));
  CHECK(reply.stream->is_over());

  b.kept().breaks_at = 0;
  CHECK(b.file("adder", {{"range", "bytes=0-9"}}).status == 503);
  b.is_broken = true;
  const WebReply broken = b.file("adder");
  CHECK(broken.status == 503);
  CHECK(broken.body.find("canary") == std::string::npos);
}

TEST_CASE("A4-11: an image of another server is a redirect to a link, which is not kept") {
  AssetBench b;
  b.link = "https://images.example/originals/1/0.png?X-Amz-Signature=1";

  const WebReply reply = b.file("adder");

  CHECK(reply.status == 302);
  CHECK(header_of(reply, "Location") == b.link);
  CHECK(header_of(reply, "Cache-Control") == "no-store");
  CHECK(b.file("viewer").status == 404);
  CHECK(header_of(b.get("/"), "Content-Security-Policy").find("data: https://images.example;") !=
        std::string::npos);
}

TEST_CASE("an asset whose file no sink keeps, or that is gone, has no file to send") {
  AssetBench b;
  REQUIRE(b.store().catalog().lose(FileId{1}, AssetLoss::deleted, b.clock.now()));
  CHECK(b.file("adder").status == 404);
}

TEST_CASE("the assets of one job are listed, to those who may see it") {
  AssetBench b;
  const WebReply own = b.as("adder", "GET", "/api/v1/assets?job=1");
  CHECK(own.body.find("originals/1/0.png") != std::string::npos);
  CHECK(b.as("operator", "GET", "/api/v1/assets?job=1").body.find("originals") !=
        std::string::npos);
  CHECK(member(b.as("viewer", "GET", "/api/v1/assets?job=1"), "code") == "no_such_job");
  CHECK(member(b.as("adder", "GET", "/api/v1/assets?job=1&status=missing"), "items") == "[]");
  CHECK(member(b.as("adder", "GET", "/api/v1/assets?job=1&cursor=1"), "items") == "[]");
}

}  // namespace haul::testing
