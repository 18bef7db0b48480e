#pragma once
// Downloads one item from a server into its part: requests, redirects, segments, resume. Lives on
// the loop's thread. Reports what it sees and leaves retries to the flow.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/url.h"
#include "engine/http/checkpoint.h"
#include "engine/http/http.h"
#include "engine/http/lander.h"
#include "engine/http/taken_names.h"
#include "io/web/http.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul {

// What the downloads of one job share.
struct GetJob {
  GetRequest request;
  std::shared_ptr<const Folder> folder;
  FolderDisk disk;
  TakenNames names;
  std::map<std::int64_t, std::vector<std::string>> left;  // Parts of earlier leases, by item.
  bool crowded = false;  // A name was taken in the folder, so others may be.
  int idle = 0;          // Reports in a row that found nothing at work.
};

struct HttpEnv {
  HttpLoop& loop;
  Gate& gate;
  Lander& lander;
  const Clock& clock;
  const HttpSettings& settings;
  const std::string& boot;
};

class Download final : public HttpUser {
 public:
  Download(HttpEnv env, std::shared_ptr<GetJob> job, Order order, Inbox& inbox);
  ~Download() override;

  void begin();
  void land();
  void stop(Parts parts);
  // Called ten times a second. Reports progress, and from time to time a checkpoint.
  void report();
  // The end was reported, and the download can be destroyed.
  bool is_gone() const { return gone_; }

  Go on_head(int call, const HttpHead& head) override;
  Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const HttpEnd& end) override;

 private:
  struct Segment {
    Range range;            // The bytes to fetch.
    std::int64_t next = 0;  // The next byte to write.
    bool is_range = false;
    bool accepted = false;  // The head of the reply was as expected.
  };
  // What to do once the current call has ended.
  enum class Next : std::uint8_t { nothing, hop, restart, decode, finish, fail };

  void tell(What what);
  void after(Millis wait, void (Download::*then)());

  // Start.
  bool recognise();
  void adopt_part();
  void remove_left();
  void set_aside();
  void write_behind();
  void ask(Range range);
  void ask_again();  // Sends the next request as soon as the gate lets it pass.
  HttpAsk asking_for(const Segment& segment) const;

  // Heads of replies.
  Go refuse_segment(int call);
  Go accept_whole(int call, const Reply& reply);
  Go accept_part(int call, const Reply& reply);
  Go stop_and(Next next);
  Go fail_with(Fault fault, std::int64_t wait_ms = 0);
  bool open_part(const Reply& reply);
  bool open_unnamed();
  void choose_name(const Reply& reply);
  bool has_room(const Reply& reply);
  // The fault if a file of this size is too large. If the server does not say the size, the caller
  // counts the bytes as they come, after decoding.
  std::optional<Fault> too_large(std::int64_t size) const;
  bool is_small_enough();

  // Segments.
  void split_up();
  void take_more();
  void end_segment(int call, const HttpEnd& end);
  void go_on();

  // End.
  void hop(bool came_from_public);
  void restart();
  void fetched();
  void put(LandTask task);
  void landed(const Result<void>& result);
  bool choose_target();
  [[nodiscard]] Result<void> check_kind() const;
  void fail(Fault fault);
  void stop_calls();
  void remove_part();
  Ranges here() const;
  Checkpoint checkpoint() const;
  std::string evidence() const;
  std::int64_t have() const { return here().total(); }

  HttpEnv env_;
  std::shared_ptr<GetJob> job_;
  Room room_;  // What it has yet to write is reserved until it ends.
  Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  Url url_;
  bool other_origin_ = false;  // A redirect has left the first origin, so no secrets are sent.
  Reach reach_;
  int hops_ = 0;
  bool decode_ = false;
  bool restarted_ = false;

  Version version_;
  bool takes_ranges_ = false;
  bool length_proven_ = true;
  Checksum digest_;
  std::string name_;
  std::string target_;
  std::string part_;
  std::string aside_;  // The old part, kept until the new one exists.
  std::shared_ptr<File> file_;
  Ranges done_;
  std::map<int, Segment> segments_;
  bool splits_ = true;

  Next next_ = Next::nothing;
  Fault fault_;
  std::int64_t wait_ms_ = 0;
  std::string location_;

  std::int64_t unflushed_ = 0;  // Bytes written since the last begin_flush().
  bool flushing_ = false;
  std::int64_t told_have_ = -1;
  Steady kept_at_;
  std::int64_t kept_have_ = 0;
  bool keeping_ = false;
  bool landing_ = false;
  bool at_lander_ = false;
  bool stop_wanted_ = false;
  bool over_ = false;  // No further request is started.
  bool gone_ = false;  // Nothing more is reported.
};

}  // namespace haul
