#include "io/web/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

#include "base/ensure.h"
#include "base/mutex.h"
#include "base/proxy_address.h"
#include "io/web/curl_call.h"

namespace haul::io {
namespace {

constexpr std::size_t kIdleHandlesMax = 64;
constexpr int kTurnMs = 200;     // The longest sleep: timers and posts wake it earlier.
constexpr int kAnsweredMs = 50;  // The same while a call has an answer before its upload ended.
// What one call may decode in one turn of the loop, so that the others get their turn.
constexpr std::size_t kDecodeAtOnce = std::size_t{1} << 20U;

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
    ensure(std::this_thread::get_id() != thread_.get_id(), "a loop does not end itself");
    stopping_ = true;
    curl_multi_wakeup(multi_);
    thread_.join();
    for (auto& [number, call] : calls_) curl_multi_remove_handle(multi_, call->handle.get());
    calls_.clear();
    idle_.clear();
    curl_multi_cleanup(multi_);
  }

  void post(std::function<void()> work) override {
    ensure(static_cast<bool>(work), "posted work can run");
    bool first = false;
    {
      const Lock lock{mutex_};
      first = posted_.empty();
      posted_.push_back(std::move(work));
    }
    if (first) curl_multi_wakeup(multi_);  // One wake-up serves all posts.
  }

  int begin(const HttpRequest& request, HttpUser& user) override {
    ensure_own_thread();
    ensure(!request.upload || (request.method != "GET" && request.method != "HEAD"),
           "a GET uploads nothing");
    ensure(request.upload_size.value_or(0) >= 0, "the length of an upload is not negative");
    auto call = std::make_unique<CurlCall>();
    call->number = ++last_;
    call->bodies = &bodies_;
    call->user = &user;
    call->reach = request.reach;
    call->clock = &clock_;
    call->head_timeout = request.head_timeout;
    call->upload = request.upload;
    call->upload_left = request.upload_size;
    call->is_sent = !request.upload || request.upload_size == 0;
    call->stall_timeout = request.stall_timeout;
    call->answer_timeout = request.answer_timeout;
    call->handle = take_handle();
    call->share = request.speed.join();
    if (call->share) throttle_ = request.speed.throttle;
    call->wrong_proxy = wrong_proxy(request);
    call->set_up(request);
    begun_.push_back(call->number);  // Added later: this may run inside a libcurl callback.
    return calls_.emplace(call->number, std::move(call)).first->first;
  }

  void end(int number) override {
    ensure_own_thread();
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    // Removed later: this may run inside one of the call's own callbacks.
    found->second->user = nullptr;
    found->second->stopped = true;
    ended_.push_back(number);
  }

  void resume(int number, Direction direction) override {
    ensure_own_thread();
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    CurlCall& call = *found->second;
    bool& flag = direction == Direction::up ? call.paused.by_source : call.paused.by_user;
    if (!std::exchange(flag, false)) return;
    call.moved_at = clock_.steady();
    // Bytes may have been held back while it was paused.
    if (direction == Direction::down && call.decoder) bodies_.coded.insert(number);
    // Applied later: libcurl would call back from within, maybe inside another callback.
    resumed_.push_back(number);
  }

  void after(Millis wait, std::function<void()> work) override {
    ensure_own_thread();
    timers_.emplace(clock_.steady() + wait, std::move(work));
  }

 private:
  void ensure_own_thread() const {
    ensure(std::this_thread::get_id() == thread_.get_id(), "calls are the loop thread's own");
  }

  // What is wrong with the proxy that libcurl would take for this request.
  std::string wrong_proxy(const HttpRequest& request) const {
    if (request.direct) return {};
    if (!request.proxy.empty()) return wrong_with_proxy(request.proxy);
    return request.url.starts_with("https:") ? wrong_https_variable_ : wrong_http_variable_;
  }

  CurlHandle take_handle() {
    if (idle_.empty()) return CurlHandle{curl_easy_init()};
    CurlHandle handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
  }

  void run() {
    while (!stopping_) {
      run_posted();
      run_timers();
      add_begun();
      apply_resumed();
      free_answered();
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
    if (!ended_.empty() || !begun_.empty() || !resumed_.empty() || !bodies_.coded.empty()) return 0;
    std::int64_t wait = bodies_.answered.empty() ? kTurnMs : kAnsweredMs;
    if (!timers_.empty())
      wait = std::min<std::int64_t>(wait, (timers_.begin()->first - clock_.steady()).count());
    if (!bodies_.limited.empty()) wait = std::min<std::int64_t>(wait, throttle_->wait().count());
    return static_cast<int>(std::clamp<std::int64_t>(wait, 0, kTurnMs));
  }

  void read_messages() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CurlCall* call = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
      ensure(call != nullptr, "libcurl reports the calls of this loop");
      if (bodies_.coded.contains(call->number) || call->paused.by_user)
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
      CurlCall& call = *found->second;
      if (call.paused.by_user) continue;
      if (call.result)
        finish(call, result_of(call, static_cast<CURLcode>(*call.result)));
      else if (!bodies_.limited.contains(number))
        go_on(call);
    }
  }

  void apply_resumed() {
    for (const int number : std::exchange(resumed_, {})) {
      const auto found = calls_.find(number);
      if (found == calls_.end()) continue;
      CurlCall& call = *found->second;
      if (call.result && !call.paused.by_user && !bodies_.coded.contains(number))
        finish(call, result_of(call, static_cast<CURLcode>(*call.result)));
      else
        call.apply_pause();
    }
  }

  // libcurl does not end a call whose upload is paused, even if the server has answered and closed
  // the connection. So such a call tries to send again: it ends, or its source pauses it again.
  void free_answered() {
    std::erase_if(bodies_.answered, [this](int number) {
      const auto found = calls_.find(number);
      if (found == calls_.end() || found->second->is_sent) return true;
      found->second->paused.by_source = false;
      found->second->apply_pause();
      return false;
    });
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
  bool decode(CurlCall& call) {
    if (call.stopped || call.paused.by_user) return false;
    const auto decoded =
        call.decoder->decode(kDecodeAtOnce, [&call](std::span<const std::byte> bytes) {
          call.give(bytes);
          return !call.stopped && !call.paused.by_user;
        });
    if (!decoded) call.own_fault = decoded.error();
    if (!decoded || call.stopped) bodies_.unwanted.push_back(call.number);
    return decoded && !call.stopped && call.decoder->has_more();
  }

  // libcurl is content with an answer that came before the end of the upload, and with everything
  // that was sent of a compressed body.
  static CURLcode result_of(CurlCall& call, CURLcode code) {
    if (code != CURLE_OK) return code;
    if (!call.head_told) {
      call.own_fault = Fault{FaultKind::retryable, "connection_lost",
                             "the answer ended before its head was whole"};
      return CURLE_RECV_ERROR;
    }
    if (!call.is_sent && call.head.head().status < 300) {
      call.own_fault = Fault{FaultKind::retryable, "answered_early",
                             "the server answered before it had the whole upload"};
      return CURLE_SEND_ERROR;
    }
    if (!call.decoder || call.decoder->is_whole()) return code;
    call.own_fault =
        Fault{FaultKind::retryable, "truncated", "the compressed body ended too early"};
    return CURLE_PARTIAL_FILE;
  }

  static void go_on(CurlCall& call) {
    if (call.result || !std::exchange(call.paused.by_loop, false)) return;
    call.moved_at = call.clock->steady();
    call.apply_pause();
  }

  // Finishes these calls at once, because libcurl may never report their end.
  void finish_unwanted() {
    for (const int number : std::exchange(bodies_.unwanted, {}))
      if (const auto found = calls_.find(number); found != calls_.end())
        finish(*found->second, CURLE_WRITE_ERROR);
  }

  void finish(CurlCall& call, CURLcode code) {
    const auto found = calls_.find(call.number);
    ensure(found != calls_.end(), "a call ends once");
    std::unique_ptr<CurlCall> mine = std::move(found->second);
    calls_.erase(found);
    const CurlEnd raw = code == CURLE_OK ? CurlEnd{} : mine->end_with(code);
    curl_multi_remove_handle(multi_, mine->handle.get());
    if (!mine->has_cookies) keep_handle(std::move(mine->handle));
    if (mine->user == nullptr) return;
    HttpEnd end{.fault = {}, .stopped = mine->stopped, .was_public = mine->was_public};
    if (code != CURLE_OK && !mine->stopped) end.fault = mine->fault_of(raw);
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
  void add(CurlCall& call) {
    ensure(!call.is_added, "libcurl gets a call once");
    call.is_added = true;
    call.moved_at = clock_.steady();
    watch(call, call.upload ? patience(call) : call.head_timeout);
    curl_multi_add_handle(multi_, call.handle.get());
  }

  // Looks at an upload at least once per timeout, because its last byte may go at any time.
  void watch(const CurlCall& call, Millis wait) {
    if (call.upload) wait = std::min({wait, call.stall_timeout, call.answer_timeout});
    after(std::max(wait, Millis{1}), [this, number = call.number] { give_up_on_silent(number); });
  }

  // How long a call may stay as it is. While an upload or its answer goes on, only silence counts:
  // not the wait for its source, for its user or for the speed limit. Between the two the server
  // may process the upload for long.
  Millis patience(const CurlCall& call) const {
    if (!call.upload) return Millis{0};
    const bool waits_for_haul = call.paused.by_source || call.paused.by_user ||
                                call.paused.by_loop || call.result.has_value();
    if (waits_for_haul) return call.stall_timeout;
    const Millis limit = is_processed(call) ? call.answer_timeout : call.stall_timeout;
    return limit - (clock_.steady() - call.moved_at);
  }
  static bool is_processed(const CurlCall& call) { return call.has_gone() && !call.head_told; }

  // Without an upload, libcurl itself measures the silence in a body.
  void give_up_on_silent(int number) {
    const auto found = calls_.find(number);
    if (found == calls_.end() || found->second->user == nullptr) return;
    const CurlCall& call = *found->second;
    if (call.head_told && !call.upload) return;
    if (const Millis left = patience(call); left > Millis{0}) return watch(call, left);
    HttpUser& user = *call.user;
    const Fault fault = is_processed(call)
                            ? Fault{FaultKind::retryable, "timeout", "no answer in time"}
                            : Fault{FaultKind::retryable, "stalled", "no byte moved in time"};
    const HttpEnd told{.fault = fault, .stopped = false, .was_public = call.was_public};
    end(number);
    user.on_end(number, told);
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

  void keep_handle(CurlHandle handle) {
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
  std::map<int, std::unique_ptr<CurlCall>> calls_;
  std::vector<CurlHandle> idle_;
  CurlBodies bodies_;
  std::vector<int> begun_;
  const std::string wrong_http_variable_ = wrong_with_proxy_variable(UrlScheme::http);
  const std::string wrong_https_variable_ = wrong_with_proxy_variable(UrlScheme::https);
  Throttle* throttle_ = nullptr;  // Whose limits the limited calls wait for.
  std::vector<int> ended_;
  std::vector<int> resumed_;
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

}  // namespace haul::io
