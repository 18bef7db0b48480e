#include "engine/http/download_rules.h"

namespace haul::http {

// A reply that does not give an extra connection its range says nothing about the others. They go
// on, so that no bytes of two versions are joined.
HeadStep judge_head(const HeadSeen& seen) {
  if (seen.meaning == Meaning::part) return HeadStep::take_part;
  if (seen.meaning == Meaning::complete) return HeadStep::finish;
  if (seen.is_extra) return HeadStep::refuse;
  switch (seen.meaning) {
    case Meaning::whole:
      return HeadStep::take_whole;
    case Meaning::changed:
      return seen.round == Round::first ? HeadStep::restart : HeadStep::changed_again;
    case Meaning::moved:
      return HeadStep::hop;
    case Meaning::coded:
      if (seen.keeps_coding) return HeadStep::take_whole;
      return seen.round == Round::decoded ? HeadStep::unknown_coding : HeadStep::decode;
    case Meaning::part:
    case Meaning::complete:
    case Meaning::fault:
      break;
  }
  return HeadStep::fail;
}

EndStep judge_end(const EndSeen& seen) {
  const bool is_clean = !seen.is_broken && !seen.is_stopped;
  if (!seen.is_size_known && seen.is_accepted && is_clean) return EndStep::learn_size;
  const bool is_whole = seen.is_accepted && seen.is_whole;
  if (!seen.is_last) return is_whole ? EndStep::give_slot : EndStep::stay_few;
  // Without a size nobody knows what a refused connection would have brought.
  const bool is_refused = !seen.is_accepted && seen.is_stopped && seen.is_size_known;
  return is_whole || is_refused ? EndStep::go_on : EndStep::fail;
}

}  // namespace haul::http
