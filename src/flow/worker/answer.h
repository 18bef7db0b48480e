#pragma once
// What a fault does to a job. The row of its state says it: on_fault if another attempt may help,
// on_fail if none can or none is left.

#include <optional>

#include "base/fault.h"
#include "flow/worker/settings.h"
#include "flow/worker/verdict.h"

namespace haul::flow {

// A step of a held job failed. A fault of haul's own environment costs no attempt. `wait` is how
// long the other side asked haul to wait (A3-12, A4-4): the next attempt is not due earlier.
Verdict answer(const Job& job, const Fault& fault, const Settings& settings, double chance,
               Millis wait = Millis{0});

// The same for a fault that no other attempt can help: always by on_fail.
Verdict answer_final(const Job& job, const Fault& fault, double chance = 0.5);

// Whether the job's state allows a cancel. A job may reach one that refuses it after the user has
// asked.
bool can_cancel(const Job& job);

// Carries out a user's cancel, which the job's state must allow. cancel() has checked the right to
// it when it recorded the wish. `also` is a guard that the caller has checked.
Verdict answer_cancel(std::optional<Guard> also = {});

// The wait of a job that no worker leases is over: another attempt, or the end.
Verdict answer_wait(const Job& job);

}  // namespace haul::flow
