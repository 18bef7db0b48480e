#pragma once
// The work on held batches, in five files: plan.cc enumerates items, listing.cc handles listings
// that fail, ready.cc reads the items that may start, start.cc starts them, transfer.cc handles
// their transfers.

#include <map>
#include <string>

#include "flow/batch/fetch.h"
#include "flow/batch/settings.h"

namespace haul::flow {

struct Batch {
  Desk& desk;
  ItemEngine& engine;  // Lists and fetches the items.
  const BatchSettings settings{};
  std::map<std::string, JobId> host_turns{};  // By host: the last job that started an item.
};

inline Fetch& fetch_of(const Held& held) { return static_cast<Fetch&>(*held.own); }

// The reason of a batch that is given back because it waits for its host, or for its own delay
// there.
inline constexpr const char* kHostWait = "host_wait";
// A job that waits longer than this for its own delay leaves the host's lane to other jobs.
inline constexpr Millis kOwnWait{1'000};

// Finds out the items of a job, by a listing if the store does not have them all.
void plan(Batch& batch, Held& held);
void begin_listing(Batch& batch, Held& held);
// The engine found items.
void take_plan(Batch& batch, Held& held, const Planned& planned);
// The running listing is over. Gives its slots back.
void end_listing(Batch& batch, Held& held);
// haul chose an engine for a request that names none.
void take_choice(Batch& batch, Held& held, const Chosen& chosen);

// Handles a listing that failed, at once or after its first items.
void see_listing_failed(Batch& batch, Held& held, const Failed& failed);
// Repeats a failed listing if it is time.
void list_again(Batch& batch, Held& held);
// Gives the listing up if earlier leases have used up its tries. haul then fetches only the items
// found so far. False if a try is left.
bool give_up_listing(Batch& batch, Held& held);

// Reads the next items from the store, unless enough are in hand.
void read_ahead(Batch& batch, Held& held);
// The item may start as soon as its host has a slot.
void make_ready(Fetch& fetch, Item item);
// Makes the items ready whose wait is over.
void end_waits(Batch& batch, Fetch& fetch);

// Starts due items within the limits, writes their changes, and ends a job when all its items are
// done. Handles all held batches together, because they take turns at a host's slots.
void transfer_items(Batch& batch);
// The host that holds back all work of the job, for longer than requests are apart anyway. Empty if
// there is none.
std::string waited_host(const Batch& batch, const Held& held);
// Starts items that are ready, host by host; one item of each job in turn.
void start_items(Batch& batch);
// Handles a sight of an item or a listing. Moves what it needs out of the sight.
void see_batch(Batch& batch, Held& held, Sight& sight);
// Ends the job if all its items are done.
void end_if_done(Batch& batch, Held& held);
// Writes the collected changes of items, then lands the fetched ones, unless the job is being
// stopped. Drops the job if the lease is lost.
void write_items(Batch& batch, Held& held);
// Releases the lease because of an environment fault. What was fetched stays.
void release_batch(Batch& batch, Held& held, const Fault& fault);
// Tells the engine to stop the listing and the transfers, and gives their slots back.
void stop_transfers(Batch& batch, Held& held, Leftovers leftovers);

// What an engine needs to recognise an item it has started, and what it needs to fetch one.
Order item_name(const Batch& batch, const Held& held, const Transfer& transfer);
Order item_order(const Batch& batch, const Held& held, const Transfer& transfer);

}  // namespace haul::flow
