#pragma once
// The actions of a worker. All of them act through the desk.

#include "flow/desk.h"

namespace haul {

// Claims or adopts due jobs, lane by lane in turn, and begins their step.
void claim(Desk& desk);
// The same, for crowded lanes in which a job has just ended.
void refill(Desk& desk);
// How many jobs the worker can hold, and how many more it can take now.
Capacity capacity_of(const Desk& desk);
// Puts claimed jobs on the desk and begins their step.
void take_claimed(Desk& desk, std::span<const Claim> claims);

// Why a batch is given back that waits for its host, or for its own delay there.
inline constexpr const char* kHostWait = "host_wait";
// Longer waits for the job's own delay leave the host's lane to others.
inline constexpr Millis kOwnWait{1'000};

// Batch: asks the engine what there is, and takes what it found.
void plan(Desk& desk, Held& held);
void begin_listing(Desk& desk, Held& held);
void take_plan(Desk& desk, Held& held, const Planned& planned);
void end_planning(Desk& desk, Held& held);
// Batch: handles a listing that failed, at once or after its first items, and repeats it when due.
void see_listing_failed(Desk& desk, Held& held, const Failed& failed);
void list_again(Desk& desk, Held& held);
// Whether earlier leases have used up the tries of the listing. Then haul fetches only the items
// found so far.
bool has_given_up(Desk& desk, Held& held);
void take_choice(Desk& desk, Held& held, const Chosen& chosen);

// Batch: starts due items within the limits, writes their changes, and ends a job when all its
// items are done. Handles all held batches together, because they take turns at a host's places.
void transfer_items(Desk& desk);
// Starts items that are ready, host by host; one item of each job in turn.
void start_items(Desk& desk);
// What an engine needs to recognise an item it has started, and what it needs to fetch one.
Order item_name(const Desk& desk, const Held& held, const Transfer& transfer);
Order item_order(const Desk& desk, const Held& held, const Transfer& transfer);
// Handles a sight of a batch. Moves what it needs out of the sight.
void see_item(Desk& desk, Held& held, Sight& sight);
// Ends the job if all its items are done.
void end_if_done(Desk& desk, Held& held);
// Writes the collected changes of items, then lands the fetched ones. Drops the job if the lease is
// lost.
void write_items(Desk& desk, Held& held);
// Releases the lease because of an environment fault or a failed listing. What was fetched stays.
void release_batch(Desk& desk, Held& held, const Fault& fault);

// Book and media: hands new jobs to the client, asks about the others, and judges its answers.
void watch_client(Desk& desk, const Lifecycle& lifecycle);
void see_client(Desk& desk, const Job& job, const What& what);

// Relay: sends a file from the disk into the chat.
void relay(Desk& desk, Held& held);
void see_relay(Desk& desk, Held& held, const What& what);

// Image: makes one paid call and keeps the image in the bucket.
void generate(Desk& desk, Held& held);
void see_image(Desk& desk, Held& held, const What& what);

// Media: imports the file into the library, verifies it, then cleans the source.
void land(Desk& desk, Held& held);
void prove(Desk& desk, Held& held);
void clean(Desk& desk, Held& held, const Receipt& receipt);
void see_media(Desk& desk, Held& held, const What& what);

// Handles users' open cancels and pauses of jobs that a worker or a client must stop first.
void see_wishes(Desk& desk);
void see_cancels(Desk& desk);
void see_pauses(Desk& desk);
// Removes what ended batches left on the disk. The wish for it is settled when that is done.
void see_clears(Desk& desk);
void see_cleared(Desk& desk, JobId job);
// Stops a batch; it is cancelled or paused when nothing of it goes on any more.
void stop_batch(Desk& desk, Held& held, Parts parts);
void end_stopping(Desk& desk, Held& held);
void cancel_stopped(Desk& desk, Held& held);
void pause_stopped(Desk& desk, Held& held);

}  // namespace haul
