#include "sink/telegram/chat.h"

#include <future>
#include <map>
#include <utility>

#include "base/json.h"
#include "sink/telegram/sending.h"

namespace haul::telegram {
namespace {

constexpr std::size_t kNewChatsMax = 10'000;
constexpr std::int64_t kBusyWait = 1'000;

Sight sight(const Parcel& parcel, What what) {
  return {parcel.job, 0, parcel.fence, 0, std::move(what)};
}

Failed failure(FaultKind kind, std::string code, std::string detail) {
  return {.fault = {kind, std::move(code), std::move(detail)}, .checkpoint = {}};
}

// Empty if the request names none.
std::string chat_of(const std::string& request) {
  for (const JsonField& field : read_object(request).value_or(std::vector<JsonField>{}))
    if (field.name == "chat_id") return field.text;
  return {};
}

// All sends of a chat sink. Lives on the loop's thread.
class Sends {
 public:
  Sends(io::HttpLoop& loop, const Clock& clock, Gate& gate, Streams& streams, ChatSettings settings)
      : env_{loop, clock, gate, std::move(settings)}, streams_{streams} {}

  void land(const Parcel& parcel, Inbox& inbox) {
    const Key key{parcel.job, parcel.fence};
    if (open_.contains(key))
      return inbox.push(sight(parcel, failure(FaultKind::retryable, "already_sending",
                                              "the file is on its way into the chat")));
    if (open_.size() >= kUploadsMax) {
      Failed later = failure(FaultKind::retryable, "chat_busy", "too many files are on their way");
      later.wait_ms = kBusyWait;
      return inbox.push(sight(parcel, std::move(later)));
    }
    ChatFile file{.chat = chat_now(chat_of(parcel.request))};
    if (parcel.path.starts_with(kKnownFile)) {
      file.file_id = parcel.path.substr(kKnownFile.size());
    } else {
      file.stream = streams_.take(parcel.job, parcel.fence);
      if (!file.stream)
        return inbox.push(sight(parcel, failure(FaultKind::retryable, "no_stream",
                                                "the disk does not offer the file")));
    }
    begin(parcel, inbox, std::move(file));
  }

  void stop(const Parcel& parcel, Inbox& inbox) {
    const auto found = open_.find({parcel.job, parcel.fence});
    if (found == open_.end()) return inbox.push(sight(parcel, Stopped{}));
    found->second->stop();
  }

 private:
  using Key = std::pair<JobId, std::int64_t>;

  void begin(const Parcel& parcel, Inbox& inbox, ChatFile file) {
    const Key key{parcel.job, parcel.fence};
    const std::string chat = file.chat;
    auto told = [parcel, &inbox](Moving moving) { inbox.push(sight(parcel, std::move(moving))); };
    auto done = [this, key, parcel, chat, &inbox](SendOutcome outcome) {
      end(key, parcel, chat, inbox, std::move(outcome));
    };
    const auto made = open_.emplace(
        key, std::make_unique<Sending>(env_, std::move(file), std::move(told), std::move(done)));
    made.first->second->begin();
  }

  // The sight goes first: with the send ends the stream, and then the disk reports too.
  void end(Key key, const Parcel& parcel, const std::string& chat, Inbox& inbox,
           SendOutcome outcome) {
    if (!outcome.new_chat.empty() && new_chats_.size() < kNewChatsMax)
      new_chats_[chat] = outcome.new_chat;
    if (!outcome.is_disks) tell_trouble(outcome.what);
    inbox.push(sight(parcel, std::move(outcome.what)));
    open_.erase(key);
  }

  // What a chat or a file is refused for says nothing about the bot.
  void tell_trouble(const What& what) {
    const auto* failed = std::get_if<Failed>(&what);
    const bool is_ours = failed && failed->fault.kind == FaultKind::environment;
    if (!is_ours && !std::holds_alternative<Sent>(what)) return;
    const std::string code = is_ours ? failed->fault.code : "";
    if (std::exchange(trouble_, code) == code) return;
    if (env_.settings.on_trouble) env_.settings.on_trouble(is_ours ? &failed->fault : nullptr);
  }

  // A group that became a supergroup has a new id. Telegram says so once per send.
  std::string chat_now(const std::string& chat) const {
    const auto found = new_chats_.find(chat);
    return found == new_chats_.end() ? chat : found->second;
  }

  ChatEnv env_;
  Streams& streams_;
  std::map<Key, std::unique_ptr<Sending>> open_;
  std::map<std::string, std::string> new_chats_;
  std::string trouble_;  // The code last passed to on_trouble.
};

class TelegramChat final : public Sink {
 public:
  TelegramChat(io::HttpLoop& loop, const Clock& clock, Gate& gate, Streams& streams,
               ChatSettings settings)
      : loop_{loop},
        sends_{std::make_unique<Sends>(loop, clock, gate, streams, std::move(settings))} {}
  ~TelegramChat() override {
    std::promise<void> ended;
    loop_.post([&] {
      sends_.reset();
      ended.set_value();
    });
    ended.get_future().wait();
  }
  TelegramChat(const TelegramChat&) = delete;
  TelegramChat& operator=(const TelegramChat&) = delete;

  void land(const Parcel& parcel, Inbox& inbox) override {
    loop_.post([this, parcel, &inbox] { sends_->land(parcel, inbox); });
  }
  void stop(const Parcel& parcel, Inbox& inbox) override {
    loop_.post([this, parcel, &inbox] { sends_->stop(parcel, inbox); });
  }
  void verify(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }

 private:
  static void refuse(const Parcel& parcel, Inbox& inbox) {
    inbox.push(sight(parcel, failure(FaultKind::permanent, "not_supported",
                                     "a chat neither lists nor removes files")));
  }

  io::HttpLoop& loop_;
  std::unique_ptr<Sends> sends_;
};

}  // namespace

std::unique_ptr<Sink> make_telegram_chat(io::HttpLoop& loop, const Clock& clock, Gate& gate,
                                         Streams& streams, ChatSettings settings) {
  return std::make_unique<TelegramChat>(loop, clock, gate, streams, std::move(settings));
}

}  // namespace haul::telegram
