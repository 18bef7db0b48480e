#pragma once
// Reports the troubles of the daemon's parts, once when one begins and once when it ends: to the
// log, and to /health/ready.

#include <optional>
#include <string>

#include "api/live/live_progress.h"
#include "app/log.h"
#include "base/fault.h"
#include "flow/worker/outage.h"

namespace haul::app {

class TroubleReports {
 public:
  TroubleReports(const Log& log, api::LiveProgress& progress) : log_{log}, progress_{progress} {}

  // Programs run without a whole sandbox on this kernel.
  void see_sandbox();
  // The torrent client has this fault. Null if its last one is over. Call from any thread.
  void see_client(const Fault* fault);
  // The same for the media server or the provider of images with this name.
  void see_server(const std::string& name, const Fault* fault);
  // The store accepts no writes. Nothing if it does. Call as often as you like.
  void see_outage(const std::optional<flow::Outage>& outage);

 private:
  const Log& log_;
  api::LiveProgress& progress_;
  bool in_outage_ = false;  // As last reported.
};

}  // namespace haul::app
