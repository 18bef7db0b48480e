#pragma once
// One client: its requests one after the other, and the answer in progress.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/answer.h"
#include "server/log.h"
#include "server/sockets.h"

namespace haul::server {

class Connection {
 public:
  Connection(Socket socket, Log& log) : socket_{std::move(socket)}, log_{&log} {}

  int number() const { return socket_.number(); }
  bool is_answering() const { return state_ == State::answering; }
  bool is_gone() const { return state_ == State::gone; }
  // What to poll for, and when to wake up even without an event.
  short events() const;
  Steady due() const;

  // Reads what has arrived, or notices that the client has disconnected.
  void hear(Steady now);
  // The head of the next request, if none is being answered. An empty string if it is too long.
  std::optional<std::string> take_head();
  // An entry without a number is not logged.
  void begin(Entry entry, Answer answer, Steady now);
  // Acts until it would have to wait, but only a limited number of steps, so that other connections
  // get their turn.
  void advance(Steady now);

 private:
  enum class State : std::uint8_t { listening, answering, draining, gone };

  void act(Steady now);
  void make_ready(Text& text);
  void make_ready(Content& content);
  void send_ready(Steady now);
  void finish(End end, Steady now);
  void log_end(Steady now, std::string_view how);

  Socket socket_;
  Log* log_;
  State state_ = State::listening;
  std::string unread_;

  Entry entry_;
  std::vector<Step> steps_;
  std::size_t step_ = 0;
  std::string ready_;  // Bytes of the current step.
  std::size_t ready_sent_ = 0;
  bool needs_room_ = false;  // The kernel's send buffer is full.
  Steady due_{};
  Steady give_up_at_{};  // When to give up on a client that neither reads nor disconnects.
};

}  // namespace haul::server
