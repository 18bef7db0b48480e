// The Telegram sink joins the suite of sinks, with a fake of the Bot API.

#include "conformance/sink/sink.h"
#include "sink/telegram/chat.h"
#include "support/io/chat_bench.h"

namespace haul::conformance {
namespace {

using testing::ChatBench;

// Offers the stream that a disk would offer before the chat is told to land.
class WithStream final : public Sink {
 public:
  WithStream(ChatBench& bench, const bool& is_lost) : bench_{bench}, is_lost_{is_lost} {}

  void land(const Parcel& parcel, Inbox& inbox) override {
    const bool is_held = parcel.size > kQuick;
    testing::GeneratedFile& file =
        bench_.files.emplace_back(FileStream::About{.name = "a.bin", .size = parcel.size},
                                  is_held ? parcel.size / 2 : parcel.size, ChatBench::kCapacity);
    file.fill();
    if (!is_lost_) bench_.streams.offer(parcel.job, parcel.fence, file.stream());
    bench_.chat->land(parcel, inbox);
  }
  void verify(const Parcel& parcel, Inbox& inbox) override { bench_.chat->verify(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { bench_.chat->clean(parcel, inbox); }
  void stop(const Parcel& parcel, Inbox& inbox) override { bench_.chat->stop(parcel, inbox); }

  static constexpr std::int64_t kQuick = 1'000;
  static constexpr std::int64_t kHeld = 200'000;

 private:
  ChatBench& bench_;
  const bool& is_lost_;
};

class TelegramBench final : public SinkBench {
 public:
  Sink& sink() override { return sink_; }
  bool until(const So& so, Millis within) override {
    return turn_until(b_.clock, sights, so, within);
  }

  Parcel parcel(Pace pace) override {
    Parcel made = ChatBench::parcel(JobId{1});
    made.size = pace == Pace::held ? WithStream::kHeld : WithStream::kQuick;
    return made;
  }
  std::size_t kept() const override { return b_.server.delivered().size(); }
  bool has_source(Pace) const override { return true; }
  bool has_no_source() const override { return false; }
  void lose_source() override { is_lost_ = true; }
  std::string exempt(SinkRule rule) const override {
    if (rule == SinkRule::keeps_one)
      return "A message cannot be replaced: the flow decides to resend.";
    if (rule == SinkRule::verifies || rule == SinkRule::cleans) return "The flow never asks it.";
    return {};
  }

 private:
  bool is_lost_ = false;
  ChatBench b_;
  WithStream sink_{b_, is_lost_};
};

const Joins<SinkBench> kJoins{"telegram", [] { return std::make_unique<TelegramBench>(); }};

}  // namespace
}  // namespace haul::conformance
