#pragma once
// Forward to an engine or a sink that is created later. A worker needs its engines before they
// exist, because an engine needs the worker's gate. Call nothing here before the target exists.
// What a call must name is checked here, where all calls from the flow pass.

#include <memory>
#include <utility>

#include "base/ensure.h"
#include "seam/engine.h"
#include "seam/sink.h"

namespace haul {

class ForwardItems final : public ItemEngine {
 public:
  explicit ForwardItems(const std::unique_ptr<ItemEngine>& to) : to_{to} {}

  void plan(const Order& order, Inbox& inbox) override {
    ensure(order.job && order.item == 0 && order.start != 0, "a listing is one start of a job");
    to().plan(order, inbox);
  }
  void start(Order order, Inbox& inbox) override {
    ensure_item(order);
    to().start(std::move(order), inbox);
  }
  void land(const Order& order, Inbox& inbox) override {
    ensure_item(order);
    to().land(order, inbox);
  }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    ensure(static_cast<bool>(order.job), "what is stopped belongs to a job");
    to().stop(order, leftovers, inbox);
  }
  Lack not_ready(std::string_view engine) const override { return to().not_ready(engine); }

 private:
  static void ensure_item(const Order& order) {
    ensure(order.job && order.item > 0 && order.start > 0, "a transfer is one start of an item");
  }
  ItemEngine& to() const {
    ensure(to_ != nullptr, "an engine is called only while it exists");
    return *to_;
  }

  const std::unique_ptr<ItemEngine>& to_;
};

class ForwardRemote final : public RemoteEngine {
 public:
  explicit ForwardRemote(const std::unique_ptr<RemoteEngine>& to) : to_{to} {}

  void start(Order order, Inbox& inbox) override {
    ensure_job(order);
    to().start(std::move(order), inbox);
  }
  std::string handle_for(const Order& order) const override { return to().handle_for(order); }
  void look(std::span<const Order> orders, Inbox& inbox) override {
    for (const Order& order : orders) ensure_job(order);
    to().look(orders, inbox);
  }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    ensure_job(order);
    to().stop(order, leftovers, inbox);
  }
  void list(const Order& order, Inbox& inbox) override {
    ensure_leased(order);
    to().list(order, inbox);
  }
  void release(const Order& order, Inbox& inbox) override {
    ensure_leased(order);
    to().release(order, inbox);
  }
  Lack not_ready(std::string_view engine) const override { return to().not_ready(engine); }

 private:
  static void ensure_leased(const Order& order) {
    ensure_job(order);
    ensure(order.fence > 0, "a complete transfer is listed and released under a lease");
  }
  static void ensure_job(const Order& order) {
    ensure(order.job && order.item == 0, "a remote engine works for a whole job");
  }
  RemoteEngine& to() const {
    ensure(to_ != nullptr, "an engine is called only while it exists");
    return *to_;
  }

  const std::unique_ptr<RemoteEngine>& to_;
};

class ForwardSink final : public Sink {
 public:
  explicit ForwardSink(const std::unique_ptr<Sink>& to) : to_{to} {}

  void land(const Parcel& parcel, Inbox& inbox) override { for_parcel(parcel).land(parcel, inbox); }
  bool is_usable(const Parcel& parcel, Inbox& inbox) override {
    return for_parcel(parcel).is_usable(parcel, inbox);
  }
  void verify(const Parcel& parcel, Inbox& inbox) override {
    for_parcel(parcel).verify(parcel, inbox);
  }
  void clean(const Parcel& parcel, Inbox& inbox) override {
    ensure(!parcel.placed.empty(), "a source is removed only after its copies landed");
    for (const SourceFile& source : parcel.sources)
      ensure(source.root.starts_with('/') && !source.path.empty() && !source.path.starts_with('/'),
             "a source lies beneath its root");
    for_parcel(parcel).clean(parcel, inbox);
  }
  void stop(const Parcel& parcel, Inbox& inbox) override { for_parcel(parcel).stop(parcel, inbox); }
  ImportPreview preview(const Parcel& parcel) const override { return to().preview(parcel); }
  Lack not_ready() const override { return to().not_ready(); }
  Lack lack_for(std::string_view request) const override { return to().lack_for(request); }

 private:
  Sink& for_parcel(const Parcel& parcel) const {
    ensure(parcel.job && parcel.fence > 0, "a sink works for a job under a lease");
    return to();
  }
  Sink& to() const {
    ensure(to_ != nullptr, "a sink is called only while it exists");
    return *to_;
  }

  const std::unique_ptr<Sink>& to_;
};

}  // namespace haul
