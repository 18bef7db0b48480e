#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr const Lifecycle* kAll[] = {&kBook, &kMedia, &kBatch, &kItem, &kRelay, &kImage};

}  // namespace

std::span<const Lifecycle* const> all_lifecycles() { return kAll; }

const Lifecycle* find_lifecycle(std::string_view name) {
  for (const Lifecycle* table : kAll)
    if (table->name == name) return table;
  return nullptr;
}

}  // namespace haul
