#pragma once
// The six built-in tables: five kinds of job, and the items of a batch.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lifecycle/table.h"

namespace haul {

extern const Lifecycle kBook;
extern const Lifecycle kMedia;
extern const Lifecycle kBatch;
extern const Lifecycle kItem;
extern const Lifecycle kRelay;
extern const Lifecycle kImage;

// The six, in the order of their documents, and then those of OwnLifecycle.
std::span<const Lifecycle* const> all_lifecycles();

// Whether it is the lifecycle of another one's items. Then no job has it.
bool is_item(const Lifecycle& lifecycle);

// The names of the lifecycles for a message: "book, media, batch, relay or image".
enum class NamesOf : std::uint8_t { all, jobs };  // jobs: without those of items.
std::string lifecycle_names(NamesOf which);

// Finds a table by its exact name; nullptr if there is none.
const Lifecycle* find_lifecycle(std::string_view name);

// Registers another lifecycle while this object lives. Its name must be new. Create it before
// opening a store or starting a thread, because all of them read the list without a lock.
class OwnLifecycle {
 public:
  explicit OwnLifecycle(const Lifecycle& table);
  ~OwnLifecycle();
  OwnLifecycle(const OwnLifecycle&) = delete;
  OwnLifecycle& operator=(const OwnLifecycle&) = delete;

 private:
  const Lifecycle& table_;
};

}  // namespace haul
