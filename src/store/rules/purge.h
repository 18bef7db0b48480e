#pragma once
// The rules of removing a deleted job's files, as pure functions.

#include <optional>

#include "lifecycle/table.h"
#include "store/purges.h"
#include "store/rules/event_data.h"

namespace haul::rules {

// Whether jobs of this lifecycle have files in the download folder, each with a receipt. The files
// of other lifecycles are a client's or a library's, or on another machine.
bool has_own_files(const Lifecycle& lifecycle);

// Whether a wish begins a purge. One that goes on is not begun again, nor one that has removed all.
// Another one may find the rest: on a disk that was not mounted, or no longer needed.
bool begins_purge(const std::optional<Purge>& known);

Note purge_asked_note();
// {"removed":2,"bytes":10,"gone":0,"kept":1,"reasons":["/in/a: it was changed"]}
Note purged_note(const Purge& purge);

}  // namespace haul::rules
