#pragma once
// Another link for an item of a batch whose own link has expired. Pure.

#include <expected>
#include <string>
#include <string_view>

#include "flow/worker/lifecycle_work.h"
#include "store/items.h"

namespace haul::flow {

// The item that goes on from this URL with what `item` has on the disk.
NewItem continued_at(const Item& item, const std::string& url);

// The request of a job with that one item. Only what belongs to the job or to this item stays; on
// another origin no header and no file with secrets, as after a redirect. Refused if a program
// fetched the item: then it has no link of its own.
std::expected<Relinked, Refusal> relink(std::string_view request, const Item& item,
                                        const std::string& url);

}  // namespace haul::flow
