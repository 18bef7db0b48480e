#pragma once
// Forwards to an engine that is created later. A worker needs its engines before they exist,
// because an engine needs the worker's gate.

#include <memory>
#include <utility>

#include "seam/engine.h"

namespace haul {

class Forward final : public Engine {
 public:
  explicit Forward(const std::unique_ptr<Engine>& to) : to_{to} {}

  void plan(const Order& order, Inbox& inbox) override { to_->plan(order, inbox); }
  void start(Order order, Inbox& inbox) override { to_->start(std::move(order), inbox); }
  void land(const Order& order, Inbox& inbox) override { to_->land(order, inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override { to_->look(orders, inbox); }
  void stop(const Order& order, Parts parts, Inbox& inbox) override {
    to_->stop(order, parts, inbox);
  }

 private:
  const std::unique_ptr<Engine>& to_;
};

}  // namespace haul
