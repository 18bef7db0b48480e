// A fake torrent client. It outlives workers, forgets torrents, reports errors, and answers by tag.

#include "sim/fakes.h"

namespace haul::sim {
namespace {

class FakeClient final : public RemoteEngine {
 public:
  explicit FakeClient(Fakes& fakes) : fakes_{fakes} {}

  // The tag is the key of an add: a second add with the same tag finds the first torrent.
  void start(Order order, Inbox& inbox) override {
    asked(order);
    if (fakes_.strikes(Chaos::engine_fails, 6))
      return fakes_.tell(inbox, order, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 2'000));
    Torrent& torrent = torrents_[order.job.value];
    if (!torrent.present) {
      torrent = {.present = true,
                 .moves_at = fakes_.clock().steady() + fakes_.some(100, 40'000),
                 .ends_at = fakes_.clock().steady() + fakes_.some(40'000, 400'000),
                 .errs = fakes_.strikes(Chaos::engine_fails, 6)};
      ++fakes_.ledger().torrents[order.job.value];
      fakes_.act({.kind = Act::Kind::add_torrent, .job = order.job, .of = &inbox});
      fakes_.ledger().present.insert(order.job.value);
    }
    if (fakes_.strikes(Chaos::lost_replies, 6)) return;
    fakes_.tell(inbox, order, Accepted{.handle = "hash-" + std::to_string(order.job.value)},
                fakes_.some(10, 500));
  }

  void look(std::span<const Order> orders, Inbox& inbox) override {
    const bool unreachable = fakes_.strikes(Chaos::engine_vanishes, 5);
    for (const Order& order : orders) asked(order);
    for (const Order& order : orders)
      fakes_.tell(inbox, order, see(order, unreachable), Millis{20});
  }

  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    asked(order);
    if (fakes_.strikes(Chaos::engine_vanishes, 4)) return;  // No answer: the worker asks again.
    torrents_[order.job.value].present = false;
    fakes_.ledger().present.erase(order.job.value);
    fakes_.tell(inbox, order, Stopped{}, fakes_.some(10, 1'500));
  }

 private:
  struct Torrent {
    bool present = false;
    Steady moves_at;
    Steady ends_at;
    bool errs = false;
  };

  void asked(const Order& order) {
    fakes_.ledger().looked[order.job.value] = fakes_.clock().steady();
  }

  What see(const Order& order, bool unreachable) {
    if (unreachable) return Unseen{.code = "client_unreachable"};
    Torrent& torrent = torrents_[order.job.value];
    if (torrent.present && fakes_.strikes(Chaos::engine_vanishes, 60)) {
      torrent.present = false;
      fakes_.ledger().present.erase(order.job.value);
    }
    auto& missing = fakes_.ledger().missing_first;
    if (!torrent.present) {
      missing.try_emplace(order.job.value, fakes_.clock().steady());
      return Missing{};
    }
    missing.erase(order.job.value);
    const Steady now = fakes_.clock().steady();
    if (now < torrent.moves_at) return Waiting{.detail = "metadata"};
    if (now < torrent.ends_at) return Moving{.have = 1};
    if (torrent.errs) return Failed{.fault = {FaultKind::permanent, "engine_error", ""}};
    fakes_.ledger().fetched.insert(order.job.value);
    return Finished{.path = "/downloads/" + std::to_string(order.job.value),
                    .size = 1000,
                    .evidence = R"({"size":1000})"};
  }

  Fakes& fakes_;
  std::map<std::int64_t, Torrent> torrents_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_client(Fakes& fakes) {
  return std::make_unique<FakeClient>(fakes);
}

}  // namespace haul::sim
