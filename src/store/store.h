#pragma once
// The interface to everything durable. tests/conformance pins its behaviour.

#include "store/access.h"
#include "store/catalog.h"
#include "store/deliveries.h"
#include "store/duties.h"
#include "store/events.h"
#include "store/identity.h"
#include "store/intents.h"
#include "store/items.h"
#include "store/jobs.h"
#include "store/ledger.h"
#include "store/limits.h"
#include "store/manifest.h"
#include "store/purges.h"
#include "store/reader.h"
#include "store/sealed.h"
#include "store/users.h"
#include "store/workers.h"

namespace haul {

class BotRows;
class Uptime;

class Store {
 public:
  virtual ~Store() = default;

  virtual Jobs& jobs() = 0;
  virtual Reader& reader() = 0;
  virtual Items& items() = 0;
  virtual Events& events() = 0;
  virtual Workers& workers() = 0;
  virtual Intents& intents() = 0;
  virtual Catalog& catalog() = 0;
  virtual Users& users() = 0;
  virtual Access& access() = 0;
  virtual Ledger& ledger() = 0;
  virtual Limits& limits() = 0;
  virtual Manifest& manifest() = 0;
  virtual Purges& purges() = 0;
  virtual Deliveries& deliveries() = 0;
  virtual Identity& identity() = 0;
  virtual Uptime& uptime() = 0;
  virtual Duties& duties() = 0;
  virtual Sealed& sealed() = 0;

  // Marks that no worker of this process can write, and so none can beat or give its leases back.
  // The mark outlives the process: the next one counts no attempt for the leases it finds. Setting
  // it needs no space on the disk.
  virtual void begin_outage() = 0;
  virtual void end_outage() = 0;
  virtual bool in_outage() const = 0;

  // What the Telegram bot keeps; see store/bot.h.
  virtual BotRows& bot() = 0;
};

}  // namespace haul
