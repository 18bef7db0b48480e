#include "io/web/http_options.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <algorithm>

#include "io/web/decode.h"

namespace haul::io {
namespace {

// Compressed bytes may expand to many more.
constexpr std::int64_t kCodedReadMax = std::int64_t{16} * 1024;

class Kept final : public HttpOptions {
 public:
  explicit Kept(std::string body) : body_{std::move(body)} {}
  ~Kept() override { curl_slist_free_all(headers_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  void add(const std::string& header) { headers_ = curl_slist_append(headers_, header.c_str()); }
  curl_slist* headers() const { return headers_; }
  const std::string& body() const { return body_; }

 private:
  std::string body_;  // Of a POST or PUT.
  curl_slist* headers_ = nullptr;
};

void set_times(CURL* h, const HttpRequest& request) {
  curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(request.connect_timeout.count()));
  curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME,
                   std::max(1L, static_cast<long>(request.stall_timeout.count() / 1'000)));
}

// A server may be closing a reused connection. haul could not tell whether the request had an
// effect, and never sends such a request twice. So it uses a new connection.
void set_body(CURL* h, const HttpRequest& request, Kept& kept) {
  if (request.method == "GET" || request.method == "HEAD") return;
  curl_easy_setopt(h, CURLOPT_FRESH_CONNECT, 1L);
  if (request.upload) {
    curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE,
                     static_cast<curl_off_t>(request.upload_size.value_or(-1)));
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 0L);  // The loop measures an upload itself.
  } else if (request.method != "DELETE") {
    curl_easy_setopt(h, CURLOPT_POST, 1L);
    curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(kept.body().size()));
    curl_easy_setopt(h, CURLOPT_POSTFIELDS, kept.body().c_str());
    kept.add("Content-Type:");  // Or libcurl calls it a form, if the request does not say.
  }
  kept.add("Expect:");  // Or libcurl waits a second for servers that do not know it.
  curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

long ip_resolve(IpVersion ip) {
  switch (ip) {
    case IpVersion::any:
      return CURL_IPRESOLVE_WHATEVER;
    case IpVersion::v4:
      return CURL_IPRESOLVE_V4;
    case IpVersion::v6:
      return CURL_IPRESOLVE_V6;
  }
  return CURL_IPRESOLVE_WHATEVER;
}

void set_connection(CURL* h, const HttpRequest& request) {
  curl_easy_setopt(h, CURLOPT_IPRESOLVE, ip_resolve(request.ip));
  if (!request.insecure) return;
  curl_easy_setopt(h, CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(h, CURLOPT_SSL_VERIFYHOST, 0L);
}

void set_identity(CURL* h, const HttpRequest& request) {
  if (!request.cookie_file.empty())
    curl_easy_setopt(h, CURLOPT_COOKIEFILE, request.cookie_file.c_str());
  if (!request.netrc_file.empty()) {
    curl_easy_setopt(h, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    curl_easy_setopt(h, CURLOPT_NETRC_FILE, request.netrc_file.c_str());
  }
  if (!request.ca_file.empty()) curl_easy_setopt(h, CURLOPT_CAINFO, request.ca_file.c_str());
  if (!request.user_agent.empty())
    curl_easy_setopt(h, CURLOPT_USERAGENT, request.user_agent.c_str());
  if (request.direct) curl_easy_setopt(h, CURLOPT_PROXY, "");
  if (!request.proxy.empty()) curl_easy_setopt(h, CURLOPT_PROXY, request.proxy.c_str());
  curl_easy_setopt(h, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // They are not the server's.
  if (!request.no_proxy.empty()) curl_easy_setopt(h, CURLOPT_NOPROXY, request.no_proxy.c_str());
  if (!request.user.empty()) {
    curl_easy_setopt(h, CURLOPT_USERNAME, request.user.c_str());
    curl_easy_setopt(h, CURLOPT_PASSWORD, request.password.c_str());
  }
}

}  // namespace

std::unique_ptr<HttpOptions> set_options(void* easy, const HttpRequest& request,
                                         std::int64_t read_max) {
  CURL* h = easy;
  auto kept = std::make_unique<Kept>(request.body);
  curl_easy_setopt(h, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);  // Each redirect is a request of its own.
  curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);  // Does not wait for a silent name server.
  curl_easy_setopt(h, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  if (request.decode) read_max = std::min(read_max, kCodedReadMax);
  curl_easy_setopt(h, CURLOPT_BUFFERSIZE, static_cast<long>(read_max));
  curl_easy_setopt(h, CURLOPT_NOBODY, request.method == "HEAD" ? 1L : 0L);
  set_times(h, request);
  set_body(h, request, *kept);
  set_identity(h, request);
  set_connection(h, request);
  for (const std::string& header : request.headers) kept->add(header);
  // The loop decodes, because libcurl decodes all it reads at once, however large it becomes.
  if (request.decode) kept->add(fmt::format("Accept-Encoding: {}", Decoder::kOffer));
  curl_easy_setopt(h, CURLOPT_HTTPHEADER, kept->headers());
  return kept;
}

}  // namespace haul::io
