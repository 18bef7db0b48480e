// The wired disk and chat together: a file goes from the fake of Yandex Disk into a chat of the
// fake of Telegram, each side on its own thread.

#include "app/wiring/chat.h"

#include <doctest/doctest.h>

#include "app/wiring/relay.h"
#include "base/hash.h"
#include "support/io/chat_bench.h"
#include "support/server/disk_bench.h"

namespace haul::testing {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

std::string some_bytes(std::int64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251 + i / 4'096);
  return bytes;
}

struct RelayScene {
  // Reads the file and sends it once the disk has bytes, as the flow does.
  void relay() {
    disk->start(order, sights);
    until([this] { return of_disk<Moving>() || of_disk<Failed>(); });
    if (of_disk<Moving>()) chat->land(parcel, sights);
  }
  bool until(const conformance::So& so) {
    return conformance::turn_until(clock, sights, so, conformance::kPatience);
  }
  template <class T>
  std::optional<T> of_disk() const {
    return conformance::first<T>(sights.all(), [](const Sight& sight) { return sight.start == 1; });
  }
  template <class T>
  std::optional<T> of_chat() const {
    return conformance::first<T>(sights.all(), [](const Sight& sight) { return sight.start == 0; });
  }
  bool is_over() const {
    const bool disk_is = of_disk<Finished>() || of_disk<Failed>() || of_disk<Stopped>();
    return disk_is && (of_chat<Sent>() || of_chat<Failed>() || of_chat<Stopped>());
  }

  TurnedClock clock;
  conformance::Sights sights;
  RecordingGate gate;
  io::DiskSpace space{io::KeepFree{0}};
  Streams streams;
  MemoryKeeper keeper;
  FakeYandex yandex;
  FakeTelegram telegram{clock};
  FakeTelegramUpload server{telegram};
  const Order order = DiskBench::order(7);
  const Parcel parcel = ChatBench::parcel(JobId{7});
  // The chat ends first, as in OutsideParts.
  std::unique_ptr<RemoteEngine> disk =
      app::make_disk(clock, space, streams, &keeper, settings_for(yandex));
  std::unique_ptr<Sink> chat =
      app::make_chat(clock, gate, streams,
                     app::telegram_settings(app::ChatConfig{
                         .url = server.url(), .token = telegram.token, .max_size = 64 * kMiB}));
};

}  // namespace

TEST_CASE("S3-15: a file of the disk arrives in the chat, byte for byte and verified") {
  for (const std::int64_t size : {std::int64_t{1}, std::int64_t{2}, 5 * kMiB + 7}) {
    CAPTURE(size);
    RelayScene s;
    const std::string bytes = some_bytes(size);
    s.yandex.put("disk:/a.bin", {.bytes = bytes});

    s.relay();
    REQUIRE(s.until([&] { return s.is_over(); }));

    CHECK(s.of_disk<Finished>());
    REQUIRE(s.of_chat<Sent>());
    const auto delivered = s.server.delivered();
    REQUIRE(delivered.size() == 1);
    CHECK(delivered[0].name == "a.bin");
    CHECK(delivered[0].sha256 == sha256_hex(bytes));
    CHECK_FALSE(s.yandex.leaked_token());
  }
}

TEST_CASE("S3-15, S3-16: a file that is damaged or cut on its way never looks whole to Telegram") {
  for (const auto& act : {FakeDiskAct{.flip = 5}, FakeDiskAct{.reset_after = kMiB},
                          FakeDiskAct{.stop_after = 2 * kMiB - 1}}) {
    RelayScene s;
    s.yandex.put("disk:/a.bin", {.bytes = some_bytes(2 * kMiB)});
    s.yandex.act(DiskRoute::storage, act);

    s.relay();
    REQUIRE(s.until([&] { return s.is_over(); }));

    CHECK(s.of_disk<Failed>());
    REQUIRE(s.of_chat<Failed>());
    // The disk may fail before the chat has taken the stream.
    const std::string code = s.of_chat<Failed>()->fault.code;
    CHECK((code == s.of_disk<Failed>()->fault.code || code == "no_stream"));
    CHECK_FALSE(s.of_chat<Failed>()->outcome_unknown);
    s.chat.reset();
    CHECK(s.server.whole() == 0);
    CHECK(s.server.delivered().empty());
  }
}

TEST_CASE("a chat that refuses a file in the middle stops the disk") {
  RelayScene s;
  s.yandex.put("disk:/a.bin", {.zeros = 48 * kMiB});
  s.server.set({.is = UploadMood::Is::answers_early,
                .after = kMiB,
                .reply = telegram_fault(403, "Forbidden: bot was blocked by the user")});

  s.relay();
  REQUIRE(s.until([&] { return s.is_over(); }));

  CHECK(s.of_chat<Failed>()->fault.code == "chat_blocked");
  CHECK(s.of_disk<Stopped>());
}

TEST_CASE("disk and chat end in the middle of a file") {
  RelayScene s;
  s.yandex.put("disk:/a.bin", {.zeros = 48 * kMiB});
  s.server.set({.is = UploadMood::Is::hangs, .after = kMiB});
  s.relay();
  REQUIRE(s.until([&] { return s.server.came() >= kMiB; }));

  s.chat.reset();
  s.disk.reset();

  CHECK_FALSE(s.of_chat<Sent>());
  CHECK(s.server.delivered().empty());
}

TEST_CASE("Z-30: a chat without a token says what to configure") {
  RelayScene s;
  CHECK_FALSE(app::telegram_settings(std::nullopt));
  const auto none = app::make_chat(s.clock, s.gate, s.streams, std::nullopt);
  CHECK(none->not_ready().text == "configure relay.telegram_token");
}

}  // namespace haul::testing
