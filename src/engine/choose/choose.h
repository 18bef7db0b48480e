#pragma once
// The engine of a batch: three in one. Each item goes to the engine that found it; which one looks
// at an address is asked for, or chosen by what the address is, and the choice is told.

#include <list>
#include <memory>

#include "engine/child/child.h"
#include "engine/engine.h"
#include "engine/http/http.h"

namespace haul {

// What engines are told things by; empty at first, and there for as long as they are.
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

// Lives on the loop that the programs live on; looks at addresses through the other. The engines
// outlive it, and the ears them.
std::unique_ptr<Engine> make_choosing_engine(Engines engines, Ears& ears, PollLoop& loop,
                                             HttpLoop& http_loop, Gate& gate,
                                             HttpSettings settings);

}  // namespace haul
