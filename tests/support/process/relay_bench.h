#pragma once
// A real daemon between a fake Yandex Disk and a fake Bot API, for tests of relays.

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/server/fake_telegram_upload.h"
#include "support/server/fake_yandex.h"

namespace haul::testing {

class RelayBench {
 public:
  // `settings` are environment variables for the daemon.
  explicit RelayBench(const std::vector<std::string>& settings = {})
      : daemon{with_fakes(settings)} {}

  FakeYandex disk;
  FakeTelegram telegram{system_clock()};  // Through chat.with() only.
  FakeTelegramUpload chat{telegram};
  Daemon daemon;

  // Adds a relay of this path into chat 42. Returns its id, or the code of the refusal.
  std::string add(const std::string& path, bool paused = false) {
    const RawReply reply = daemon.post(
        "/api/v1/jobs", fmt::format(R"({{"lifecycle":"relay","request":{{"user_id":1,"chat_id":42,)"
                                    R"("file_id":"{}","nonce":"{}"}},"paused":{}}})",
                                    path, ++nonces_, paused));
    const std::string body{reply.body()};
    return reply.status() == 201 ? member_of(body, "id") : member_of(body, "code");
  }
  std::string state(const std::string& id) const { return member_of(daemon.job(id), "state"); }
  std::string reason(const std::string& id) const { return member_of(daemon.job(id), "reason"); }

  // "QUEUED > CLAIMED > DOWNLOADING": from the events.
  std::string trail(const std::string& id) const {
    const std::string events{daemon.get("/api/v1/jobs/" + id + "/events?limit=100").body()};
    const std::string before = R"("to":")";
    std::string text;
    for (std::size_t at = events.find(before); at != std::string::npos;
         at = events.find(before, at)) {
      at += before.size();
      text += (text.empty() ? "" : " > ") + events.substr(at, events.find('"', at) - at);
    }
    return text;
  }
  // How often an event says that the next message may be one too many.
  int flagged(const std::string& id) const {
    const std::string events{daemon.get("/api/v1/jobs/" + id + "/events?limit=100").body()};
    const std::string begin = R"({"id":)";
    int count = 0;
    for (std::size_t at = events.find(begin); at != std::string::npos;) {
      const std::size_t next = events.find(begin, at + 1);
      const std::string event = events.substr(at, next - at);
      const bool starts = event.find(R"("to":"DOWNLOADING")") != std::string::npos;
      const bool says = event.find(R"("reason":"delivery_unknown")") != std::string::npos;
      count += starts && says ? 1 : 0;
      at = next;
    }
    return count;
  }
  // Messages with a file of this name that the chat has.
  int messages(const std::string& name) const {
    int count = 0;
    for (const FakeDocument& each : chat.delivered()) count += each.name == name ? 1 : 0;
    return count;
  }
  void put(const std::string& name, std::size_t size = 3'000'000) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + name.size());
    disk.put("disk:/" + name, {.bytes = std::move(bytes)});
  }

 private:
  std::vector<std::string> with_fakes(const std::vector<std::string>& more) {
    std::vector<std::string> all{"HAUL__RELAY__YANDEX_URL=" + disk.url(),
                                 "HAUL__RELAY__YANDEX_OAUTH_URL=" + disk.oauth_url(),
                                 "HAUL__RELAY__YANDEX_TOKEN=" + disk.token(),
                                 "HAUL__RELAY__TELEGRAM_URL=" + chat.url(),
                                 "HAUL__RELAY__TELEGRAM_TOKEN=" + telegram.token,
                                 "HAUL__RELAY__HEARTBEAT=500ms",
                                 "HAUL__RELAY__TIMEOUT=2s"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  int nonces_ = 0;
};

}  // namespace haul::testing
