#pragma once
// What the events of a job say, as JSON text: the fields that the documents fix, in their order.
// Secrets in text from outside are left out, because a backup has the events as they are.

#include <optional>
#include <string>
#include <string_view>

#include "store/items.h"
#include "store/rules/item.h"
#include "store/rules/move.h"

namespace haul::rules {

// What a user asked for.
struct Requested {
  std::string_view request;   // JSON in canonical form.
  std::string_view engine{};  // Empty: the request's own, or "auto".
};
std::string added_data(const Requested& requested);    // JOB_ADDED
std::string started_data(const Requested& requested);  // JOB_STARTED

std::string error_data(const NoteError& error);                       // JOB_ERROR
std::string done_data(std::string_view state, const Counts& counts);  // JOB_DONE
std::string progress_data(const Counts& counts);                      // JOB_PROGRESS

struct EndedItem {
  std::string_view key;
  std::optional<std::string_view> path;  // Nothing if there is no file.
  ItemCount counted = ItemCount::none;
};
std::string item_done_data(const EndedItem& item);  // ITEM_DONE

}  // namespace haul::rules
