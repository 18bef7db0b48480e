#pragma once
// Stands in for engines and sinks that this process does not have: every call fails with the fault
// not_configured.

#include "seam/engine.h"
#include "seam/sink.h"

namespace haul {

class Absent final : public Engine, public Sink {
 public:
  void plan(const Order& order, Inbox& inbox) override { refuse(order, inbox); }
  void start(Order order, Inbox& inbox) override { refuse(order, inbox); }
  void land(const Order& order, Inbox& inbox) override { refuse(order, inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override {
    for (const Order& order : orders) refuse(order, inbox);
  }
  void stop(const Order& order, Parts, Inbox& inbox) override { refuse(order, inbox); }
  void land(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void verify(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }

 private:
  static Failed not_here() {
    return {.fault = {FaultKind::environment, "not_configured", "nothing here does that"},
            .checkpoint = {}};
  }
  static void refuse(const Order& order, Inbox& inbox) {
    inbox.push({order.job, order.item, order.fence, order.start, not_here()});
  }
  static void refuse(const Parcel& parcel, Inbox& inbox) {
    inbox.push({parcel.job, 0, parcel.fence, 0, not_here()});
  }
};

}  // namespace haul
