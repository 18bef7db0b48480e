// A fake torrent client. It outlives workers, forgets torrents, reports errors, answers by tag, and
// shares a film for a while before it lets go of it.

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
                 .shares_for = fakes_.some(0, 300'000),
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

  void list(const Order& order, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::lost_replies, 8)) return;
    fakes_.tell(inbox, order, see_files(order), fakes_.some(10, 500));
  }

  void release(const Order& order, Inbox& inbox) override {
    Torrent& torrent = torrents_[order.job.value];
    const Steady shared_until = torrent.ends_at + torrent.shares_for;
    const Steady now = fakes_.clock().steady();
    if (fakes_.strikes(Chaos::engine_vanishes, 5))
      return fakes_.tell(inbox, order,
                         Failed{.fault = {FaultKind::retryable, "client_unreachable", ""}},
                         Millis{500});
    if (torrent.present && now < shared_until)
      return fakes_.tell(inbox, order, Seeding{.left = shared_until - now, .detail = "sharing"},
                         Millis{20});
    torrent.present = false;
    fakes_.ledger().present.erase(order.job.value);
    if (fakes_.strikes(Chaos::lost_replies, 6)) return;
    fakes_.tell(inbox, order, Released{}, fakes_.some(10, 500));
  }

 private:
  struct Torrent {
    bool present = false;
    Steady moves_at;
    Steady ends_at;
    Millis shares_for{0};  // After its end.
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
    for (std::int64_t n = 0; n <= order.job.value % 3; ++n)
      fakes_.ledger().films[order.job.value]["e" + std::to_string(n)].has_source = true;
    return Finished{.path = "/downloads/" + std::to_string(order.job.value),
                    .size = 1000,
                    .evidence = R"({"size":1000})"};
  }

  What see_files(const Order& order) {
    if (fakes_.strikes(Chaos::engine_vanishes, 5))
      return Failed{.fault = {FaultKind::retryable, "client_unreachable", ""}};
    auto& missing = fakes_.ledger().missing_first;
    if (!torrents_[order.job.value].present) {
      missing.try_emplace(order.job.value, fakes_.clock().steady());
      return Missing{};
    }
    missing.erase(order.job.value);
    Listed listed;
    for (const auto& [name, file] : fakes_.ledger().films[order.job.value])
      listed.files.push_back(
          {.root = "/downloads",
           .path = std::to_string(order.job.value) + "/" + name,
           .device = 1,
           .inode = order.job.value * 10 + static_cast<std::int64_t>(listed.files.size()),
           .size = 1'000,
           .mtime_ns = 1});
    return listed;
  }

  Fakes& fakes_;
  std::map<std::int64_t, Torrent> torrents_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_client(Fakes& fakes) {
  return std::make_unique<FakeClient>(fakes);
}

}  // namespace haul::sim
