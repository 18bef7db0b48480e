#pragma once
// The engine of a batch, which combines three engines. Each item goes to the engine that found it.
// The request names the engine that lists an address, or haul chooses one by what the address is
// and reports the choice.

#include <list>
#include <memory>

#include "engine/child/child.h"
#include "engine/http/http.h"
#include "seam/engine.h"

namespace haul::choose {

// The inboxes that the three engines push sights to. Empty at first; must outlive the engines.
class ChoosingInboxes {
 public:
  ChoosingInboxes();
  ~ChoosingInboxes();
  std::list<class ChoosingInbox>& all() { return *all_; }

 private:
  std::unique_ptr<std::list<class ChoosingInbox>> all_;
};

struct Engines {
  ItemEngine& http;
  child::ChildEngine& yt_dlp;
  child::ChildEngine& gallery_dl;
};

// Lives on `loop`, the loop of the child programs, and probes addresses through `http_loop`. The
// engines must outlive it, and `inboxes` must outlive the engines.
std::unique_ptr<ItemEngine> make_choosing_engine(Engines engines, ChoosingInboxes& inboxes,
                                                 io::PollLoop& loop, io::HttpLoop& http_loop,
                                                 Gate& gate, http::HttpSettings settings);

}  // namespace haul::choose
