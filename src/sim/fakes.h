#pragma once
// Fake engines and sinks that succeed or fail at random.

#include <map>
#include <memory>

#include "sim/world.h"

namespace haul::sim {

class Fakes {
 public:
  explicit Fakes(World& world);
  ~Fakes();
  flow::Outside outside();

  // What the fakes may use of their world.
  VirtualClock& clock() { return world_.clock_; }
  WorldLedger& ledger() { return world_.ledger_; }
  void act(const Act& act) { world_.on_act(act); }
  bool strikes(Chaos chaos, std::uint64_t one_in) { return world_.strikes(chaos, one_in); }
  Millis some(int from_ms, int to_ms) { return world_.some(from_ms, to_ms); }
  std::uint64_t below(std::uint64_t n) { return world_.random_.below(n); }
  template <class Subject>
  void tell(Inbox& inbox, const Subject& subject, What what, Millis after) {
    world_.tell(inbox, subject, std::move(what), after);
  }
  // A random fault, as the outside may report it.
  Fault some_fault();

 private:
  World& world_;
  std::unique_ptr<RemoteEngine> client_;
  std::unique_ptr<ItemEngine> http_;
  std::unique_ptr<RemoteEngine> disk_;
  std::unique_ptr<RemoteEngine> images_;
  std::unique_ptr<Sink> library_;
  std::unique_ptr<Sink> chat_;
  std::unique_ptr<Sink> bucket_;
};

std::unique_ptr<RemoteEngine> make_client(Fakes& fakes);
std::unique_ptr<ItemEngine> make_http(Fakes& fakes);
std::unique_ptr<RemoteEngine> make_disk(Fakes& fakes);
std::unique_ptr<RemoteEngine> make_images(Fakes& fakes);
std::unique_ptr<Sink> make_library(Fakes& fakes);
std::unique_ptr<Sink> make_chat(Fakes& fakes);
std::unique_ptr<Sink> make_bucket(Fakes& fakes);

}  // namespace haul::sim
