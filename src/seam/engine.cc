#include "seam/engine.h"

namespace haul {
namespace {

void refuse(const Order& order, Inbox& inbox) {
  inbox.push({order.job, order.item, order.fence, order.start,
              Failed{.fault = {FaultKind::permanent, "not_supported",
                               "this engine can neither list nor release a transfer"},
                     .checkpoint = {}}});
}

}  // namespace

void RemoteEngine::list(const Order& order, Inbox& inbox) { refuse(order, inbox); }
void RemoteEngine::release(const Order& order, Inbox& inbox) { refuse(order, inbox); }

}  // namespace haul
