// Fake servers for batch and relay, and a fake of the paid image provider.

#include <algorithm>

#include "base/host.h"
#include "sim/fakes.h"

namespace haul::sim {
namespace {

// A parser of its own: the oracle must not use the code whose limits it checks.
std::string host_in(const std::string& url) {
  const std::size_t from = url.find("://") + 3;
  return url.substr(from, url.find('/', from) - from);
}

class FakeHttp final : public ItemEngine {
 public:
  explicit FakeHttp(Fakes& fakes) : fakes_{fakes} {}

  void plan(const Order& order, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 12))
      return fakes_.tell(inbox, order, Failed{.fault = fakes_.some_fault()}, fakes_.some(10, 900));
    Planned planned;
    const std::uint64_t count = order.job.value % 5;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string key = std::to_string(order.job.value) + "-" + std::to_string(i);
      planned.items.push_back({.key = key,
                               .url = "https://host" + std::to_string(i % 2) + ".example/" + key,
                               .skip = i == 3 ? "excluded_extension" : ""});
    }
    fakes_.ledger().listed[order.job.value] = std::ssize(planned.items);
    fakes_.tell(inbox, order, planned, fakes_.some(10, 900));
  }

  void start(Order order, Inbox& inbox) override {
    const Millis takes = fakes_.some(100, 20'000);
    const Steady now = fakes_.clock().steady();
    fakes_.ledger().requests[host_in(order.url)].push_back({now, now + takes, &inbox, order.job});
    fakes_.tell(inbox, order, Moving{.have = 1}, takes / 2);
    if (fakes_.strikes(Chaos::engine_fails, 4))
      fakes_.tell(inbox, order, Failed{.fault = fakes_.some_fault()}, takes);
    else
      fakes_.tell(inbox, order, Fetched{.path = path_of(order), .size = 10, .checkpoint = "{}"},
                  takes);
  }

  void land(const Order& order, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 8))
      return fakes_.tell(inbox, order, Failed{.fault = fakes_.some_fault()}, Millis{5});
    fakes_.ledger().landed.emplace(order.job.value, order.item);
    fakes_.tell(inbox, order,
                Finished{.path = path_of(order), .size = 10, .evidence = R"({"size":10})"},
                fakes_.some(1, 500));
  }

  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    const Steady now = fakes_.clock().steady();
    for (auto& [host, spans] : fakes_.ledger().requests)
      for (Span& span : spans)
        if (span.job == order.job) span.to = std::min(span.to, std::max(now, span.from));
    fakes_.tell(inbox, order, Stopped{}, Millis{10});
  }

 private:
  static std::string path_of(const Order& order) {
    return "/in/" + std::to_string(order.job.value) + "." + std::to_string(order.item);
  }

  Fakes& fakes_;
};

class FakeDisk final : public RemoteEngine {
 public:
  explicit FakeDisk(Fakes& fakes) : fakes_{fakes} {}
  void start(Order order, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 4))
      return fakes_.tell(inbox, order, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 5'000));
    fakes_.tell(inbox, order, reading(order), fakes_.some(50, 5'000));
  }
  void look(std::span<const Order>, Inbox&) override {}
  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    fakes_.tell(inbox, order, Stopped{}, Millis{10});
  }

 private:
  // Many files have the same content as another.
  static Moving reading(const Order& order) {
    const std::string content(64, static_cast<char>('a' + order.job.value % 3));
    Moving moving{.have = 1, .size = 1'000, .path = {}, .checkpoint = {}};
    moving.checkpoint = R"({"name":"file","size":1000,"sha256":")" + content + "\"}";
    return moving;
  }

  Fakes& fakes_;
};

// Charges when a call starts and answers later. A look at a call never charges. A call that was
// stopped by its handle is gone.
class FakeImages final : public RemoteEngine {
 public:
  explicit FakeImages(Fakes& fakes) : fakes_{fakes} {}

  void start(Order order, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 5))
      return fakes_.tell(inbox, order, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 3'000));
    fakes_.act({.kind = Act::Kind::charge, .job = order.job, .of = &inbox});
    ++fakes_.ledger().charged[order.job.value];
    const std::string handle = "call-" + std::to_string(++calls_);
    if (fakes_.strikes(Chaos::lost_replies, 6))
      return fakes_.tell(
          inbox, order,
          Failed{.fault = {FaultKind::retryable, "timeout", ""}, .outcome_unknown = true},
          Millis{30'000});
    fakes_.tell(inbox, order, Accepted{.handle = handle}, Millis{100});
    fakes_.tell(inbox, order, ending(order), fakes_.some(1'000, 30'000));
  }

  void look(std::span<const Order> orders, Inbox& inbox) override {
    for (const Order& order : orders) {
      const bool is_gone = stopped_.contains(order.handle);
      fakes_.tell(inbox, order, is_gone ? What{Missing{}} : ending(order), fakes_.some(100, 3'000));
    }
  }
  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    if (!order.handle.empty()) {
      stopped_.insert(order.handle);
      fakes_.ledger().calls_stopped.insert(order.job.value);
    }
    fakes_.tell(inbox, order, Stopped{}, Millis{10});
  }

 private:
  What ending(const Order& order) {
    if (order.job.value % 7 == 3) return Failed{.fault = {FaultKind::rejected, "safety_block", ""}};
    if (fakes_.strikes(Chaos::engine_fails, 5)) return Failed{.fault = fakes_.some_fault()};
    return Finished{.path = "https://provider.example/image", .size = 5, .evidence = "{}"};
  }

  Fakes& fakes_;
  int calls_ = 0;
  std::set<std::string> stopped_;  // Handles.
};

}  // namespace

std::unique_ptr<ItemEngine> make_http(Fakes& fakes) { return std::make_unique<FakeHttp>(fakes); }
std::unique_ptr<RemoteEngine> make_disk(Fakes& fakes) { return std::make_unique<FakeDisk>(fakes); }
std::unique_ptr<RemoteEngine> make_images(Fakes& fakes) {
  return std::make_unique<FakeImages>(fakes);
}

}  // namespace haul::sim
