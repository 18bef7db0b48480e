#include "io/web/curl_call.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/ensure.h"
#include "io/web/http_fault.h"

namespace haul::io {
namespace {

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* context) {
  CurlCall& call = *static_cast<CurlCall*>(context);
  const std::string_view line{data, size * count};
  bool is_good = call.head.add(line);
  if (is_good && trimmed(line).empty()) {
    long status = 0;
    curl_easy_getinfo(call.handle.get(), CURLINFO_RESPONSE_CODE, &status);
    is_good = call.head.end(static_cast<int>(status)) && (status < 200 || call.take_head());
  }
  if (call.head.fault()) call.own_fault = call.head.fault();
  return is_good ? line.size() : 0;
}

// Pauses reading, also from within a callback: otherwise libcurl reads on while the socket has
// bytes. A paused call does not stall, because libcurl measures no speed meanwhile.
void hold(CurlCall& call) {
  if (call.result || std::exchange(call.paused.by_loop, true)) return;
  call.apply_pause();
}

// What libcurl's read callback returns for what the source gave.
std::size_t count_given(CurlCall& call, const HttpSource::Given& given, std::size_t most) {
  switch (given.is) {
    case HttpSource::Given::Is::more:
      ensure(given.size > 0 && given.size <= most, "a source gives a byte, and not too many");
      call.given += static_cast<std::int64_t>(given.size);
      if (call.upload_left) *call.upload_left -= static_cast<std::int64_t>(given.size);
      call.is_sent = call.upload_left == 0;
      return given.size;
    case HttpSource::Given::Is::none:
      call.paused.by_source = true;
      return CURL_READFUNC_PAUSE;
    case HttpSource::Given::Is::end:
      call.is_sent = call.upload_left.value_or(0) == 0;
      if (call.is_sent) return 0;
      // libcurl would wait for an answer, and the server for the rest.
      call.own_fault = Fault{FaultKind::retryable, "upload_short",
                             "the source of the upload ended before its stated length"};
      return CURL_READFUNC_ABORT;
    case HttpSource::Given::Is::failed:
      call.own_fault = given.fault;
      return CURL_READFUNC_ABORT;
  }
  return CURL_READFUNC_ABORT;  // Not reached: the switch is complete.
}

// Gives libcurl the next bytes of an upload. libcurl may ask although the upload is paused. After
// an answer with an error it may ask too, but an end here could make a part look like the whole.
std::size_t on_read(char* data, std::size_t size, std::size_t count, void* context) {
  CurlCall& call = *static_cast<CurlCall*>(context);
  if (call.stopped) return CURL_READFUNC_ABORT;
  const bool is_refused = call.head_told && call.head.head().status >= 300;
  if (is_refused || call.paused.by_source) return CURL_READFUNC_PAUSE;
  std::size_t most = size * count;
  if (call.upload_left) most = std::min(most, static_cast<std::size_t>(*call.upload_left));
  if (most == 0) return 0;
  ensure(call.upload != nullptr, "a call that sends has a source");
  const HttpSource::Given given = call.upload->read({reinterpret_cast<std::byte*>(data), most});
  return count_given(call, given, most);
}

// libcurl calls it at least after each read and each write.
int on_progress(void* context, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  CurlCall& call = *static_cast<CurlCall*>(context);
  const std::int64_t moved = received + sent;
  if (std::exchange(call.moved, moved) != moved) call.moved_at = call.clock->steady();
  return 0;
}

void count_for_speed(CurlCall& call, std::int64_t bytes) {
  if (!call.share) return;
  call.share->count(bytes);
  if (call.share->ask(SpeedLimits::For::read)) return;
  call.bodies->limited.insert(call.number);
  hold(call);
}

std::size_t on_write(char* data, std::size_t size, std::size_t count, void* context) {
  CurlCall& call = *static_cast<CurlCall*>(context);
  const std::span piece{reinterpret_cast<const std::byte*>(data), size * count};
  if (call.stopped) return 0;
  if (!call.head_told) {  // libcurl takes some invalid heads for the end of a valid one.
    call.own_fault = Fault{FaultKind::permanent, "bad_answer", "a body without a head"};
    return 0;
  }
  if (call.decoder) {
    call.decoder->add(piece);
    call.bodies->coded.insert(call.number);
    hold(call);
  } else if (!call.bodies->buffer.add(call, piece, call.read_max)) {
    call.bodies->hand_over();
    if (call.stopped) return 0;
    if (call.paused.by_user) return CURL_WRITEFUNC_PAUSE;  // libcurl keeps the piece meanwhile.
    call.bodies->buffer.add(call, piece, call.read_max);
  }
  count_for_speed(call, std::ssize(piece));
  return piece.size();
}

// Checks the address of the connection itself: a name may resolve to any address at any time.
bool may_reach(CurlCall& call, const sockaddr& address) {
  call.was_public = is_public(address);
  if (!call.reach.permits(address)) call.refused_address = true;  // Refuses the whole host (U29).
  return !call.refused_address;
}

curl_socket_t on_open(void* context, curlsocktype, curl_sockaddr* address) {
  if (!may_reach(*static_cast<CurlCall*>(context), address->addr)) return CURL_SOCKET_BAD;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Checks again before each request: a reused connection was opened for another call.
int on_request(void* context, char* remote, char*, int, int) {
  sockaddr_storage address{};
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address);
  if (::inet_pton(AF_INET, remote, &v4->sin_addr) == 1)
    v4->sin_family = AF_INET;
  else if (::inet_pton(AF_INET6, remote, &v6->sin6_addr) == 1)
    v6->sin6_family = AF_INET6;
  else
    return CURL_PREREQFUNC_ABORT;
  const bool may =
      may_reach(*static_cast<CurlCall*>(context), *reinterpret_cast<sockaddr*>(&address));
  return may ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

}  // namespace

static_assert(sizeof(CurlCall::error) >= CURL_ERROR_SIZE);

void CurlCleanup::operator()(void* easy) const { curl_easy_cleanup(easy); }

bool CurlCall::take_head() {
  if (head_told || user == nullptr) return !stopped;
  const bool is_good = head.head().status < 300;  // Users need only the head of others.
  auto opened = Decoder::open(decodes && is_good ? head.codings() : "");
  if (!opened) own_fault = opened.error();
  if (!opened) return false;
  decoder = *std::move(opened);
  head_told = true;
  moved_at = clock->steady();
  if (!is_sent) bodies->answered.insert(number);
  obey(user->on_head(number, head.head()));
  return !stopped;
}

void CurlCall::obey(Go go) {
  stopped = stopped || go == Go::stop;  // The user may also have ended the call by its number.
  if (go == Go::pause && !std::exchange(paused.by_user, true)) apply_pause();
}

// libcurl sets both directions at once.
void CurlCall::apply_pause() {
  if (result) return;
  const int mask = (paused.by_loop || paused.by_user ? CURLPAUSE_RECV : 0) |
                   (paused.by_source ? CURLPAUSE_SEND : 0);
  curl_easy_pause(handle.get(), mask);
}

void CurlCall::give(std::span<const std::byte> body) {
  ensure(user != nullptr, "bytes come to a call that still has its user");
  obey(user->on_body(number, body));
}

void CurlBodies::hand_over() {
  buffer.hand_over([this](CurlCall& call, std::span<const std::byte> body) {
    if (call.user != nullptr) call.give(body);
    if (call.stopped) unwanted.push_back(call.number);
  });
}

// libcurl also counts the frames of chunks.
bool CurlCall::has_gone() const {
  curl_off_t sent = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_SIZE_UPLOAD_T, &sent);
  return is_sent && sent >= given;
}

CurlEnd CurlCall::end_with(int code) const {
  long os_error = 0;
  long tunnel_status = 0;
  long proxy_error = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_OS_ERRNO, &os_error);
  curl_easy_getinfo(handle.get(), CURLINFO_HTTP_CONNECTCODE, &tunnel_status);
  curl_easy_getinfo(handle.get(), CURLINFO_PROXY_ERROR, &proxy_error);
  return {.code = code,
          .os_error = os_error,
          .error = error,
          .head_told = head_told,
          .tunnel_status = static_cast<int>(tunnel_status),
          .proxy_error = static_cast<int>(proxy_error),
          .wrong_proxy = wrong_proxy};
}

Fault CurlCall::fault_of(const CurlEnd& end) const {
  if (own_fault) return *own_fault;
  if (refused_address)
    return {FaultKind::rejected, "private_address", "the address is not a public one"};
  return http_fault(end);
}

void CurlCall::set_up(const HttpRequest& request) {
  CURL* h = handle.get();
  options = set_options(h, request, share ? share->piece() : request.read_max);
  // libcurl refuses this address without asking anyone, unless no_proxy names the server's host.
  if (!wrong_proxy.empty()) curl_easy_setopt(h, CURLOPT_PROXY, "http://:0");
  read_max = static_cast<std::size_t>(request.read_max);
  decodes = request.decode && request.method != "HEAD";
  has_cookies = !request.cookie_file.empty();
  curl_easy_setopt(h, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(h, CURLOPT_PRIVATE, this);
  curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(h, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(h, CURLOPT_WRITEDATA, this);
  if (upload) {
    curl_easy_setopt(h, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(h, CURLOPT_READDATA, this);
    curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(h, CURLOPT_XFERINFODATA, this);
  }
  curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, on_open);
  curl_easy_setopt(h, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, on_request);
  curl_easy_setopt(h, CURLOPT_PREREQDATA, this);
}

}  // namespace haul::io
