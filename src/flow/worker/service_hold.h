#pragma once
// Holds back the jobs of a lifecycle while a service that all of them need refuses haul as a whole:
// a token that expired, a bill that is unpaid (Z-14, Z-28). Their attempts are not spent meanwhile.
// From time to time one job begins, to ask the service again.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/fault.h"
#include "base/mutex.h"
#include "base/time.h"

namespace haul::flow {

// Call from any thread.
class ServiceHold {
 public:
  enum class Ends : std::uint8_t {
    by_answer,  // When the service answers a job again.
    by_time,    // With its wait, as a rate limit does.
  };
  struct Told {
    Fault why;
    Steady until;   // No job begins before.
    Time until_at;  // The same for people.
    Ends ends = Ends::by_answer;
    std::string_view part{};  // Which of several services it is, for end(). A constant.
  };
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  void begin(Told told);
  // Only a hold by the same part ends.
  void end(std::string_view part);
  // Nothing if it does not hold.
  std::optional<Told> find() const;
  // How many jobs may begin now. If that is the one that asks again, the next may after `wait`.
  std::size_t take(Steady now, Millis wait);

 private:
  mutable Mutex mutex_;
  std::optional<Told> told_ GUARDED_BY(mutex_);
};

}  // namespace haul::flow
