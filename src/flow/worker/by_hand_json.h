#pragma once
// What a user said by hand about the files of a job, as the store keeps it:
// {"as":"S01","files":{"a.mkv":"S01E02"}}.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seam/by_hand.h"
#include "store/intents.h"

namespace haul::flow {

std::string by_hand_json(std::span<const ByHand> said);
// Empty if the text is no such JSON.
std::vector<ByHand> read_by_hand(std::string_view json);

// What a user said last about the files of a job, whether or not a worker has read it.
std::vector<ByHand> last_said(Intents& intents, JobId job);

}  // namespace haul::flow
