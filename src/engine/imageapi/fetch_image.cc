#include "engine/imageapi/fetch_image.h"

#include <fmt/core.h>

#include <utility>

#include "base/url.h"
#include "io/web/http_fault.h"

namespace haul::imageapi {
namespace {

constexpr int kHopsMax = 5;
constexpr Millis kWithin{60'000};

Fault permanent(std::string code, std::string detail) {
  return {FaultKind::permanent, std::move(code), std::move(detail)};
}

Fault fault_of(int status) {
  if (io::kind_of_status(status) == FaultKind::retryable)
    return {FaultKind::retryable, "image_not_there",
            fmt::format("the image's server answered {}", status)};
  return permanent("image_gone", fmt::format("the image's server answered {}", status));
}

// A user cannot be blamed for an address that the provider chose.
Fault not_fetched(Fault fault) {
  if (fault.code == "too_long")
    return permanent("image_too_large", "the image is larger than image.max_size");
  if (fault.kind == FaultKind::rejected) fault.kind = FaultKind::permanent;
  return fault;
}

class Fetching final : public ImageFetch, public std::enable_shared_from_this<Fetching> {
 public:
  Fetching(const ImageEnv& env, Then then)
      : env_{env}, fetcher_{env.loop}, then_{std::move(then)} {}

  void from_provider(const std::string& path) {
    send(request_to_provider(env_, {.path = path}, kWithin));
  }
  void from_anywhere(Url url) {
    url_ = std::move(url);
    is_anywhere_ = true;
    send({.url = url_.text,
          .user_agent = env_.settings.user_agent,
          .ca_file = env_.settings.ca_file,
          .reach = env_.settings.reach});
  }

 private:
  void send(const io::HttpRequest& request) {
    fetcher_.fetch(
        request, {.body_max = static_cast<std::size_t>(env_.settings.max_size), .within = kWithin},
        [weak = weak_from_this()](Result<io::HttpWhole> answer) {
          if (const auto self = weak.lock()) self->see(std::move(answer));
        });
  }

  void see(Result<io::HttpWhole> answer) {
    if (!answer) return then_(std::unexpected{not_fetched(answer.error())});
    const int status = answer->head.status;
    const std::string location{answer->head.find("location")};
    if (is_anywhere_ && status >= 300 && status < 400 && !location.empty()) return hop(location);
    if (status != 200) return then_(std::unexpected{fault_of(status)});
    then_(std::move(answer->body));
  }

  void hop(const std::string& location) {
    if (++hops_ > kHopsMax)
      return then_(std::unexpected{permanent("too_many_redirects", "more than 5 redirects")});
    auto to = join_url(url_, location);
    if (!to) return then_(std::unexpected{permanent("bad_redirect", to.error().detail)});
    if (url_.scheme == "https" && to->scheme == "http")
      return then_(std::unexpected{permanent("insecure_redirect", "from https to http")});
    from_anywhere(*std::move(to));
  }

  const ImageEnv& env_;
  io::HttpFetcher fetcher_;
  const Then then_;
  Url url_;
  bool is_anywhere_ = false;
  int hops_ = 0;
};

}  // namespace

std::shared_ptr<ImageFetch> fetch_image(const ImageEnv& env, const GivenAddress& given,
                                        ImageFetch::Then then) {
  if (given.at == GivenAddress::At::provider) {
    auto fetch = std::make_shared<Fetching>(env, std::move(then));
    fetch->from_provider(given.address);
    return fetch;
  }
  auto url = parse_url(given.address);
  if (!url) {
    then(std::unexpected{
        permanent("bad_address", "the provider's address of the image: " + url.error().detail)});
    return nullptr;
  }
  auto fetch = std::make_shared<Fetching>(env, std::move(then));
  fetch->from_anywhere(*std::move(url));
  return fetch;
}

}  // namespace haul::imageapi
