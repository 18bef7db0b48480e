#include "app/get_metalink.h"

#include <fmt/core.h>

#include <fstream>
#include <future>
#include <utility>

#include "base/environment.h"
#include "engine/http/make_request.h"
#include "engine/http/reply.h"
#include "io/web/http_fetcher.h"
#include "io/web/metalink.h"

namespace haul::app {
namespace {

constexpr int kHopsMax = 10;
constexpr Millis kWithin{300'000};  // For the whole document, however slowly it comes.

std::unexpected<Fault> refuse(std::string code, std::string detail) {
  return std::unexpected{Fault{FaultKind::permanent, std::move(code), std::move(detail)}};
}

struct Document {
  std::string text;
  bool is_public = false;  // A server on the way to it has a public address.
};

// Fetches one document through its redirects, on the loop's thread.
class DocumentFetch {
 public:
  DocumentFetch(io::HttpLoop& loop, const engine::GetRequest& request,
                const http::HttpSettings& settings, Url url, Time now)
      : request_{request}, settings_{settings}, fetcher_{loop}, url_{std::move(url)}, now_{now} {
    engine::log_in(url_, request_);
    at_ = url_.text;
    reach_ = settings.reach;
  }

  std::future<Result<Document>> done() { return done_.get_future(); }

  void ask() {
    io::HttpRequest asked =
        http::make_request(request_, settings_, url_, origin_, request_.own(at_));
    asked.headers.emplace_back("Accept: application/metalink4+xml, */*;q=0.5");
    asked.decode = true;
    asked.reach = reach_;
    fetcher_.fetch(asked, {.body_max = kMetalinkBytesMax, .within = kWithin},
                   [this](Result<io::HttpWhole> answer) { see(std::move(answer)); });
  }

 private:
  void see(Result<io::HttpWhole> answer) {
    if (!answer) return done_.set_value(std::unexpected{answer.error()});
    const http::Reply reply =
        http::judge_reply({.url = at_, .now = now_}, answer->head, http::Coding::decoded);
    is_public_ = is_public_ || answer->was_public;
    if (reply.meaning == http::Meaning::moved) return hop(reply.location);
    if (reply.meaning != http::Meaning::whole) return done_.set_value(std::unexpected{reply.fault});
    done_.set_value(Document{.text = std::move(answer->body), .is_public = is_public_});
  }

  void hop(const std::string& location) {
    auto to = join_url(url_, location);
    if (!to || ++hops_ > kHopsMax) return done_.set_value(refuse("bad_redirect", location));
    if (url_.scheme == "https" && to->scheme == "http")
      return done_.set_value(refuse("insecure_redirect", "a redirect from https to http"));
    if (is_public_) reach_.private_too = false;
    if (to->origin() != url_.origin()) origin_ = http::Origin::other;
    url_ = *std::move(to);
    ask();
  }

  const engine::GetRequest& request_;
  const http::HttpSettings& settings_;
  io::HttpFetcher fetcher_;
  Url url_;
  std::string at_;
  Time now_;
  http::Origin origin_ = http::Origin::given;
  io::Reach reach_;
  int hops_ = 0;
  bool is_public_ = false;
  std::promise<Result<Document>> done_;
};

Result<Document> fetch(const std::string& where, const std::string& json, const Clock& clock) {
  auto url = parse_url(where);
  if (!url) return std::unexpected{url.error()};
  const auto request = engine::read_get_request(json);
  if (!request) return std::unexpected{request.error()};
  const http::HttpSettings settings{.ca_file = environment("SSL_CERT_FILE")};
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  auto fetching =
      std::make_unique<DocumentFetch>(*loop, *request, settings, *std::move(url), clock.now());
  std::future<Result<Document>> done = fetching->done();
  loop->post([&fetching] { fetching->ask(); });
  Result<Document> document = done.get();
  std::promise<void> cleared;
  loop->post([&fetching, &cleared] {
    fetching.reset();
    cleared.set_value();
  });
  cleared.get_future().wait();
  return document;
}

Result<Document> read_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return refuse("bad_usage", "cannot be read");
  Document document;
  document.text.resize(kMetalinkBytesMax + 1);
  file.read(document.text.data(), static_cast<std::streamsize>(document.text.size()));
  if (file.bad()) return refuse("bad_usage", "cannot be read");
  document.text.resize(static_cast<std::size_t>(file.gcount()));
  return document;
}

}  // namespace

Result<Metalink> read_metalink(const std::string& where, const std::string& request,
                               const Clock& clock) {
  auto document =
      where.find("://") == std::string::npos ? read_file(where) : fetch(where, request, clock);
  if (!document) return std::unexpected{document.error()};
  auto files = io::read_metalink(document->text);
  if (!files) return std::unexpected{files.error()};
  return Metalink{.files = *std::move(files), .is_public = document->is_public};
}

}  // namespace haul::app
