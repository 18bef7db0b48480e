#pragma once
// Telegram's Bot API in memory, as the server's own source describes it: its texts, its queue of
// updates, edits, flood waits. It records what has happened in every chat.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "support/server/fake_web.h"

namespace haul::testing {

// A file that a chat has received.
struct FakeDocument {
  std::int64_t chat = 0;
  std::int64_t message = 0;
  std::string name{};
  std::int64_t size = 0;
  std::string sha256{};
  std::string file_id{};
  bool was_uploaded = true;  // Or sent by its file id.
};

// A text that a chat has, as it is now.
struct FakeText {
  std::string text{};
  std::string markup{};  // JSON of its buttons; empty if it has none.
  int edits = 0;
  std::vector<Steady> changes{};  // When it was sent and edited.
};

class FakeTelegram {
 public:
  explicit FakeTelegram(const Clock& clock) : clock_{clock} {}

  std::string token = "4242:fake-token";
  FakeMood mood;
  std::set<std::int64_t> blocked;  // Users who have blocked the bot.
  std::set<std::int64_t> unknown_chats;
  std::vector<FakeDocument> documents;        // In the order they arrived.
  std::map<std::string, FakeDocument> files;  // By file id.
  // By chat and message id.
  std::map<std::pair<std::int64_t, std::int64_t>, FakeText> texts;
  std::vector<std::string> calls;               // "sendMessage 42", without those for updates.
  std::map<std::string, std::string> answered;  // Clicks and the text of their answers.
  std::size_t polls = 0;
  std::size_t early = 0;  // Calls to a chat that had been told to wait, before its wait was over.

  // Queues an update, given without its id: R"("message":{…})". Returns its id.
  std::int64_t deliver(const std::string& member);
  std::int64_t deliver_text(std::int64_t user, const std::string& text,
                            const std::string& language = "ru");
  // A click on a button of a message. The callback's id is `click`, or a new one if it is empty.
  std::int64_t deliver_click(std::int64_t user, std::int64_t message, const std::string& data,
                             const std::string& click = "");
  // The next answer begins with up to so many of the newest updates, confirmed or not, newest
  // first.
  void deliver_again(std::size_t at_most = 100);
  std::size_t waiting() const { return queue_.size(); }

  // The next call of this method is answered so, without an effect.
  void fail_next(const std::string& method, FakeReply reply);
  // The next call of this method has its effect, and its answer is lost.
  void lose_next(const std::string& method) { lost_.push_back(method); }
  // Calls to this chat are refused for so many seconds.
  void flood(std::int64_t chat, int seconds);

  // Calls of JSON methods. Without a value it stays silent.
  std::optional<FakeReply> answer(const io::HttpRequest& sent);

  // For uploads: what is wrong with a send to this chat now; then its effect, which returns the
  // answer. The document's message and file id are made here.
  std::optional<FakeReply> refuse_send(std::int64_t chat);
  FakeReply take_document(FakeDocument document);

  // The newest message of a chat. Zero if it has none.
  std::int64_t newest(std::int64_t chat) const;
  // Its text, a slash and the labels of its buttons: "Menu / A | B".
  std::string shown(std::int64_t chat, std::int64_t message) const;
  std::string shown(std::int64_t chat) const { return shown(chat, newest(chat)); }
  // The buttons of a message: label and data of each.
  std::vector<std::pair<std::string, std::string>> buttons(std::int64_t chat,
                                                           std::int64_t message) const;
  // The data of the button with this label. Empty if the message has none.
  std::string button(std::int64_t chat, std::int64_t message, std::string_view label) const;
  std::string button(std::int64_t chat, std::string_view label) const {
    return button(chat, newest(chat), label);
  }

 private:
  struct Flood {
    Steady until;
    bool was_told = false;
  };
  struct QueuedUpdate {
    std::int64_t id = 0;
    std::string json;
  };
  using Fields = std::map<std::string, std::string>;
  FakeReply act(const std::string& method, const Fields& fields);
  FakeReply updates(const Fields& fields);
  FakeReply send_text(const Fields& fields);
  FakeReply edit_text(const Fields& fields);
  FakeReply answer_click(const Fields& fields);
  FakeReply send_by_id(const Fields& fields);

  const Clock& clock_;
  std::deque<QueuedUpdate> queue_;
  std::vector<QueuedUpdate> all_updates_;
  std::vector<QueuedUpdate> again_;
  std::map<std::string, std::deque<FakeReply>> faults_;
  std::vector<std::string> lost_;
  std::map<std::int64_t, Flood> floods_;
  std::set<std::string> clicks_;
  std::int64_t last_update_ = 1'000;
  std::int64_t last_message_ = 0;
  std::int64_t last_click_ = 0;
  std::int64_t last_file_ = 0;
};

// The answer of a failed call.
FakeReply telegram_fault(int code, const std::string& description,
                         const std::string& parameters = "");

}  // namespace haul::testing
