#pragma once
// One item's way from a server into a part of its own: requests, hops, segments, resume. Lives on
// the loop's thread; says what it sees and decides nothing about trying again.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/http/checkpoint.h"
#include "engine/http/http.h"
#include "engine/http/lander.h"
#include "engine/http/taken_names.h"
#include "io/gate.h"
#include "io/http.h"
#include "io/url.h"

namespace haul {

// What the downloads of one job share.
struct GetJob {
  GetRequest request;
  std::shared_ptr<const Folder> folder;
  FolderDisk disk;
  TakenNames names;
  std::map<std::int64_t, std::vector<std::string>> left;  // Parts of earlier leases, by item.
  bool crowded = false;  // A name was taken in the folder: others may be.
  int idle = 0;          // Reports since anything of it was at work.
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
  // Ten times a second: how far it is, and now and then what a resume would need.
  void report();
  // Its end was told; nothing of it is needed any more.
  bool is_gone() const { return gone_; }

  Go on_head(int call, const HttpHead& head) override;
  Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const HttpEnd& end) override;

 private:
  struct Segment {
    Range range;            // Where it begins and ends,
    std::int64_t next = 0;  // and how far it is.
    bool is_range = false;
    bool accepted = false;  // Its head was as it should be.
  };
  // What is to be done once the call at hand has ended.
  enum class Next : std::uint8_t { nothing, hop, restart, decode, finish, fail };

  void tell(What what);
  void after(Millis wait, void (Download::*then)());

  // Beginnings.
  bool recognise();
  void adopt_part();
  void remove_left();
  void set_aside();
  void write_behind();
  void ask(Range range);
  void ask_again();  // The next request, as soon as the gate lets it pass.
  HttpAsk asking_for(const Segment& segment) const;

  // Heads.
  Go refuse_segment(int call);
  Go accept_whole(int call, const Reply& reply);
  Go accept_part(int call, const Reply& reply);
  Go stop_and(Next next);
  Go fail_with(Fault fault, std::int64_t wait_ms = 0);
  bool open_part(const Reply& reply);
  bool open_unnamed();
  void choose_name(const Reply& reply);
  bool has_room(const Reply& reply);
  // Why a file of this size is not taken; nothing: it is. An unknown size counts as it comes,
  // after decoding.
  std::optional<Fault> too_large(std::int64_t size) const;
  bool is_small_enough();

  // Segments.
  void split_up();
  void take_more();
  void end_segment(int call, const HttpEnd& end);
  void go_on();

  // Ends.
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
  bool other_origin_ = false;  // Than the one it was asked of: no secrets go there.
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
  std::string aside_;  // An older part, until there is another.
  std::shared_ptr<File> file_;
  Ranges done_;
  std::map<int, Segment> segments_;
  bool splits_ = true;

  Next next_ = Next::nothing;
  Fault fault_;
  std::int64_t wait_ms_ = 0;
  std::string location_;

  std::int64_t unflushed_ = 0;  // Bytes written since the disk was last told to begin.
  bool flushing_ = false;
  std::int64_t told_have_ = -1;
  Steady kept_at_;
  std::int64_t kept_have_ = 0;
  bool keeping_ = false;
  bool landing_ = false;
  bool at_lander_ = false;
  bool stop_wanted_ = false;
  bool over_ = false;  // Nothing more is begun,
  bool gone_ = false;  // or told.
};

}  // namespace haul
