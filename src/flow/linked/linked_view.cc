#include "flow/linked/linked_view.h"

namespace haul::flow {
namespace {

bool is_whole(const Job& job, const Counts& counts) {
  return job.state().end == End::good && counts.enumerated && counts.downloaded > 0 &&
         counts.downloaded == counts.total;
}

LinkedJob::Is state_of(const LinkedFacts& facts) {
  switch (facts.job.state().end) {
    case End::open:
      return facts.job.worker ? LinkedJob::Is::fetching : LinkedJob::Is::waiting;
    case End::good:
      return is_whole(facts.job, facts.counts) ? LinkedJob::Is::whole : LinkedJob::Is::failed;
    case End::bad:
      return LinkedJob::Is::failed;
    case End::stopped:
      return LinkedJob::Is::cancelled;
  }
  return LinkedJob::Is::failed;  // Not reached: the switch is complete.
}

// The sum, if the size of every item is known.
std::optional<std::int64_t> size_of(const LinkedFacts& facts) {
  if (!facts.counts.enumerated || facts.items.empty()) return std::nullopt;
  std::int64_t size = 0;
  for (const Item& item : facts.items) {
    if (!item.size) return std::nullopt;
    size += *item.size;
  }
  return size;
}

// The first item that says why it is missing.
const Item* missing_item(std::span<const Item> items) {
  for (const Item& item : items)
    if (!item.reason.empty()) return &item;
  return nullptr;
}

}  // namespace

LinkedJob linked_view(const LinkedFacts& facts) {
  LinkedJob view{.id = facts.job.version.id,
                 .is = state_of(facts),
                 .size = size_of(facts),
                 .reason = facts.job.paused ? "paused" : facts.job.reason,
                 .detail = facts.job.detail};
  for (const Item& item : facts.items) view.have += item.have;
  const Item* missing = missing_item(facts.items);
  if (view.is == LinkedJob::Is::failed && view.reason.empty() && missing) {
    view.reason = missing->reason;
    view.detail = missing->detail;
  }
  return view;
}

}  // namespace haul::flow
