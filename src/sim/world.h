#pragma once
// The simulated outside: engines and sinks that fail at random, and a ledger of what really
// happened there. Only the fakes write the ledger, never the code under test.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "flow/outside.h"
#include "sim/faults.h"
#include "sim/time.h"

namespace haul::sim {

// A request as its host saw it.
struct Span {
  Steady from;
  Steady to;
  const Inbox* of = nullptr;  // The worker that sent it.
  JobId job;
};

// A file of a film, and where a whole copy of it is.
struct FilmFile {
  bool has_source = false;            // The client's copy is there.
  Steady in_library = Steady::max();  // From then on the library's copy is whole and listed.
  bool is_proven = false;             // The media server has listed it.
};

// An act on the outside, at the moment it happens. haul must store its intent before.
struct Act {
  enum class Kind : std::uint8_t { import, clean, send, charge, add_torrent } kind = Kind::clean;
  JobId job;
  const Inbox* of = nullptr;  // The worker that did it.
  std::string path;           // For a clean: the path that is removed.
};

// What really happened outside.
struct WorldLedger {
  std::map<std::int64_t, int> torrents;     // By job: torrents added to the client.
  std::set<std::int64_t> present;           // Jobs whose torrent is in the client now.
  std::set<std::int64_t> fetched;           // Jobs whose torrent the client has fetched whole.
  std::map<std::int64_t, int> sent;         // By job: messages that reached the chat.
  std::map<std::int64_t, int> charged;      // By job: paid calls.
  std::set<std::int64_t> calls_stopped;     // Jobs whose paid call was stopped by its handle.
  std::map<std::int64_t, int> kept;         // By job: images in the bucket.
  std::map<std::int64_t, int> cleaned;      // By job: cleans of its sources.
  std::set<std::int64_t> cleaned_unproven;  // Jobs of which a file was removed unproven.
  std::map<std::int64_t, std::map<std::string, FilmFile>> films;  // By job and name: its files.
  std::map<std::string, std::vector<Span>> requests;              // By host.
  std::map<std::int64_t, std::int64_t> listed;             // By batch: the items its site listed.
  std::set<std::pair<std::int64_t, std::int64_t>> landed;  // Job and item: files that landed.
  std::map<std::int64_t, Steady> looked;         // By job: when a worker last asked the client.
  std::map<std::int64_t, Steady> missing_first;  // By job: since when the client says "not found".
};

// Where the client puts a file of a film: "/downloads/7/e0".
std::string film_path(std::int64_t job, const std::string& name);
// Whose file has this path. No value for other paths.
struct FilmKey {
  std::int64_t job = 0;
  std::string name;
};
std::optional<FilmKey> film_of(std::string_view path);

class World {
 public:
  World(VirtualClock& clock, std::uint64_t seed, ChaosSet chaos);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  flow::Outside outside();
  const WorldLedger& ledger() const { return ledger_; }
  ChaosSet chaos() const { return chaos_; }
  // Called at the moment of an act, before the fake answers it.
  std::function<void(const Act&)> on_act = [](const Act&) {};
  // Switches all faults off.
  void calm() { chaos_ = ChaosSet{}; }

  // Delivers every sight that is due. Returns the inboxes that got one.
  std::set<const Inbox*> deliver();
  // When the next sight is due. Nothing if none is pending.
  std::optional<Steady> next() const;
  // A worker died: drops its sights and ends its requests.
  void forget(const Inbox* inbox);
  // A worker pauses: ends its requests.
  void cut(const Inbox* inbox);

 private:
  friend class Fakes;
  struct Coming {
    Steady at;
    std::uint64_t order;
    Inbox* inbox;
    Sight sight;
    bool operator<(const Coming& other) const {  // The earliest is on top.
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  void tell(Inbox& inbox, const Order& order, What what, Millis after);
  void tell(Inbox& inbox, const Parcel& parcel, What what, Millis after);
  void push(Inbox& inbox, Sight sight, Millis after);
  bool strikes(Chaos chaos, std::uint64_t one_in);
  Millis some(int from_ms, int to_ms);

  VirtualClock& clock_;
  SeededRandom random_;
  ChaosSet chaos_;
  WorldLedger ledger_;
  std::priority_queue<Coming> coming_;
  std::set<const Inbox*> gone_;
  std::uint64_t order_ = 0;
  std::unique_ptr<class Fakes> fakes_;
};

}  // namespace haul::sim
