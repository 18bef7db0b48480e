#include "app/wiring/troubles.h"

#include "io/process/sandbox.h"

namespace haul::app {
namespace {

constexpr const char* kClient = "qbittorrent";

}  // namespace

void TroubleReports::see_sandbox() {
  const auto gap = io::sandbox_gap(io::landlock_version());
  if (!gap) return;
  log_.say(Level::warning, gap->code, {{"detail", gap->detail}});
  if (gap->code == "sandbox_missing") progress_.put_trouble("sandbox", gap->code, gap->detail);
}

void TroubleReports::see_client(const Fault* fault) {
  if (!fault) {
    log_.say(Level::info, "client_well", {{"client", kClient}});
    return progress_.put_trouble(kClient, {}, {});
  }
  log_.say(Level::warning, "client_trouble",
           {{"client", kClient}, {"reason", fault->code}, {"detail", fault->detail}});
  progress_.put_trouble(kClient, fault->code, fault->detail);
}

void TroubleReports::see_server(const std::string& name, const Fault* fault) {
  if (!fault) {
    log_.say(Level::info, "server_well", {{"server", name}});
    return progress_.put_trouble(name, {}, {});
  }
  log_.say(Level::warning, "server_trouble",
           {{"server", name}, {"reason", fault->code}, {"detail", fault->detail}});
  progress_.put_trouble(name, fault->code, fault->detail);
}

void TroubleReports::see_outage(const std::optional<flow::Outage>& outage) {
  if (outage.has_value() == in_outage_) return;
  in_outage_ = outage.has_value();
  if (!outage) {
    log_.say(Level::info, "store_well");
    return progress_.put_trouble(api::kStorePart, {}, {});
  }
  log_.say(Level::error, "store_outage", {{"reason", outage->code}, {"detail", outage->cause}});
  progress_.put_trouble(api::kStorePart, outage->code, outage->detail);
}

}  // namespace haul::app
