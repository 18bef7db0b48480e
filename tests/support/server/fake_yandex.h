#pragma once
// Yandex Disk on loopback: the API, the OAuth server, the download host, and the storage host that
// downloads are redirected to, each on a port of its own. Keeps a record of every request, and
// misbehaves once or often when the test says so.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "support/server/fake_web.h"
#include "support/server/receiving_server.h"

namespace haul::testing {

struct FakeDiskFile {
  std::string bytes{};  // If empty, the file has `zeros` zero bytes.
  std::int64_t zeros = 0;
  std::string mime = "application/octet-stream";
  std::int64_t revision = 1'498'934'477'800'006;
  bool has_digests = true;  // The disk computes them some time after an upload.
  bool only_md5 = false;

  std::int64_t size() const;
  std::string digest(std::string_view algorithm) const;
};

// What a request is for.
enum class DiskRoute : std::uint8_t { meta, list, link, download, storage, token, other };

// How the fake answers instead of as it should.
struct FakeDiskAct {
  int status = 0;             // With the body that Yandex sends with it. Zero: as it should.
  std::string error{};        // The `error` of that body.
  std::string retry_after{};  // Seconds.
  std::string body{};         // Of a good answer, instead.
  bool hangs = false;         // Never answers.
  bool waits = false;         // Answers when the test calls go(). Only the API does.
  std::optional<std::int64_t> length{};       // Content-Length, instead. -1: none, in chunks.
  std::optional<std::int64_t> reset_after{};  // Resets the connection after so many bytes.
  std::optional<std::int64_t> stop_after{};   // Ends the body after so many bytes.
  std::optional<std::int64_t> flip{};         // Changes the byte at this place.
  std::string location{};                     // Redirects there.
};

struct FakeDiskRequest {
  DiskRoute route = DiskRoute::other;
  std::string method;
  std::string target;
  std::string authorization;  // "OAuth y0_valid". Empty without one.
  std::string body;
};

class FakeYandex {
 public:
  FakeYandex();
  FakeYandex(const FakeYandex&) = delete;
  FakeYandex& operator=(const FakeYandex&) = delete;

  // The addresses for the configuration.
  std::string url() const { return "http://" + api_.host(); }
  std::string oauth_url() const { return "http://" + oauth_.host(); }

  // `path` such as "disk:/Books/a.pdf". Its folders exist with it.
  void put(const std::string& path, FakeDiskFile file);
  void remove(const std::string& path);
  // The next `times` requests for this route are answered so.
  void act(DiskRoute route, FakeDiskAct act, int times = 1);
  // Lets one request go on that waits, or will wait.
  void go() { api_.go(); }
  // No longer accepts the token that it accepts now.
  void expire_token();
  // Gives no more tokens for the refresh token.
  void refuse_refresh();
  // Accepts its tokens again.
  void authorise();
  // Every link that it has given so far is too old.
  void expire_links();

  std::string token() const;          // That it accepts now.
  std::string refresh_token() const;  // Likewise.
  std::vector<FakeDiskRequest> requests() const;
  std::size_t count(DiskRoute route) const;
  // Whether a request to the download or the storage host had a token.
  bool leaked_token() const;

 private:
  using Exchange = ReceivingServer::Exchange;
  struct FakeDiskEntry {
    std::string sha256;  // Empty if the disk does not list it.
    std::string md5;
    FakeDiskFile file;
  };

  void serve_api(Exchange& exchange);
  void serve_oauth(Exchange& exchange);
  void serve_download(Exchange& exchange);
  void serve_storage(Exchange& exchange);
  std::optional<FakeDiskAct> note(DiskRoute route, const Received& received);
  std::string answer_meta(const std::string& path, const SentRequest& request) const
      REQUIRES(mutex_);
  std::string answer_link(const std::string& path) REQUIRES(mutex_);
  std::string entry(const std::string& path, const SentRequest& request,
                    const std::string& prefix) const REQUIRES(mutex_);
  std::string listing(const std::string& folder, const SentRequest& request) const REQUIRES(mutex_);
  bool is_folder(const std::string& path) const REQUIRES(mutex_);
  static void send_file(Exchange& exchange, const FakeDiskFile& file, const FakeDiskAct& act);

  mutable Mutex mutex_;
  std::map<std::string, FakeDiskEntry> files_ GUARDED_BY(mutex_);
  std::map<DiskRoute, std::deque<FakeDiskAct>> acts_ GUARDED_BY(mutex_);
  std::vector<FakeDiskRequest> requests_ GUARDED_BY(mutex_);
  std::map<int, std::string> links_ GUARDED_BY(mutex_);  // The path of each link.
  int last_link_ GUARDED_BY(mutex_) = 0;
  int expired_to_ GUARDED_BY(mutex_) = 0;  // Links up to this one are too old.
  int grants_ GUARDED_BY(mutex_) = 0;
  bool is_expired_ GUARDED_BY(mutex_) = false;
  bool refuses_refresh_ GUARDED_BY(mutex_) = false;
  // Last: their threads use all of the above.
  ReceivingServer storage_;
  ReceivingServer download_;
  ReceivingServer oauth_;
  ReceivingServer api_;
};

}  // namespace haul::testing
