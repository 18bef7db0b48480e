#include "io/http.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <stdexcept>
#include <thread>

#include "base/ascii.h"
#include "base/mutex.h"
#include "io/gather.h"

namespace haul {
namespace {

constexpr long kBuffer = 512L * 1024;  // The most that libcurl reads at once.
constexpr std::size_t kGatherMax = 512U * 1024;
constexpr std::size_t kHeadersMax = 200;         // Of one answer,
constexpr std::size_t kHeaderBytesMax = 65'536;  // and all their bytes.
constexpr std::size_t kHeadersUsual = 16;
constexpr int kInformationalMax = 20;  // Heads before the final one.
constexpr std::size_t kIdleHandlesMax = 64;
constexpr int kTurnMs = 200;  // The longest sleep: timers and posts wake it earlier.

struct Curl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct List {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Handle = std::unique_ptr<CURL, Curl>;

struct Call;

// Bodies on their way to who asked for them, and the calls of those who want no more.
struct Bodies {
  Gather<Call> gather{kGatherMax};
  std::vector<int> unwanted;

  void hand_over();
};

// One request from its beginning to its end.
struct Call {
  int number = 0;
  Bodies* bodies = nullptr;
  HttpUser* user = nullptr;
  Handle handle;
  std::unique_ptr<curl_slist, List> headers;
  Reach reach;
  std::string body;  // Of a POST.
  HttpHead head;
  std::size_t header_bytes = 0;
  int heads = 0;
  bool head_told = false;
  bool stopped = false;
  bool refused_address = false;
  bool was_public = true;
  bool has_cookies = false;        // Its handle goes with it: a reset would keep and leak them.
  std::optional<Fault> own_fault;  // Found by us, not by libcurl.
  char error[CURL_ERROR_SIZE] = {};

  Go tell_head() {
    if (head_told || user == nullptr) return stopped ? Go::stop : Go::on;
    head_told = true;
    const Go go = user->on_head(number, head);
    stopped = go == Go::stop;
    return go;
  }
};

void Bodies::hand_over() {
  gather.hand_over([this](Call& call, std::span<const std::byte> body) {
    if (call.user == nullptr || call.user->on_body(call.number, body) == Go::on) return;
    call.stopped = true;
    unwanted.push_back(call.number);
  });
}

Fault fault_of(CURLcode code, long os_error, const Call& call) {
  if (call.own_fault) return *call.own_fault;
  if (call.refused_address)
    return {FaultKind::rejected, "private_address", "the address is not a public one"};
  const std::string detail = call.error[0] != 0 ? call.error : curl_easy_strerror(code);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {FaultKind::retryable, "host_not_found", detail};
    case CURLE_COULDNT_CONNECT:
      if (os_error == ENETUNREACH || os_error == ENETDOWN)
        return {FaultKind::environment, "network_down", detail};
      return {FaultKind::retryable, "cannot_connect", detail};
    case CURLE_OPERATION_TIMEDOUT:
      return {FaultKind::retryable, call.head_told ? "stalled" : "timeout", detail};
    case CURLE_PARTIAL_FILE:
      return {FaultKind::retryable, "truncated", detail};
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {FaultKind::retryable, "connection_lost", detail};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return {FaultKind::permanent, "tls_not_trusted", detail};
    case CURLE_OUT_OF_MEMORY:  // What libcurl says of a header line of over 100 KiB, too.
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return {FaultKind::permanent, "bad_answer", detail};
    default:
      return {FaultKind::retryable, "transfer_error", detail};
  }
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* context) {
  Call& call = *static_cast<Call*>(context);
  const std::size_t bytes = size * count;
  const std::string_view line{data, bytes};
  if (line.starts_with("HTTP/")) {
    call.head = {};
    call.head.headers.reserve(kHeadersUsual);
    call.header_bytes = 0;
    if (++call.heads > kInformationalMax)
      call.own_fault = Fault{FaultKind::permanent, "bad_answer", "too many heads"};
    return call.own_fault ? 0 : bytes;
  }
  call.header_bytes += bytes;
  if (call.header_bytes > kHeaderBytesMax || call.head.headers.size() >= kHeadersMax) {
    call.own_fault = Fault{FaultKind::permanent, "bad_answer", "the head is too large"};
    return 0;
  }
  if (trimmed(line).empty()) {
    long status = 0;
    curl_easy_getinfo(call.handle.get(), CURLINFO_RESPONSE_CODE, &status);
    call.head.status = static_cast<int>(status);
    const bool is_final = status >= 200;
    return is_final && call.tell_head() == Go::stop ? 0 : bytes;
  }
  if (const auto colon = line.find(':'); colon != std::string_view::npos && !call.head_told)
    call.head.headers.emplace_back(lower(trimmed(line.substr(0, colon))),
                                   std::string{trimmed(line.substr(colon + 1))});
  return bytes;
}

std::size_t on_write(char* data, std::size_t size, std::size_t count, void* context) {
  Call& call = *static_cast<Call*>(context);
  const std::span piece{reinterpret_cast<const std::byte*>(data), size * count};
  if (!call.bodies->gather.add(call, piece)) {
    call.bodies->hand_over();
    if (!call.stopped) call.bodies->gather.add(call, piece);
  }
  return call.stopped ? 0 : piece.size();
}

// The address a connection is really made to: names may resolve to anything, at any moment.
bool may_reach(Call& call, const sockaddr& address) {
  call.was_public = is_public(address);
  if (!call.reach.permits(address)) call.refused_address = true;  // And so its whole host (U29).
  return !call.refused_address;
}

curl_socket_t on_open(void* context, curlsocktype, curl_sockaddr* address) {
  if (!may_reach(*static_cast<Call*>(context), address->addr)) return CURL_SOCKET_BAD;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Once more before each request: a connection that is used again was opened for another call.
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
  const bool may = may_reach(*static_cast<Call*>(context), *reinterpret_cast<sockaddr*>(&address));
  return may ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

CURLM* new_multi() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);  // Once per process.
  if (ready != CURLE_OK) throw std::runtime_error{"libcurl does not start"};
  return curl_multi_init();
}

class Loop final : public HttpLoop {
 public:
  explicit Loop(const Clock& clock) : clock_{clock}, multi_{new_multi()} {
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 64L);
    thread_ = std::thread{[this] { run(); }};
  }
  ~Loop() override {
    stopping_ = true;
    curl_multi_wakeup(multi_);
    thread_.join();
    for (auto& [number, call] : calls_) curl_multi_remove_handle(multi_, call->handle.get());
    calls_.clear();
    idle_.clear();
    curl_multi_cleanup(multi_);
  }

  void post(std::function<void()> work) override {
    bool first = false;
    {
      const Lock lock{mutex_};
      first = posted_.empty();
      posted_.push_back(std::move(work));
    }
    if (first) curl_multi_wakeup(multi_);  // Whoever came first has woken it for all.
  }

  int begin(const HttpAsk& ask, HttpUser& user) override {
    auto call = std::make_unique<Call>();
    call->number = ++last_;
    call->bodies = &bodies_;
    call->user = &user;
    call->reach = ask.reach;
    call->handle = take_handle();
    set_up(*call, ask);
    after(ask.head_timeout, [this, number = call->number] { give_up_on_head(number); });
    begun_.push_back(call->number);  // Not now: libcurl may be telling us something.
    return calls_.emplace(call->number, std::move(call)).first->first;
  }

  void end(int number) override {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    // Not now: the call may be the one that is being told something.
    found->second->user = nullptr;
    found->second->stopped = true;
    ended_.push_back(number);
  }

  void after(Millis wait, std::function<void()> work) override {
    timers_.emplace(clock_.steady() + wait, std::move(work));
  }

 private:
  Handle take_handle() {
    if (idle_.empty()) return Handle{curl_easy_init()};
    Handle handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
  }

  static void set_up(Call& call, const HttpAsk& ask) {
    CURL* h = call.handle.get();
    curl_easy_setopt(h, CURLOPT_URL, ask.url.c_str());
    curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);  // Hops are requests of their own.
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);  // Does not wait for a name server's silence.
    curl_easy_setopt(h, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(h, CURLOPT_BUFFERSIZE, kBuffer);
    curl_easy_setopt(h, CURLOPT_NOBODY, ask.method == "HEAD" ? 1L : 0L);
    if (ask.method == "POST") {
      call.body = ask.body;
      curl_easy_setopt(h, CURLOPT_POST, 1L);
      curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
      curl_easy_setopt(h, CURLOPT_POSTFIELDS, call.body.c_str());
      // A kept connection may just be closing, and what may have happened is not sent twice.
      curl_easy_setopt(h, CURLOPT_FRESH_CONNECT, 1L);
    }
    curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(ask.connect_timeout.count()));
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME,
                     std::max(1L, static_cast<long>(ask.stall_timeout.count() / 1'000)));
    curl_easy_setopt(h, CURLOPT_ERRORBUFFER, call.error);
    curl_easy_setopt(h, CURLOPT_PRIVATE, &call);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, &call);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_write);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, &call);
    curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(h, CURLOPT_OPENSOCKETDATA, &call);
    curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, on_request);
    curl_easy_setopt(h, CURLOPT_PREREQDATA, &call);
    call.has_cookies = !ask.cookie_file.empty();
    if (call.has_cookies) curl_easy_setopt(h, CURLOPT_COOKIEFILE, ask.cookie_file.c_str());
    if (!ask.netrc_file.empty()) {
      curl_easy_setopt(h, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
      curl_easy_setopt(h, CURLOPT_NETRC_FILE, ask.netrc_file.c_str());
    }
    if (!ask.ca_file.empty()) curl_easy_setopt(h, CURLOPT_CAINFO, ask.ca_file.c_str());
    if (ask.decode) curl_easy_setopt(h, CURLOPT_ACCEPT_ENCODING, "");
    if (!ask.user_agent.empty()) curl_easy_setopt(h, CURLOPT_USERAGENT, ask.user_agent.c_str());
    if (ask.direct) curl_easy_setopt(h, CURLOPT_PROXY, "");
    if (!ask.proxy.empty()) curl_easy_setopt(h, CURLOPT_PROXY, ask.proxy.c_str());
    if (!ask.user.empty()) {
      curl_easy_setopt(h, CURLOPT_USERNAME, ask.user.c_str());
      curl_easy_setopt(h, CURLOPT_PASSWORD, ask.password.c_str());
    }
    if (ask.speed_limit > 0)
      curl_easy_setopt(h, CURLOPT_MAX_RECV_SPEED_LARGE, static_cast<curl_off_t>(ask.speed_limit));
    curl_slist* list = nullptr;
    for (const std::string& header : ask.headers) list = curl_slist_append(list, header.c_str());
    call.headers.reset(list);
    curl_easy_setopt(h, CURLOPT_HTTPHEADER, list);
  }

  void run() {
    while (!stopping_) {
      run_posted();
      run_timers();
      add_begun();
      int running = 0;
      curl_multi_perform(multi_, &running);
      bodies_.hand_over();
      read_messages();
      finish_unwanted();
      remove_ended();
      curl_multi_poll(multi_, nullptr, 0, sleep_ms(), nullptr);
    }
  }

  void run_posted() {
    std::vector<std::function<void()>> works;
    {
      const Lock lock{mutex_};
      works.swap(posted_);
    }
    for (const auto& work : works) work();
  }

  void run_timers() {
    while (!timers_.empty() && timers_.begin()->first <= clock_.steady()) {
      const auto timer = timers_.extract(timers_.begin());
      timer.mapped()();
    }
  }

  int sleep_ms() {
    if (!ended_.empty() || !begun_.empty()) return 0;
    if (timers_.empty()) return kTurnMs;
    const auto wait = (timers_.begin()->first - clock_.steady()).count();
    return static_cast<int>(std::clamp<std::int64_t>(wait, 0, kTurnMs));
  }

  void read_messages() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      Call* call = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
      finish(*call, message->data.result);
    }
  }

  // Who wanted no more of a body hears its end at once, though libcurl may have no more to say.
  void finish_unwanted() {
    for (const int number : std::exchange(bodies_.unwanted, {}))
      if (const auto found = calls_.find(number); found != calls_.end())
        finish(*found->second, CURLE_WRITE_ERROR);
  }

  void finish(Call& call, CURLcode code) {
    const auto found = calls_.find(call.number);
    std::unique_ptr<Call> mine = std::move(found->second);
    calls_.erase(found);
    long os_error = 0;
    curl_easy_getinfo(mine->handle.get(), CURLINFO_OS_ERRNO, &os_error);
    curl_multi_remove_handle(multi_, mine->handle.get());
    if (!mine->has_cookies) keep_handle(std::move(mine->handle));
    if (mine->user == nullptr) return;
    HttpEnd end{.fault = {}, .stopped = mine->stopped, .was_public = mine->was_public};
    if (code != CURLE_OK && !mine->stopped) end.fault = fault_of(code, os_error, *mine);
    mine->user->on_end(mine->number, end);
  }

  void add_begun() {
    for (const int number : std::exchange(begun_, {}))
      if (const auto found = calls_.find(number); found != calls_.end())
        curl_multi_add_handle(multi_, found->second->handle.get());
  }

  void give_up_on_head(int number) {
    const auto found = calls_.find(number);
    if (found == calls_.end() || found->second->head_told || found->second->user == nullptr) return;
    HttpUser& user = *found->second->user;
    const bool was_public = found->second->was_public;
    end(number);
    user.on_end(number, {.fault = Fault{FaultKind::retryable, "timeout", "no answer in time"},
                         .stopped = false,
                         .was_public = was_public});
  }

  void remove_ended() {
    for (const int number : std::exchange(ended_, {})) {
      const auto found = calls_.find(number);
      if (found == calls_.end()) continue;
      curl_multi_remove_handle(multi_, found->second->handle.get());
      if (!found->second->has_cookies) keep_handle(std::move(found->second->handle));
      calls_.erase(found);
    }
  }

  void keep_handle(Handle handle) {
    if (idle_.size() >= kIdleHandlesMax) return;
    curl_easy_reset(handle.get());
    idle_.push_back(std::move(handle));
  }

  const Clock& clock_;
  CURLM* multi_;
  std::atomic<bool> stopping_ = false;
  Mutex mutex_;
  std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);
  // Of the loop's own thread.
  std::multimap<Steady, std::function<void()>> timers_;
  std::map<int, std::unique_ptr<Call>> calls_;
  std::vector<Handle> idle_;
  Bodies bodies_;
  std::vector<int> begun_;
  std::vector<int> ended_;
  int last_ = 0;
  std::thread thread_;
};

}  // namespace

std::string_view HttpHead::find(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
  return found == headers.end() ? std::string_view{} : std::string_view{found->second};
}

std::unique_ptr<HttpLoop> make_http_loop(const Clock& clock) {
  return std::make_unique<Loop>(clock);
}

}  // namespace haul
