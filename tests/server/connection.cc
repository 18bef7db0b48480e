#include "server/connection.h"

#include <poll.h>

#include <algorithm>

#include "server/content.h"

namespace haul::server {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::size_t kHeadMax = std::size_t{1} << 16U;
constexpr std::size_t kReady = std::size_t{1} << 16U;
constexpr int kActsPerTurn = 8;
constexpr int kReadsPerTurn = 64;
constexpr auto kPatience = 5s;

Pace pace_of(const Step& step) {
  if (const auto* text = std::get_if<Text>(&step)) return text->pace;
  if (const auto* content = std::get_if<Content>(&step)) return content->pace;
  return {};
}

bool is_body(const Step& step) {
  const auto* text = std::get_if<Text>(&step);
  return text ? text->role == Role::body : std::holds_alternative<Content>(step);
}

bool is_used_up(const Step& step) {
  const auto* text = std::get_if<Text>(&step);
  const auto* content = std::get_if<Content>(&step);
  return (text && text->times == 0) || (content && content->size == 0);
}

}  // namespace

short Connection::events() const {
  const bool has_room = state_ == State::draining || unread_.size() < kHeadMax;
  const int events = (has_room ? POLLIN : 0) | (is_answering() && needs_room_ ? POLLOUT : 0);
  return static_cast<short>(events);
}

Steady Connection::due() const {
  if (state_ == State::draining) return give_up_at_;
  if (state_ == State::listening && unread_.find(kHeadEnd) != std::string::npos) return Steady{};
  return is_answering() && !needs_room_ ? due_ : Steady::max();
}

void Connection::hear(Steady now) {
  for (int i = 0; i < kReadsPerTurn && !is_gone(); ++i) {
    if (state_ == State::draining) unread_.clear();
    const Socket::Heard heard = socket_.read(unread_, kHeadMax);
    if (heard == Socket::Heard::nothing_yet) return;
    if (heard == Socket::Heard::gone) {
      if (is_answering()) log_end(now, "client_left");
      state_ = State::gone;
    }
  }
}

std::optional<std::string> Connection::take_head() {
  if (state_ != State::listening) return std::nullopt;
  const std::size_t end = unread_.find(kHeadEnd);
  if (end == std::string::npos)
    return unread_.size() < kHeadMax ? std::nullopt : std::optional{std::string{}};
  std::string head = unread_.substr(0, end);
  unread_.erase(0, end + kHeadEnd.size());
  return head;
}

void Connection::begin(Entry entry, Answer answer, Steady now) {
  entry_ = std::move(entry);
  entry_.status = answer.status;
  steps_ = std::move(answer.steps);
  step_ = 0;
  due_ = now;
  give_up_at_ = {};
  state_ = State::answering;
  if (entry_.number > 0) log_->start(entry_, now);
}

void Connection::advance(Steady now) {
  if (state_ == State::draining && now >= give_up_at_) state_ = State::gone;
  needs_room_ = false;
  for (int i = 0; i < kActsPerTurn; ++i)
    if (is_answering() && !needs_room_ && due_ <= now) act(now);
}

// Does the current step, or as much of it as one write takes.
void Connection::act(Steady now) {
  if (ready_sent_ < ready_.size()) return send_ready(now);
  Step& step = steps_.at(step_);
  if (const auto* end = std::get_if<End>(&step)) return finish(*end, now);
  if (std::holds_alternative<Stall>(step)) {
    due_ = Steady::max();
    return;
  }
  ready_.clear();
  ready_sent_ = 0;
  if (const auto* wait = std::get_if<Wait>(&step)) due_ = now + wait->time;
  if (auto* text = std::get_if<Text>(&step)) make_ready(*text);
  if (auto* content = std::get_if<Content>(&step)) make_ready(*content);
  if (ready_.empty()) ++step_;  // A wait, or an empty body.
}

void Connection::make_ready(Text& text) {
  const std::size_t size = std::max<std::size_t>(text.text.size(), 1);
  const std::uint64_t times = std::min<std::uint64_t>(text.times, kReady / size + 1);
  for (std::uint64_t i = 0; i < times; ++i) ready_ += text.text;
  text.times -= times;
}

void Connection::make_ready(Content& content) {
  const std::uint64_t most = std::max<std::uint64_t>(kReady, content.pace.piece);
  ready_.resize(std::min<std::uint64_t>(content.size, most));
  fill_content(ready_, content.seed, content.first);
  if (content.damaged >= content.first && content.damaged - content.first < ready_.size()) {
    char& byte = ready_[content.damaged - content.first];
    byte = static_cast<char>(~byte);
  }
  content.first += ready_.size();
  content.size -= ready_.size();
}

void Connection::send_ready(Steady now) {
  const Step& step = steps_.at(step_);
  const Pace pace = pace_of(step);
  std::string_view bytes = std::string_view{ready_}.substr(ready_sent_);
  if (pace.piece > 0) bytes = bytes.substr(0, pace.piece);
  const auto taken = socket_.write(bytes);
  if (!taken) {
    log_end(now, "client_left");
    state_ = State::gone;
    return;
  }
  needs_room_ = *taken < bytes.size();
  ready_sent_ += *taken;
  if (is_body(step)) entry_.sent += *taken;
  if (pace.piece > 0 && *taken > 0) due_ = now + pace.every;
  // End in the same turn; otherwise the client could send its next request before the log shows the
  // end.
  if (ready_sent_ < ready_.size() || !is_used_up(step)) return;
  ++step_;
  if (const auto* end = std::get_if<End>(&steps_.at(step_))) finish(*end, now);
}

void Connection::finish(End end, Steady now) {
  if (give_up_at_ == Steady{}) give_up_at_ = now + kPatience;
  switch (end) {
    case End::keep:
      state_ = State::listening;
      return log_end(now, "kept");
    case End::close:  // Closing at once would reset what the client has not read yet.
      state_ = State::draining;
      socket_.shut_sending();
      return log_end(now, "closed");
    case End::reset:
      if (!socket_.is_delivered() && now < give_up_at_) {
        due_ = now + 1ms;
        return;
      }
      state_ = State::gone;
      socket_.reset();
      return log_end(now, "reset");
  }
}

void Connection::log_end(Steady now, std::string_view how) {
  if (entry_.number > 0) log_->end(entry_, now, how);
}

}  // namespace haul::server
