#pragma once
// The engine of a batch, which combines three engines. Each item goes to the engine that found it.
// The request names the engine that lists an address, or haul chooses one by what the address is
// and reports the choice.

#include <list>
#include <memory>

#include "engine/child/child.h"
#include "engine/http/http.h"
#include "seam/engine.h"

namespace haul {

// The inboxes that the three engines push sights to. Empty at first; must outlive the engines.
class Ears {
 public:
  Ears();
  ~Ears();
  std::list<class Ear>& all() { return *all_; }

 private:
  std::unique_ptr<std::list<class Ear>> all_;
};

struct Engines {
  Engine& http;
  ChildEngine& yt_dlp;
  ChildEngine& gallery_dl;
};

// Lives on `loop`, the loop of the child programs, and probes addresses through `http_loop`. The
// engines must outlive it, and `ears` must outlive the engines.
std::unique_ptr<Engine> make_choosing_engine(Engines engines, Ears& ears, PollLoop& loop,
                                             HttpLoop& http_loop, Gate& gate,
                                             HttpSettings settings);

}  // namespace haul
