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

void set_times(CURL* h, const HttpRequest& ask) {
  curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(ask.connect_timeout.count()));
  curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME,
                   std::max(1L, static_cast<long>(ask.stall_timeout.count() / 1'000)));
}

// A server may be closing a reused connection. haul could not tell whether the request had an
// effect, and never sends such a request twice. So it uses a new connection.
void set_body(CURL* h, const HttpRequest& ask, Kept& kept) {
  if (ask.method == "GET" || ask.method == "HEAD") return;
  curl_easy_setopt(h, CURLOPT_FRESH_CONNECT, 1L);
  if (ask.upload) {
    curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE,
                     static_cast<curl_off_t>(ask.upload_size.value_or(-1)));
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 0L);  // The loop measures an upload itself.
  } else if (ask.method != "DELETE") {
    curl_easy_setopt(h, CURLOPT_POST, 1L);
    curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(kept.body().size()));
    curl_easy_setopt(h, CURLOPT_POSTFIELDS, kept.body().c_str());
  }
  kept.add("Expect:");  // Or libcurl waits a second for servers that do not know it.
  curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, ask.method.c_str());
}

void set_identity(CURL* h, const HttpRequest& ask) {
  if (!ask.cookie_file.empty()) curl_easy_setopt(h, CURLOPT_COOKIEFILE, ask.cookie_file.c_str());
  if (!ask.netrc_file.empty()) {
    curl_easy_setopt(h, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    curl_easy_setopt(h, CURLOPT_NETRC_FILE, ask.netrc_file.c_str());
  }
  if (!ask.ca_file.empty()) curl_easy_setopt(h, CURLOPT_CAINFO, ask.ca_file.c_str());
  if (!ask.user_agent.empty()) curl_easy_setopt(h, CURLOPT_USERAGENT, ask.user_agent.c_str());
  if (ask.direct) curl_easy_setopt(h, CURLOPT_PROXY, "");
  if (!ask.proxy.empty()) curl_easy_setopt(h, CURLOPT_PROXY, ask.proxy.c_str());
  if (!ask.user.empty()) {
    curl_easy_setopt(h, CURLOPT_USERNAME, ask.user.c_str());
    curl_easy_setopt(h, CURLOPT_PASSWORD, ask.password.c_str());
  }
}

}  // namespace

std::unique_ptr<HttpOptions> set_options(void* easy, const HttpRequest& ask,
                                         std::int64_t read_max) {
  CURL* h = easy;
  auto kept = std::make_unique<Kept>(ask.body);
  curl_easy_setopt(h, CURLOPT_URL, ask.url.c_str());
  curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);  // Each redirect is a request of its own.
  curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);  // Does not wait for a silent name server.
  curl_easy_setopt(h, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  if (ask.decode) read_max = std::min(read_max, kCodedReadMax);
  curl_easy_setopt(h, CURLOPT_BUFFERSIZE, static_cast<long>(read_max));
  curl_easy_setopt(h, CURLOPT_NOBODY, ask.method == "HEAD" ? 1L : 0L);
  set_times(h, ask);
  set_body(h, ask, *kept);
  set_identity(h, ask);
  for (const std::string& header : ask.headers) kept->add(header);
  // The loop decodes, because libcurl decodes all it reads at once, however large it becomes.
  if (ask.decode) kept->add(fmt::format("Accept-Encoding: {}", Decoder::kOffer));
  curl_easy_setopt(h, CURLOPT_HTTPHEADER, kept->headers());
  return kept;
}

}  // namespace haul::io
