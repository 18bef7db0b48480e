#pragma once
// Reads one file from the disk into a stream: metadata, a fresh link, then the bytes. Keeps the
// last byte back until size and checksum are right, so that a chat never gets a whole wrong file.
// If the order asks for it and the spool has room, it keeps the whole file there first. Lives on
// the loop's thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "engine/yandexdisk/api.h"
#include "engine/yandexdisk/replies.h"
#include "engine/yandexdisk/settings.h"
#include "io/file/spool.h"
#include "io/web/http.h"
#include "seam/engine.h"
#include "seam/streams.h"

namespace haul::yandexdisk {

// What all reads share.
struct DiskEnv {
  io::HttpLoop& loop;
  const Clock& clock;
  const DiskSettings& settings;
  Streams& streams;
  DiskApi& api;
  io::Spool* spool = nullptr;  // Null if none is configured.
};

class DiskRead final : public io::HttpUser, public std::enable_shared_from_this<DiskRead> {
 public:
  // Calls `over` once, after its last sight. It may destroy the read.
  DiskRead(DiskEnv& env, Order order, Inbox& inbox, std::function<void()> over);
  ~DiskRead() override;
  DiskRead(const DiskRead&) = delete;
  DiskRead& operator=(const DiskRead&) = delete;

  void begin();
  // Ends it without a sight and without `over`. Breaks the stream.
  void drop(const Fault& why);
  const Order& order() const { return order_; }
  Moving progress() const;

  io::Go on_head(int call, const io::HttpHead& head) override;
  io::Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const io::HttpEnd& end) override;

 private:
  void ask_meta();
  void see_meta(const DiskApi::Answer& answer);
  void see_link(const DiskApi::Answer& answer);
  void open(const std::string& url);
  void follow(const std::string& location);
  void fail_to_read(Fault fault);
  void refuse_link(const DiskRefusal& refusal);

  void begin_bytes();
  Hasher& hasher();
  void make_stream();
  io::Go keep(std::span<const std::byte> bytes);  // In the spool.
  bool refill();                                  // From the spool. False if that failed.
  bool write_out();                               // False if bytes that may go do not fit.
  bool write_rest();                              // The same for the bytes in rest_.
  void go_on();                                   // There is room in the pipe, or it is broken.
  void check_whole();                             // All bytes came.
  void see_meta_again(const DiskApi::Answer& answer, const std::string& sha256);
  void finish();
  void tell_moving();
  void fail(const DiskRefusal& refusal);
  void fail(FaultKind kind, std::string code, std::string detail);
  void end_call();
  void push(What what);

  DiskEnv& env_;
  const Order order_;
  Inbox& inbox_;
  std::function<void()> over_;
  std::string path_;
  DiskMeta meta_;
  bool had_fresh_link_ = false;  // A second link was asked for.
  bool may_be_private_ = false;  // All addresses so far are private, so the next may be, too.
  std::string url_;              // Of the running call. Secret.
  int redirects_ = 0;
  int call_ = 0;                        // Zero if none runs.
  std::string next_url_;                // Where the call that ends redirects to.
  std::optional<DiskRefusal> refused_;  // What the call that ends is refused with.

  std::unique_ptr<io::SpoolFile> spooled_;  // The file, if it is read whole first.
  bool spool_failed_ = false;               // The file is streamed instead.
  bool reads_anew_ = false;                 // The call that ends is followed by a new one.
  std::shared_ptr<FileStream> stream_;      // Not there before a spooled file is whole.
  std::optional<Hasher> hasher_;
  std::string digest_name_;
  std::int64_t came_ = 0;
  std::int64_t written_ = 0;     // Into the pipe.
  std::vector<std::byte> rest_;  // Came, and is not in the pipe yet.
  std::size_t rest_begin_ = 0;   // The bytes of rest_ before this are in the pipe.
  bool is_paused_ = false;
  bool is_verified_ = false;  // The last byte may go.
  bool is_over_ = false;
  std::optional<Steady> told_at_;  // When Moving was last pushed.
  Steady kept_at_{};               // When Waiting was last pushed.
  std::string evidence_;
};

}  // namespace haul::yandexdisk
