#pragma once
// Stands in for an engine or a sink that this process does not have. Every call fails with the
// fault not_configured, whose detail says what it lacks.

#include <string>
#include <utility>

#include "seam/engine.h"
#include "seam/sink.h"

namespace haul {

inline constexpr const char* kNotConfigured = "not_configured";

class NotConfigured final : public ItemEngine, public RemoteEngine, public Sink {
 public:
  // "configure engine.qbittorrent.url".
  explicit NotConfigured(std::string text, Lack::Remedy remedy = Lack::Remedy::configure)
      : lack_{std::move(text), remedy} {}

  Lack not_ready(std::string_view) const override { return lack_; }
  Lack not_ready() const override { return lack_; }

  void plan(const Order& order, Inbox& inbox) override { refuse(order, inbox); }
  void start(Order order, Inbox& inbox) override { refuse(order, inbox); }
  void land(const Order& order, Inbox& inbox) override { refuse(order, inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override {
    for (const Order& order : orders) refuse(order, inbox);
  }
  void stop(const Order& order, Leftovers, Inbox& inbox) override { refuse(order, inbox); }
  void list(const Order& order, Inbox& inbox) override { refuse(order, inbox); }
  void release(const Order& order, Inbox& inbox) override { refuse(order, inbox); }
  void land(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void verify(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void stop(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  ImportPreview preview(const Parcel&) const override {
    return {.files = {}, .problem = ImportProblem{kNotConfigured, lack_.text}};
  }

 private:
  Failed fault() const {
    return {.fault = {FaultKind::environment, kNotConfigured, lack_.text}, .checkpoint = {}};
  }
  void refuse(const Order& order, Inbox& inbox) const {
    inbox.push({order.job, order.item, order.fence, order.start, fault()});
  }
  void refuse(const Parcel& parcel, Inbox& inbox) const {
    inbox.push({parcel.job, 0, parcel.fence, 0, fault()});
  }

  const Lack lack_;
};

}  // namespace haul
