#include "sink/telegram/sending.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ensure.h"
#include "base/redact.h"
#include "base/secret.h"

namespace haul::telegram {
namespace {

constexpr const char* kAllChats = "telegram";
constexpr Millis kTick{500};
constexpr Millis kAliveEvery{30'000};  // Tells that it waits, so that the worker does not give up.
constexpr Millis kStopPatience{1'000};
constexpr Millis kTurnMax{10'000};  // A longer wait for its turn is the flow's: the disk waits too.
constexpr Millis kChatApart{1'000};
constexpr Millis kGroupApart{3'000};  // 20 a minute.
constexpr Millis kAllApart{34};       // 30 a second.
constexpr std::size_t kAnswerMax = std::size_t{64} << 10U;
constexpr std::size_t kBoundary = 40;
constexpr std::int64_t kAnswerRead = std::int64_t{16} * 1'024;  // An answer is short.

constexpr std::int64_t kSlowest = 100'000;  // Bytes per second.
constexpr Millis kShortest{900'000};
constexpr Millis kProcessing{600'000};

SendOutcome failed(Fault fault) {
  return {.what = Failed{.fault = std::move(fault), .checkpoint = {}}};
}

}  // namespace

Millis send_deadline(std::int64_t size) {
  return std::max(kShortest, Millis{size * 1'000 / kSlowest} + kProcessing);
}

Sending::Sending(ChatEnv& env, ChatFile file, Told told, Done done)
    : env_{env},
      file_{std::move(file)},
      told_{std::move(told)},
      done_{std::move(done)},
      begun_at_{env.clock.steady()},
      loan_{lent_->lend(env.loop)} {}

Sending::~Sending() {
  if (call_ != 0) env_.loop.end(call_);
  if (file_.stream)
    file_.stream->pipe.fail({FaultKind::cancelled, "chat_ended", "the chat takes no more bytes"});
}

void Sending::begin() {
  if (const auto fault = why_not()) return finish(failed(*fault));
  if (file_.stream) listen_to_stream();
  ask_turn();
}

std::optional<Fault> Sending::why_not() const {
  if (!is_chat(file_.chat))
    return Fault{FaultKind::permanent, "bad_chat_id",
                 "chat_id is neither a number nor a public name such as @channel"};
  if (!file_.stream) return std::nullopt;
  if (size() <= 0) return Fault{FaultKind::permanent, "empty_file", "the file has no bytes"};
  if (size() > env_.settings.max_size)
    return Fault{FaultKind::permanent, "too_large",
                 fmt::format("the file has {} bytes, and the limit is {} (relay.max_size)", size(),
                             env_.settings.max_size)};
  return std::nullopt;
}

// Set before this reads the first byte. The stream may be broken already: the first read sees that.
void Sending::listen_to_stream() {
  file_.stream->pipe.on_bytes([this, lent = lent_, alive = std::weak_ptr{alive_}] {
    lent->use([&](io::HttpLoop& loop) {
      loop.post([this, alive] {
        if (alive.lock() && call_ != 0) env_.loop.resume(call_, io::Direction::up);
      });
    });
  });
}

// First the chat's rate, then that of all chats. A turn in the chat that was granted is kept. The
// fault has a code of its own, because haul has sent no request.
void Sending::ask_turn() {
  Millis wait{0};
  if (!has_chat_turn_) {
    wait = env_.gate.pace(chat_key(), is_group(file_.chat) ? kGroupApart : kChatApart);
    has_chat_turn_ = wait == Millis{0};
  }
  if (has_chat_turn_) wait = env_.gate.pace(kAllChats, kAllApart);
  if (wait == Millis{0}) return send();
  if (env_.clock.steady() - begun_at_ + wait <= kTurnMax)
    return after(wait, [this] { ask_turn(); });
  SendOutcome later = failed({FaultKind::retryable, "chat_turn", "the chat gets no more for now"});
  std::get<Failed>(later.what).wait_ms = wait.count();
  finish(std::move(later));
}

void Sending::send() {
  SendForm form = file_.stream ? document_form({.chat = file_.chat,
                                                .name = file_.stream->about.name,
                                                .mime = file_.stream->about.type},
                                               random_base62(kBoundary))
                               : known_file_form(file_.chat, file_.file_id);
  io::HttpRequest sent = request();
  sent.headers = {"Content-Type: " + form.type};
  source_ = std::make_shared<FramedSource>(std::move(form), file_.stream);
  sent.upload = source_;
  sent.upload_size = source_->size();
  sent.read_max = kAnswerRead;
  call_ = env_.loop.begin(sent, *this);
  tick();
}

// Telegram answers only when it has processed the whole file, so this watches the deadline itself.
io::HttpRequest Sending::request() const {
  const ChatSettings& settings = env_.settings;
  std::string_view url = settings.url;
  while (url.ends_with('/')) url.remove_suffix(1);
  return {.method = "POST",
          .url = fmt::format("{}/bot{}/sendDocument", url, settings.token),
          .answer_timeout = send_deadline(size()),
          .user_agent = settings.user_agent,
          .direct = !url.starts_with("https://"),  // A proxy would read the token.
          .ca_file = settings.ca_file,
          .connect_timeout = settings.connect_timeout,
          .stall_timeout = settings.stall_timeout,
          .reach = {.private_too = true, .allowed = {}}};
}

void Sending::tick() {
  if (env_.clock.steady() - begun_at_ >= send_deadline(size()))
    return give_up({FaultKind::retryable, "timeout", "the chat did not take the file in time"});
  tell_progress();
  after(kTick, [this] { tick(); });
}

void Sending::tell_progress() {
  const Steady now = env_.clock.steady();
  const bool has_moved = source_->have() > std::max<std::int64_t>(told_have_, 0);
  const bool is_silent = told_have_ >= 0 && now - told_at_ >= kAliveEvery;
  if (!file_.stream || (!has_moved && !is_silent)) return;
  told_have_ = source_->have();
  told_at_ = now;
  told_({.have = told_have_,
         .size = size(),
         .path = {},
         .checkpoint = {},
         .status = source_->is_given() ? "Telegram processes the file" : ""});
}

void Sending::stop() {
  if (!source_ || !source_->is_given()) return finish({.what = Stopped{}});
  if (std::exchange(is_stopping_, true)) return;
  after(kStopPatience,
        [this] { give_up({FaultKind::cancelled, "stopped", "stopped before Telegram's answer"}); });
}

void Sending::give_up(const Fault& fault) {
  SendOutcome outcome = failed(fault);
  std::get<Failed>(outcome.what).outcome_unknown = source_ && source_->is_given();
  outcome.is_disks = has_disk_failed();
  finish(std::move(outcome));
}

io::Go Sending::on_head(int, const io::HttpHead& head) {
  answer_.status = head.status;
  answer_.retry_after = std::string{head.find("retry-after")};
  answer_.is_early = !source_->is_given();
  return io::Go::on;
}

io::Go Sending::on_body(int, std::span<const std::byte> bytes) {
  if (answer_.body.size() + bytes.size() > kAnswerMax) return io::Go::stop;
  answer_.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return io::Go::on;
}

// A refusal stands by its status, even if the rest of the answer is lost.
void Sending::on_end(int, const io::HttpEnd& end) {
  call_ = 0;
  if (end.fault && answer_.status < 400) return give_up(as_told(*end.fault));
  SendOutcome outcome = judge_answer(answer_, file_.stream ? SentAs::bytes : SentAs::file_id);
  if (const auto* failed = std::get_if<Failed>(&outcome.what); failed && failed->wait_ms > 0)
    env_.gate.block(chat_key(), failed->wait_ms);
  finish(std::move(outcome));
}

// The disk's faults stay as they are, but a stop has its own answer. A server that haul cannot
// reach or trust is out for all sends. Every other fault is of this send alone.
Fault Sending::as_told(Fault fault) const {
  constexpr std::string_view kOutages[] = {"cannot_connect", "host_not_found", "network_down",
                                           "tls_not_trusted"};
  fault.detail = safe_detail(fault.detail);
  if (fault.kind == FaultKind::cancelled) fault.kind = FaultKind::retryable;
  if (has_disk_failed()) return fault;
  const bool is_outage = fault.kind == FaultKind::rejected ||
                         std::ranges::find(kOutages, fault.code) != std::end(kOutages);
  const bool was_reached = source_->is_given();
  fault.kind = is_outage && !was_reached ? FaultKind::environment : FaultKind::retryable;
  return fault;
}

void Sending::finish(SendOutcome outcome) {
  ensure(static_cast<bool>(done_), "a send has one outcome");
  const Done done = std::exchange(done_, {});  // It destroys this.
  done(std::move(outcome));
}

void Sending::after(Millis wait, std::function<void()> work) {
  env_.loop.after(wait, [alive = std::weak_ptr{alive_}, work = std::move(work)] {
    if (alive.lock()) work();
  });
}

}  // namespace haul::telegram
