// Handler for the files of assets that a sink keeps, such as generated images. Only the owner and
// operators get them.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "api/byte_range.h"
#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "api/kept_file.h"

namespace haul::api {
namespace {

constexpr std::int64_t kAtOnceMax = std::int64_t{256} << 10U;  // A larger reply is streamed.
constexpr std::int64_t kPiece = std::int64_t{128} << 10U;

ApiError no_such_file() { return {404, "no_such_file", "there is no such file"}; }

// A part of a file as the body of a reply. KeptFile reads ahead, so the server's thread does not
// wait for the disk. If the disk fails, the reply ends before its Content-Length.
// is_over() becomes true only at the next() after the last byte: the server may close a stream that
// is over before it has sent the last bytes.
class KeptStream final : public WebStream {
 public:
  KeptStream(std::shared_ptr<const KeptFile> file, ByteRange range)
      : file_{std::move(file)}, at_{range.at}, left_{range.size} {}

  std::optional<std::string> next() override {
    const auto most = static_cast<std::size_t>(std::min<std::int64_t>(left_, kPiece));
    auto bytes = most > 0 ? file_->read(at_, most) : Result<std::string>{};
    if (!bytes || bytes->empty()) {
      over_ = true;
      return std::nullopt;
    }
    at_ += std::ssize(*bytes);
    left_ -= std::ssize(*bytes);
    return *std::move(bytes);
  }
  bool is_over() const override { return over_; }

 private:
  const std::shared_ptr<const KeptFile> file_;
  std::int64_t at_;
  std::int64_t left_;
  bool over_ = false;
};

// The asset if it is this user's to see.
std::expected<Asset, ApiError> asset_in_path(const ApiParts& parts, const Call& call) {
  const auto id = read_number(call.word());
  if (!id || *id < 1) return std::unexpected{no_such_file()};
  const std::vector<Asset> found = parts.store.catalog().assets(
      {.owner = call.who.scope(), .status = "available", .after = FileId{*id - 1}, .limit = 1});
  if (found.empty() || found.front().id.value != *id) return std::unexpected{no_such_file()};
  return found.front();
}

// An image without a thumbnail is its own.
Result<KeptCopy> open_copy(const ApiParts& parts, const Asset& asset, KeptForm form) {
  auto copy = parts.open_kept(asset.path, form);
  if (copy || form == KeptForm::whole || copy.error().code != "no_such_object") return copy;
  return parts.open_kept(asset.path, KeptForm::whole);
}

// Quoted. Empty if haul does not know what bytes the file has.
std::string tag_of(const Asset& asset, KeptForm form) {
  if (asset.checksum.empty()) return {};
  return fmt::format("\"{}{}\"", asset.checksum, form == KeptForm::thumbnail ? "-small" : "");
}

bool names_tag(std::string_view header, std::string_view tag) {
  return !tag.empty() && (header == "*" || header.find(tag) != std::string_view::npos);
}

// "image-7.png", of the media type: never a name that came from outside.
std::string file_name(const Asset& asset, const KeptCopy& copy) {
  return fmt::format("image-{}.{}", asset.job.value, copy.type.substr(copy.type.find('/') + 1));
}

// A file never changes under its tag, but the browser asks whether its user may still have it.
WebFields headers_of(const Asset& asset, const KeptCopy& copy, const std::string& tag) {
  WebFields headers = {
      {"Content-Type", copy.type},
      {"Content-Disposition", fmt::format("inline; filename=\"{}\"", file_name(asset, copy))},
      {"Cache-Control", "private, no-cache"},
      {"Accept-Ranges", "bytes"}};
  if (!tag.empty()) headers.emplace_back("ETag", tag);
  return headers;
}

ApiReply file_reply(const WebRequest& request, const KeptCopy& copy, WebFields headers,
                    const std::string& tag) {
  const std::string_view only_if = request.header("if-range");
  const bool wants_part = only_if.empty() || (!tag.empty() && only_if == tag);
  const std::int64_t size = copy.file->size();
  const ByteRange range = read_range(wants_part ? request.header("range") : "", size);
  if (range.is == ByteRange::Is::beyond) {
    WebReply reply = error_reply({416, "no_such_range", "the file has no byte in this range"});
    reply.headers.emplace_back("Content-Range", fmt::format("bytes */{}", size));
    return reply;
  }
  WebReply reply{.status = 200, .headers = std::move(headers), .body = {}, .stream = {}};
  if (range.is == ByteRange::Is::part) {
    reply.status = 206;
    reply.headers.emplace_back(
        "Content-Range", fmt::format("bytes {}-{}/{}", range.at, range.at + range.size - 1, size));
  }
  if (range.size > kAtOnceMax) {
    copy.file->read_ahead(range.at, range.size);
    reply.length = range.size;
    reply.stream = std::make_shared<KeptStream>(copy.file, range);
    return reply;
  }
  KeptStream bytes{copy.file, range};
  while (const auto piece = bytes.next()) reply.body += *piece;
  if (std::ssize(reply.body) != range.size)
    return std::unexpected{ApiError{503, "cannot_read", "the file cannot be read now"}};
  return reply;
}

}  // namespace

namespace handle {

ApiReply show_asset_file(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"size"})) return std::unexpected{*error};
  const std::string_view size = call.request.query("size");
  if (!size.empty() && size != "thumbnail")
    return std::unexpected{wrong_field("size", "expected thumbnail")};
  const KeptForm form = size.empty() ? KeptForm::whole : KeptForm::thumbnail;
  const auto asset = asset_in_path(parts, call);
  if (!asset) return std::unexpected{asset.error()};
  if (!parts.open_kept) return std::unexpected{no_such_file()};
  const auto copy = open_copy(parts, *asset, form);
  if (!copy && copy.error().code == "no_such_object") return std::unexpected{no_such_file()};
  if (!copy)
    return std::unexpected{ApiError{
        503, "cannot_read", "the file cannot be read now", {}, {}, 0, copy.error().detail}};
  const std::string tag = tag_of(*asset, form);
  if (!copy->file)
    return WebReply{.status = 302,
                    .headers = {{"Location", copy->link}, {"Cache-Control", "no-store"}},
                    .body = {},
                    .stream = {}};
  WebFields headers = headers_of(*asset, *copy, tag);
  if (names_tag(call.request.header("if-none-match"), tag))
    return WebReply{.status = 304, .headers = std::move(headers), .body = {}, .stream = {}};
  return file_reply(call.request, *copy, std::move(headers), tag);
}

}  // namespace handle
}  // namespace haul::api
