#include "engine/choose/clients.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/json.h"
#include "base/request_value.h"
#include "base/text.h"

namespace haul::choose {
namespace {

// Empty if the request names none.
std::string engine_of(const Order& order) {
  ensure(!order.request.text().empty(), "an order has the request that names its client");
  const auto fields = read_object(order.request.text());
  if (!fields) return {};
  for (const JsonField& field : *fields)
    if (field.name == "engine" && !is_unset(field)) return field.text;
  return {};
}

class ChoosingClient final : public RemoteEngine {
 public:
  explicit ChoosingClient(std::vector<NamedClient> clients) : clients_{std::move(clients)} {
    ensure(!clients_.empty(), "there is a client to choose");
  }

  void start(Order order, Inbox& inbox) override {
    if (RemoteEngine* client = client_of(order, inbox)) client->start(std::move(order), inbox);
  }

  // Each client gets all its orders in one call.
  void look(std::span<const Order> orders, Inbox& inbox) override {
    std::vector<std::vector<Order>> shares(clients_.size());
    for (const Order& order : orders)
      if (const auto which = index_of(engine_of(order)))
        shares[*which].push_back(order);
      else
        refuse(order, inbox);
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (!shares[i].empty()) clients_[i].client.look(shares[i], inbox);
  }

  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    if (RemoteEngine* client = client_of(order, inbox)) client->stop(order, leftovers, inbox);
  }
  void list(const Order& order, Inbox& inbox) override {
    if (RemoteEngine* client = client_of(order, inbox)) client->list(order, inbox);
  }
  void release(const Order& order, Inbox& inbox) override {
    if (RemoteEngine* client = client_of(order, inbox)) client->release(order, inbox);
  }

  Lack not_ready(std::string_view engine) const override {
    const auto which = index_of(engine);
    if (which) return clients_[*which].client.not_ready(engine);
    return {no_such(engine), Lack::Remedy::none};
  }

 private:
  static std::string no_such(std::string_view engine) {
    return fmt::format("haul has no engine {} for such jobs", printable(engine));
  }

  static void refuse(const Order& order, Inbox& inbox) {
    const Fault fault{FaultKind::permanent, "unknown_engine", no_such(engine_of(order))};
    inbox.push({order.job, order.item, order.fence, order.start,
                Failed{.fault = fault, .checkpoint = {}}});
  }

  std::optional<std::size_t> index_of(std::string_view engine) const {
    if (engine.empty()) return 0;
    const auto found = std::ranges::find(clients_, engine, &NamedClient::name);
    if (found == clients_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - clients_.begin());
  }

  // Null if the order names none of them. Then it has failed.
  RemoteEngine* client_of(const Order& order, Inbox& inbox) const {
    const auto which = index_of(engine_of(order));
    if (which) return &clients_[*which].client;
    refuse(order, inbox);
    return nullptr;
  }

  const std::vector<NamedClient> clients_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_choosing_client(std::vector<NamedClient> clients) {
  return std::make_unique<ChoosingClient>(std::move(clients));
}

}  // namespace haul::choose
