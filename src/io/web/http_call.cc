// Uses a libcurl multi handle, so that `on_bytes` can stop a stream while nothing comes.

#include "io/web/http_call.h"

#include <curl/curl.h>

#include <memory>
#include <stdexcept>

namespace haul::io {
namespace {

constexpr int kTurnMs = 100;

struct EasyEnd {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct MultiEnd {
  void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct ListEnd {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyEnd>;
using Multi = std::unique_ptr<CURLM, MultiEnd>;
using List = std::unique_ptr<curl_slist, ListEnd>;

struct Running {
  const HttpCall& request;
  const OnBytes* on_bytes = nullptr;  // Null unless it is a stream.
  Easy easy;
  List headers;
  HttpAnswer answer;
  bool too_long = false;
  bool enough = false;
  char error[CURL_ERROR_SIZE] = {};

  bool is_streaming() {
    if (on_bytes == nullptr) return false;
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    return status == 200;
  }
};

std::size_t on_write(char* bytes, std::size_t size, std::size_t count, void* context) {
  Running& running = *static_cast<Running*>(context);
  const std::string_view chunk{bytes, size * count};
  if (running.is_streaming()) {
    running.enough = running.enough || !(*running.on_bytes)(chunk);
    return running.enough ? 0 : chunk.size();
  }
  if (running.answer.body.size() + chunk.size() > running.request.body_max) {
    running.too_long = true;
    return 0;
  }
  running.answer.body += chunk;
  return chunk.size();
}

void add_headers(Running& running) {
  curl_slist* list = nullptr;
  for (const std::string& header : running.request.headers)
    list = curl_slist_append(list, header.c_str());
  list = curl_slist_append(list, "Expect:");  // Or libcurl waits a second before a long body.
  running.headers.reset(list);
  curl_easy_setopt(running.easy.get(), CURLOPT_HTTPHEADER, list);
}

void set_up(Running& running) {
  CURL* h = running.easy.get();
  const HttpCall& request = running.request;
  curl_easy_setopt(h, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(h, CURLOPT_PROXY, "");  // Not even one from the environment.
  curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(h, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(request.connect_timeout.count()));
  if (running.on_bytes == nullptr) {
    curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  } else {
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.timeout.count() / 1'000));
  }
  curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (request.method == "POST") {
    curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(h, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(h, CURLOPT_ERRORBUFFER, running.error);
  curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(h, CURLOPT_WRITEDATA, &running);
  add_headers(running);
}

Fault fault_of(CURLcode code, const Running& running) {
  const std::string detail = running.error[0] != 0 ? running.error : curl_easy_strerror(code);
  if (running.too_long) return {FaultKind::permanent, "too_long", "the answer is too long"};
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
      return {FaultKind::environment, "cannot_connect", detail};
    case CURLE_OPERATION_TIMEDOUT:
      return {FaultKind::retryable, "timeout", detail};
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {FaultKind::rejected, "bad_url", detail};
    case CURLE_PEER_FAILED_VERIFICATION:
      return {FaultKind::rejected, "tls_not_trusted", detail};
    default:
      return {FaultKind::retryable, "connection_lost", detail};
  }
}

// Runs until the request is done or `on_bytes` wants no more.
CURLcode turn(CURLM* multi, Running& running) {
  for (int left = 1; left > 0 && !running.enough;) {
    if (curl_multi_perform(multi, &left) != CURLM_OK) return CURLE_FAILED_INIT;
    if (left == 0 || running.enough) break;
    int ready = 0;
    curl_multi_poll(multi, nullptr, 0, kTurnMs, &ready);
    if (ready == 0 && running.is_streaming()) running.enough = !(*running.on_bytes)({});
  }
  int queued = 0;
  const CURLMsg* message = curl_multi_info_read(multi, &queued);
  return message != nullptr ? message->data.result : CURLE_OK;
}

Result<HttpAnswer> run(Running& running) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);  // Once per process.
  running.easy.reset(curl_easy_init());
  const Multi multi{curl_multi_init()};
  if (ready != CURLE_OK || !running.easy || !multi)
    throw std::runtime_error{"libcurl does not start"};
  set_up(running);
  curl_multi_add_handle(multi.get(), running.easy.get());
  const CURLcode code = turn(multi.get(), running);
  long status = 0;
  curl_easy_getinfo(running.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  const char* redirect = nullptr;
  curl_easy_getinfo(running.easy.get(), CURLINFO_REDIRECT_URL, &redirect);
  if (redirect != nullptr) running.answer.redirect = redirect;
  curl_multi_remove_handle(multi.get(), running.easy.get());
  if (code != CURLE_OK && !running.enough) return std::unexpected{fault_of(code, running)};
  running.answer.status = static_cast<int>(status);
  return std::move(running.answer);
}

}  // namespace

Result<HttpAnswer> call(const HttpCall& request) {
  Running running{.request = request};
  return run(running);
}

Result<HttpAnswer> stream(const HttpCall& request, const OnBytes& on_bytes) {
  Running running{.request = request, .on_bytes = &on_bytes};
  return run(running);
}

}  // namespace haul::io
