#pragma once
// Downloads one item from a server into its part: requests, redirects, segments, resume. Lives on
// the loop's thread. Reports what it sees and leaves retries to the flow.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/url.h"
#include "engine/here_file.h"
#include "engine/http/arrivals.h"
#include "engine/http/checkpoint.h"
#include "engine/http/download_rules.h"
#include "engine/http/existing.h"
#include "engine/http/flush_pace.h"
#include "engine/http/http.h"
#include "engine/http/make_request.h"
#include "engine/http/slot_line.h"
#include "engine/http/sources.h"
#include "io/file/landing.h"
#include "io/web/http.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul::http {

// What the downloads of one job share.
struct GetJob {
  engine::GetRequest request;
  io::LandingFolder landing;
  io::FolderDisk disk;
  int idle = 0;  // Reports in a row that found nothing at work.
};

struct HttpEnv {
  io::HttpLoop& loop;
  Gate& gate;
  io::Lander& lander;
  const Clock& clock;
  const HttpSettings& settings;
  const std::string& boot;
  SlotLine& line;
};

// Its state is that of its file. While the file is `filling`, requests run or wait for the gate.
class Download final : public io::HttpUser {
 public:
  Download(HttpEnv env, std::shared_ptr<GetJob> job, Order order, Inbox& inbox);
  ~Download() override;

  void begin();
  void land();
  void stop(Leftovers leftovers);
  // Called ten times a second. Reports progress, and from time to time a checkpoint.
  void report();
  // The end was reported, and the download can be destroyed.
  bool is_gone() const { return landing_.state() == io::LandingState::ended; }

  io::Go on_head(int call, const io::HttpHead& head) override;
  io::Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const io::HttpEnd& end) override;

 private:
  // What to do once the current call has ended.
  struct EndSegment {};
  struct Hop {
    std::string location;
  };
  struct Restart {
    Round round;
  };
  struct Finish {};
  struct Fail {
    Fault fault;
    std::int64_t wait_ms;
  };
  using AfterCall = std::variant<EndSegment, Hop, Restart, Finish, Fail>;
  struct Segment {
    Range range;            // The bytes to fetch.
    std::int64_t next = 0;  // The next byte to write.
    bool is_range = false;
    bool accepted = false;  // The head of the reply was as expected.
    std::size_t source = 0;
    std::optional<std::int64_t> door{};  // The slot of a side's connection.
    AfterCall after{};                   // Follows when the call has ended.
  };
  // A source beside the main one. One connection at a time fetches from it.
  struct Side {
    Url url;  // Where its redirects have led. Without text until it is asked.
    Origin origin = Origin::given;
    io::Reach reach{};
    int hops = 0;
    Version version{};     // As its own replies describe it.
    bool is_busy = false;  // A connection fetches a range.
    bool is_out = false;   // It failed, and is not asked again.
  };
  // The bytes of a link that a user has replaced by the item's URL.
  struct Replaced {
    // Describes them, until the new link proves them itself. Its source is the former link.
    std::optional<HttpCheckpoint> kept{};
    Ranges unproven{};     // Come again and are compared. Until then no byte is joined for good.
    std::string former{};  // The former link, if bytes of both are in the file.
    std::string over{};    // Why the file came from its first byte after all.
  };
  // A range that no connection fetches, or that one can leave to another.
  struct Spare {
    Range range;
    Segment* from = nullptr;
  };
  // The check of a file by the hashes of its pieces.
  struct PieceWork {
    bool is_passed = false;            // Each piece has its hash, or the whole file has.
    bool is_whole_right = false;       // The whole file has its hash.
    std::vector<std::size_t> suspect;  // Pieces that were damaged, and came again.
    std::size_t rounds = 0;
    Blame blame;
  };
  // The server's file, as far as the replies describe it.
  struct Served {
    Version version;
    Checksum digest;
    bool takes_ranges = false;
    bool length_proven = true;
    bool as_page = false;  // Its content type is that of a web page or of JSON.
    Given given{};
    bool decoded = false;  // The server's size and tag are those of the coded body.
  };
  // The question to the server about the file of an earlier run.
  struct Look {
    std::optional<engine::HereFile> about;  // Set while it is asked.
    int call = 0;
    Reply reply;
    std::optional<Given> given;           // The validators that the server named.
    std::optional<engine::HereFile> old;  // That file, if the server may have another version.
    enum class Bytes : std::uint8_t { unknown, compared, same } bytes = Bytes::unknown;  // Of both.
    std::vector<io::FileSeen> proven{};  // Files that were touched, but have their hash.
    std::set<std::string> tried{};       // Paths of those that were hashed again.
  };

  using Then = std::function<void(const Result<void>&)>;

  bool is_filling() const { return landing_.state() == io::LandingState::filling; }
  void tell(What what);
  void end(What what);  // Reports the end: Finished, Failed or Stopped.
  void after(Millis wait, void (Download::*then)());
  // For the lander: runs `then` on the loop's thread, if the download still exists.
  io::LandDone on_loop(Then then);

  // A file that is here already: download_existing.cc.
  std::optional<engine::HereFile> find_earlier() const;
  std::optional<engine::HereFile> find_touched() const;
  bool look_first();
  void prove(const engine::HereFile& touched);
  bool compare_first();
  void compare_with(const Checksum& sum);
  void end_same(const Checksum& sum);
  io::LandTask check_of(std::shared_ptr<const io::File> file, Checksum wanted) const;
  Given given_validators() const;
  [[nodiscard]] Result<void> check_still_kind() const;
  const engine::HereFile& looked_at() const;
  void already_here();
  void ask_look();
  io::Go see_look(const io::HttpHead& head);
  void end_look(const io::HttpEnd& end);
  Result<void> set_address();
  std::optional<io::LandingFile::Replaced> replaced_by_update() const;
  void choose_replaced();
  std::optional<Fault> name_exists() const;
  void add_receipt(std::string& evidence, const std::string& mtime) const;

  // Several sources: download_sources.cc.
  void find_sources(HttpCheckpoint& kept);
  const UrlOptions& own() const { return job_->request.own(order_.key); }
  bool has_hash(const std::string& name) const;
  bool can_resume() const;
  bool may_join() const;
  void take_sides();
  bool open_side(std::size_t source);
  bool rouse_main();
  std::optional<Spare> find_spare();
  void take_spare(const Spare& spare);
  io::Go see_side(int call, const io::HttpHead& head);
  void end_side(const Segment& segment);
  void hop_side(const Segment& segment, const std::string& location, bool came_from_public);
  void close_side(const Segment& segment);
  void sent(const Segment& segment);
  std::optional<Elsewhere> elsewhere(const Fault& fault, HttpCheckpoint kept) const;
  std::string senders() const;

  // A link in place of another: download_replaced.cc.
  bool is_unproven() const { return replaced_.unproven.total() > 0; }
  bool may_go_on_with(const HttpCheckpoint& kept) const;
  void doubt_kept();
  [[nodiscard]] bool is_as_here(std::span<const std::byte> bytes, std::int64_t at);
  [[nodiscard]] bool is_other_digest(const Checksum& digest);
  void drop_former(std::string why);

  // Pieces: download_pieces.cc.
  void check_pieces();
  void see_pieces(const Result<void>& result, const std::vector<std::size_t>& bad);
  void fetch_pieces(const std::vector<std::size_t>& bad);

  // Start.
  void ask_first();
  void know(const HttpCheckpoint& kept);
  void resume(const HttpCheckpoint& kept);
  void ask_for_rest();
  void ask(Range range);
  void ask_again();  // Sends the next request as soon as the gate lets it pass.
  void leave_slot();
  io::HttpRequest asking_for(const Segment& segment) const;

  // Heads of replies.
  io::Go accept_whole(int call, const Reply& reply);
  io::Go accept_part(int call, const Reply& reply);
  io::Go refuse_segment(int call);
  io::Go stop_and(int call, AfterCall next);
  io::Go fail_with(int call, Fault fault, std::int64_t wait_ms = 0);
  Result<void> open_part(const Reply& reply);
  // The name that the request gives the file. Empty: it gives none.
  std::string given_name() const;
  std::string given_folders() const;  // The folders in it: "a/b/", or empty.
  [[nodiscard]] Result<void> choose_name(const Reply& reply);
  [[nodiscard]] Result<void> name_anew();
  Result<void> reserve_room();
  // The fault if a file of this size is too large. If the server does not say the size, the caller
  // counts the bytes as they come, after decoding.
  std::optional<Fault> too_large(std::int64_t size) const;
  std::optional<Fault> wrong_size(std::int64_t size) const;
  Result<void> check_size() const;

  // Segments.
  void split_up();
  void split_main();
  void take_more();
  void end_segment(int call, const io::HttpEnd& end);
  void go_on();

  // End.
  void hop(const std::string& location, bool came_from_public);
  void restart(Round round);
  void start_over();
  void fetched();
  void choose_place();
  void put();
  void landed(const Result<void>& result);
  void name_taken();
  [[nodiscard]] Result<void> check_kind() const;
  void fail(Fault fault, std::int64_t wait_ms = 0);
  void flush_part(Then then);
  void stop_calls();
  void write_behind(std::int64_t bytes);
  io::PartSeen part_seen() const;
  Moving progress(std::int64_t have_now, std::string kept = {}) const;
  Ranges here() const;
  Arrivals arrivals() const;
  HttpCheckpoint checkpoint(io::Checkpoint file) const;
  Checksum given_sum() const;
  Checksum sum_for(const std::string& name) const;  // Given for a file of this name.
  Checksum wanted_sum() const;
  // The fault of a file that the request's list of checksums does not have.
  std::optional<Fault> unlisted() const;
  void set_time() const;
  std::string evidence(const std::string& mtime) const;
  std::int64_t have() const { return here().total(); }

  HttpEnv env_;
  std::shared_ptr<GetJob> job_;
  io::Room room_;  // What it has yet to write is reserved until it ends.
  Order order_;
  io::LandingFile landing_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  Url url_;
  Origin origin_ = Origin::given;
  io::Reach reach_;
  int hops_ = 0;
  int asks_ = 0;  // Calls of ask_again(): what an earlier one arranged is void.
  Round round_ = Round::first;
  Connections connections_ = Connections::several;

  std::vector<std::string> sources_;    // By priority; the first is the item's own address.
  std::size_t main_ = 0;                // The source that `url_` and `served_` are about.
  std::vector<Side> sides_;             // As long as `sources_`; that of the main one is not used.
  bool sides_are_due_ = false;          // A timer will call take_sides().
  bool alone_ = false;                  // Bytes of several sources did not fit together.
  std::optional<std::int64_t> agreed_;  // The size that each source must have.
  std::string senders_;                 // Of earlier starts.
  Blame::Sent sent_;                    // Of this start.
  PieceWork pieces_;
  Replaced replaced_;

  Steady began_;
  std::optional<Steady> waits_since_;  // The first time that its host had no slot for it.
  bool unchecked_ = false;             // Bytes may be of any server: no certificate was checked.
  std::optional<Time> modified_;       // As the last reply with a body said.
  Served served_;
  Ranges done_;
  Arrivals arrivals_;  // Of the replies that have ended.
  std::map<int, Segment> segments_;
  Look look_;
  std::size_t connections_most_ = 0;
  std::stop_source check_;           // Ends a check of bytes on the lander's thread.
  std::shared_ptr<Checksum> taken_;  // The hash for the receipt. Null if the request wants none.

  WriteBehind behind_;
  CheckpointPace pace_;
  std::int64_t told_have_ = -1;
};

}  // namespace haul::http
