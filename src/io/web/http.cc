#include "io/web/http.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/ascii.h"
#include "base/mutex.h"
#include "io/web/decode.h"
#include "io/web/gather.h"
#include "io/web/head_reader.h"
#include "io/web/http_fault.h"
#include "io/web/http_options.h"

namespace haul {
namespace {

constexpr std::size_t kGatherMax = std::size_t{512} * 1024;
constexpr std::int64_t kReadMax = std::int64_t{512} * 1024;  // The most that libcurl reads at once.
constexpr std::size_t kIdleHandlesMax = 64;
constexpr int kTurnMs = 200;  // The longest sleep: timers and posts wake it earlier.
// What one call may decode in one turn of the loop, so that the others get their turn.
constexpr std::size_t kDecodeAtOnce = std::size_t{1} << 20U;

struct Curl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, Curl>;

struct Call;

// Received bytes on their way to the users, and the calls that the loop has to look after.
struct Bodies {
  Gather<Call> gather{kGatherMax};
  std::vector<int> unwanted;  // Calls to finish: stopped, or the body cannot be decoded.
  std::set<int> coded;        // Calls that have bytes to decode.
  std::set<int> limited;      // Calls that wait for a speed limit, to begin or to read on.

  void hand_over();
};

// One request from its beginning to its end.
struct Call {
  int number = 0;
  Bodies* bodies = nullptr;
  HttpUser* user = nullptr;
  Handle handle;
  std::unique_ptr<HttpOptions> options;
  Reach reach;
  std::unique_ptr<Throttle::Share> share;  // Null if its speed has no limit.
  Millis head_timeout{0};
  HeadReader head;
  bool head_told = false;
  bool stopped = false;
  bool refused_address = false;
  bool was_public = true;
  bool decodes = false;              // Its user wants the body decoded.
  std::unique_ptr<Decoder> decoder;  // Null if the body is plain.
  bool is_added = false;             // libcurl has the handle.
  bool is_held = false;              // Paused: libcurl reads nothing for it.
  std::optional<CURLcode> result;    // libcurl is done, but haul has bytes left to decode.
  bool has_cookies = false;          // Its handle is not reused: a reset would keep and leak them.
  std::optional<Fault> own_fault;    // Found by haul, not by libcurl.
  char error[CURL_ERROR_SIZE] = {};

  // Passes the head to the user. False if the user stops, or the body cannot be decoded.
  bool take_head() {
    if (head_told || user == nullptr) return !stopped;
    const bool is_good = head.head().status < 300;  // Users need only the head of others.
    auto opened = Decoder::open(decodes && is_good ? head.codings() : "");
    if (!opened) own_fault = opened.error();
    if (!opened) return false;
    decoder = *std::move(opened);
    head_told = true;
    stopped = user->on_head(number, head.head()) == Go::stop;
    return !stopped;
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
  return http_fault(
      {.code = code, .os_error = os_error, .error = call.error, .head_told = call.head_told});
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* context) {
  Call& call = *static_cast<Call*>(context);
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
void hold(Call& call) {
  if (call.result || std::exchange(call.is_held, true)) return;
  curl_easy_pause(call.handle.get(), CURLPAUSE_RECV);
}

std::size_t on_write(char* data, std::size_t size, std::size_t count, void* context) {
  Call& call = *static_cast<Call*>(context);
  const std::span piece{reinterpret_cast<const std::byte*>(data), size * count};
  if (call.share) {
    call.share->count(std::ssize(piece));
    if (!call.share->ask(SpeedLimits::For::read)) {
      call.bodies->limited.insert(call.number);
      hold(call);
    }
  }
  if (call.decoder) {
    if (call.stopped) return 0;
    call.decoder->add(piece);
    call.bodies->coded.insert(call.number);
    hold(call);
    return piece.size();
  }
  if (!call.bodies->gather.add(call, piece)) {
    call.bodies->hand_over();
    if (!call.stopped) call.bodies->gather.add(call, piece);
  }
  return call.stopped ? 0 : piece.size();
}

// Checks the address of the connection itself: a name may resolve to any address at any time.
bool may_reach(Call& call, const sockaddr& address) {
  call.was_public = is_public(address);
  if (!call.reach.permits(address)) call.refused_address = true;  // Refuses the whole host (U29).
  return !call.refused_address;
}

curl_socket_t on_open(void* context, curlsocktype, curl_sockaddr* address) {
  if (!may_reach(*static_cast<Call*>(context), address->addr)) return CURL_SOCKET_BAD;
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
    if (first) curl_multi_wakeup(multi_);  // One wake-up serves all posts.
  }

  int begin(const HttpAsk& ask, HttpUser& user) override {
    auto call = std::make_unique<Call>();
    call->number = ++last_;
    call->bodies = &bodies_;
    call->user = &user;
    call->reach = ask.reach;
    call->head_timeout = ask.head_timeout;
    call->handle = take_handle();
    call->share = ask.speed.join();
    if (call->share) throttle_ = ask.speed.throttle;
    set_up(*call, ask);
    begun_.push_back(call->number);  // Added later: this may run inside a libcurl callback.
    return calls_.emplace(call->number, std::move(call)).first->first;
  }

  void end(int number) override {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    // Removed later: this may run inside one of the call's own callbacks.
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
    call.options = set_options(h, ask, call.share ? call.share->piece() : kReadMax);
    call.decodes = ask.decode && ask.method != "HEAD";
    call.has_cookies = !ask.cookie_file.empty();
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
  }

  void run() {
    while (!stopping_) {
      run_posted();
      run_timers();
      add_begun();
      resume_limited();
      int running = 0;
      curl_multi_perform(multi_, &running);
      bodies_.hand_over();
      read_messages();
      decode_some();
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
    if (!ended_.empty() || !begun_.empty() || !bodies_.coded.empty()) return 0;
    std::int64_t wait = kTurnMs;
    if (!timers_.empty()) wait = (timers_.begin()->first - clock_.steady()).count();
    if (!bodies_.limited.empty()) wait = std::min<std::int64_t>(wait, throttle_->wait().count());
    return static_cast<int>(std::clamp<std::int64_t>(wait, 0, kTurnMs));
  }

  void read_messages() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      Call* call = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
      if (bodies_.coded.contains(call->number))
        call->result = message->data.result;
      else
        finish(*call, result_of(*call, message->data.result));
    }
  }

  // Each call gets its turn, however far its bytes expand. A call reads on only when its bytes are
  // decoded.
  void decode_some() {
    const std::vector<int> numbers{bodies_.coded.begin(), bodies_.coded.end()};
    for (const int number : numbers) {
      const auto found = calls_.find(number);
      if (found != calls_.end() && decode(*found->second)) continue;
      bodies_.coded.erase(number);
      if (found == calls_.end() || found->second->stopped || found->second->own_fault) continue;
      Call& call = *found->second;
      if (call.result)
        finish(call, result_of(call, *call.result));
      else if (!bodies_.limited.contains(number))
        go_on(call);
    }
  }

  // Two passes, because a call that goes on may get bytes at once and join `limited` again.
  void resume_limited() {
    std::vector<int> ready;
    for (const int number : bodies_.limited) {
      const auto found = calls_.find(number);
      const auto what = found != calls_.end() && found->second->is_added ? SpeedLimits::For::read
                                                                         : SpeedLimits::For::begin;
      if (found == calls_.end() || found->second->share->may(what)) ready.push_back(number);
    }
    for (const int number : ready) {
      bodies_.limited.erase(number);
      const auto found = calls_.find(number);
      if (found == calls_.end()) continue;
      if (!found->second->is_added)
        add(*found->second);
      else if (!bodies_.coded.contains(number))
        go_on(*found->second);
    }
  }

  // False if there is nothing more to decode, for now or at all.
  bool decode(Call& call) {
    if (call.stopped) return false;
    const auto decoded =
        call.decoder->decode(kDecodeAtOnce, [&call](std::span<const std::byte> bytes) {
          const Go go = call.user->on_body(call.number, bytes);
          call.stopped = call.stopped || go == Go::stop;
          return !call.stopped;
        });
    if (!decoded) call.own_fault = decoded.error();
    if (!decoded || call.stopped) bodies_.unwanted.push_back(call.number);
    return decoded && !call.stopped && call.decoder->has_more();
  }

  // A compressed body can be incomplete although libcurl received everything that was sent.
  static CURLcode result_of(Call& call, CURLcode code) {
    if (code != CURLE_OK || !call.decoder || call.decoder->is_whole()) return code;
    call.own_fault =
        Fault{FaultKind::retryable, "truncated", "the compressed body ended too early"};
    return CURLE_PARTIAL_FILE;
  }

  static void go_on(Call& call) {
    if (call.result || !std::exchange(call.is_held, false)) return;
    curl_easy_pause(call.handle.get(), CURLPAUSE_CONT);
  }

  // Finishes these calls at once, because libcurl may never report their end.
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
    for (const int number : std::exchange(begun_, {})) {
      const auto found = calls_.find(number);
      if (found == calls_.end()) continue;
      if (found->second->share)
        bodies_.limited.insert(number);
      else
        add(*found->second);
    }
  }

  // The head timeout starts now: it does not count the wait for a speed limit.
  void add(Call& call) {
    call.is_added = true;
    after(call.head_timeout, [this, number = call.number] { give_up_on_head(number); });
    curl_multi_add_handle(multi_, call.handle.get());
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
  // The loop's thread only.
  std::multimap<Steady, std::function<void()>> timers_;
  std::map<int, std::unique_ptr<Call>> calls_;
  std::vector<Handle> idle_;
  Bodies bodies_;
  std::vector<int> begun_;
  Throttle* throttle_ = nullptr;  // Whose limits the limited calls wait for.
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
