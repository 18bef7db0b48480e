#pragma once
// Users' words about jobs that wait: a job goes on at once when its user has said something new.

#include "flow/worker/desk.h"

namespace haul::flow {

// Ends the waits of held jobs whose users said something about their files. The handler reads it
// when the job goes on. Settles what was said about jobs that have ended.
void hear_users(Desk& desk);

}  // namespace haul::flow
