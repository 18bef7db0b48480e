#pragma once
// The notes of a job: events besides its moves. Their types, and what they say as JSON text: the
// fields that the documents fix, in their order. Secrets in text from outside are left out, because
// a backup has the events as they are.

#include <optional>
#include <string>
#include <string_view>

#include "store/catalog.h"
#include "store/items.h"
#include "store/rules/item.h"
#include "store/rules/move.h"

namespace haul::rules {

// What a user asked for.
struct Requested {
  const RequestForm& form;    // Says which fields of the request are addresses, and so on.
  std::string_view request;   // JSON in canonical form.
  std::string_view engine{};  // Empty: the request's own, or "auto".
};
Note added_note(const Requested& requested);
Note started_note(const Requested& requested);

Note error_note(const NoteError& error);
Note cancelled_note();
Note done_note(std::string_view state, const Counts& counts);
Note progress_note(const Counts& counts);

struct EndedItem {
  std::string_view key;
  std::optional<std::string_view> path;  // Nothing if there is no file.
  ItemCount counted = ItemCount::none;
};
Note item_done_note(const EndedItem& item);

// Whether an act of the job took effect is unknown for good.
Note outcome_unknown_note(std::string_view act, std::string_view why);

// An asset that was available. Missing fields are null in the note.
struct LostAsset {
  FileId id;
  std::optional<std::string_view> book;
  std::string_view media_type;
  std::optional<std::string_view> path;
  AssetLoss loss = AssetLoss::deleted;
};
// The status of the asset afterwards.
std::string_view status_after(AssetLoss loss);
Note asset_lost_note(const LostAsset& asset);

}  // namespace haul::rules
