#pragma once
// One file on its way into a chat, from its turn to Telegram's answer. Lives on the loop's thread.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/lent.h"
#include "io/web/http.h"
#include "seam/gate.h"
#include "seam/streams.h"
#include "sink/telegram/answer.h"
#include "sink/telegram/framed_source.h"
#include "sink/telegram/settings.h"

namespace haul::telegram {

// What all sends share. Outlives them.
struct ChatEnv {
  io::HttpLoop& loop;
  const Clock& clock;
  Gate& gate;
  const ChatSettings settings;
};

struct ChatFile {
  std::string chat;
  std::shared_ptr<FileStream> stream{};  // Null for a file that Telegram has.
  std::string file_id{};                 // Telegram's own id of such a file.
};

// How long a send may take: S3-24, and longer for a large file.
Millis send_deadline(std::int64_t size);

class Sending final : public io::HttpUser {
 public:
  // `told` gets Moving. `done` is called once with the outcome, or with Stopped, and destroys this.
  using Told = std::function<void(Moving)>;
  using Done = std::function<void(SendOutcome)>;

  Sending(ChatEnv& env, ChatFile file, Told told, Done done);
  // Ends the request and breaks the stream.
  ~Sending() override;
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

  // The last thing a caller does: it may be done at once.
  void begin();
  // Likewise. If Telegram may have the whole request, waits a second for the answer.
  void stop();

  io::Go on_head(int call, const io::HttpHead& head) override;
  io::Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const io::HttpEnd& end) override;

 private:
  std::int64_t size() const { return file_.stream ? file_.stream->about.size : 0; }
  // How the shared limits name the chat.
  std::string chat_key() const { return "telegram:" + file_.chat; }
  bool has_disk_failed() const { return file_.stream && file_.stream->pipe.fault().has_value(); }
  // Empty if the file may be sent.
  std::optional<Fault> why_not() const;
  void ask_turn();
  void send();
  io::HttpRequest request() const;
  void listen_to_stream();
  void tick();
  void tell_progress();
  void give_up(const Fault& fault);
  Fault as_told(Fault fault) const;
  void finish(SendOutcome outcome);
  // Runs `work` later, unless this is gone by then.
  void after(Millis wait, std::function<void()> work);

  ChatEnv& env_;
  const ChatFile file_;
  const Told told_;
  Done done_;
  const Steady begun_at_;
  bool has_chat_turn_ = false;
  std::shared_ptr<FramedSource> source_;  // Null before the request.
  int call_ = 0;
  bool is_stopping_ = false;
  SendAnswer answer_;
  std::int64_t told_have_ = -1;
  Steady told_at_{};
  // The engine's thread wakes the loop through it, for as long as this lives.
  const std::shared_ptr<Lent<io::HttpLoop>> lent_ = std::make_shared<Lent<io::HttpLoop>>();
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  Lent<io::HttpLoop>::Loan loan_;
};

}  // namespace haul::telegram
