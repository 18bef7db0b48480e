#pragma once
// What a worker does, one function per verb and one file each. All of them act through the desk.

#include "flow/desk.h"

namespace haul {

// Takes due jobs that are claimed or adopted, lane by lane in turn, and begins their step.
void claim(Desk& desk);
// The same in lanes where a job has just ended and more are due.
void refill(Desk& desk);
// What the worker can hold, and how much of it is free.
Capacity capacity_of(const Desk& desk);
// The same with what was claimed for us.
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
// Batch: a listing failed, at once or after its first items; and its next try, when that is due.
void see_listing_failed(Desk& desk, Held& held, const Failed& failed);
void list_again(Desk& desk, Held& held);
// Whether an earlier lease has tried the listing often enough; then only what was found is fetched.
bool has_given_up(Desk& desk, Held& held);
void take_choice(Desk& desk, Held& held, const Chosen& chosen);

// Batch: starts items that are due, as far as limits allow, and ends a job when all of its items
// are done. All held batches at once: a host's places go round them.
void transfer_items(Desk& desk);
// Starts items that are ready, host by host; one item of each job in turn.
void start_items(Desk& desk);
// What an engine needs to know the item again, and what it needs to fetch it.
Order item_name(const Desk& desk, const Held& held, const Transfer& transfer);
Order item_order(const Desk& desk, const Held& held, const Transfer& transfer);
// Takes what it needs out of the sight.
void see_item(Desk& desk, Held& held, Sight& sight);
// The job is done when each of its items is.
void end_if_done(Desk& desk, Held& held);
// Writes down what happened to items since the last time.
void write_items(Desk& desk, Held& held);
// Our surroundings failed: the lease goes back, and what was fetched stays.
void release_batch(Desk& desk, Held& held, const Fault& fault);

// Book and media: hands new jobs to the client, asks about the others, and judges its answers.
void watch_client(Desk& desk, const Lifecycle& lifecycle);
void see_client(Desk& desk, const Job& job, const What& what);

// Relay: from the disk into the chat.
void relay(Desk& desk, Held& held);
void see_relay(Desk& desk, Held& held, const What& what);

// Image: one paid call, into the bucket.
void generate(Desk& desk, Held& held);
void see_image(Desk& desk, Held& held, const What& what);

// Media: into the library, proven, then the source is cleaned.
void land(Desk& desk, Held& held);
void prove(Desk& desk, Held& held);
void clean(Desk& desk, Held& held, const Receipt& receipt);
void see_media(Desk& desk, Held& held, const What& what);

// Users' wishes to stop something that must be asked first, for good or for now.
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
