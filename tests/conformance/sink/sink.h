#pragma once
// The bench of a sink for the conformance suite; conformance/suite.h says how an adapter joins.

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite.h"
#include "seam/sink.h"

namespace haul::conformance {

// Rules that an adapter may be exempt from.
enum class SinkRule : std::uint8_t {
  keeps_one,        // Has one copy of a parcel, however often it is landed.
  verifies,         // Answers verify().
  lists_landed,     // verify() of a parcel that was never landed reports NotIndexed.
  cleans,           // Answers clean().
  checks_copies,    // clean() keeps a source whose copy is gone or has another size.
  tells_progress,   // Reports Moving while it lands.
  stops,            // Answers stop() within two seconds.
  quiet_after_end,  // Reports nothing of a parcel after the answer.
  fails,            // Reports Failed if the source is gone.
};
std::string_view name_of(SinkRule rule);

class SinkBench {
 public:
  virtual ~SinkBench() = default;

  virtual Sink& sink() = 0;
  // Lets the sink's time pass until `so` holds. False if it does not hold within this time.
  virtual bool until(const So& so, Millis within) = 0;

  // Job 1, fence 1.
  virtual Parcel parcel(Pace pace) = 0;
  // How many files the other side has.
  virtual std::size_t kept() const = 0;
  // Whether the source of a parcel is complete, and whether nothing is left of the quick one's.
  virtual bool has_source(Pace pace) const = 0;
  virtual bool has_no_source() const = 0;
  virtual void lose_source() {}
  // The other side loses a file of the quick parcel, or some bytes of one.
  virtual void lose_copy() {}
  virtual void shorten_copy() {}
  // Puts a file beside the source that no manifest has.
  virtual void add_stranger() {}
  virtual bool has_stranger() const { return true; }

  // Why the adapter does not follow a rule. Empty if it does.
  virtual std::string exempt(SinkRule) const { return {}; }
  bool follows(SinkRule rule) const { return follows_rule(adapter, name_of(rule), exempt(rule)); }
  std::string adapter;  // The name under which it has joined.

  // Declared here, so that it outlives the sink of a derived bench.
  Sights sights;

  // The first sight under this fence that is an answer: not Moving, Waiting or CleanedSome.
  std::optional<What> told(const Parcel& parcel) const;
  // How many answers there are.
  int answers(const Parcel& parcel) const;
  // Waits for an answer.
  std::optional<What> await(const Parcel& parcel, Millis within = kPatience);
  // No further sight comes for a while.
  bool is_quiet();

  // Each of these drops the earlier sights, and returns the answer.
  std::optional<What> land(const Parcel& parcel);
  std::optional<What> verify(const Parcel& parcel);
  std::optional<What> clean(const Parcel& parcel);
  // The parcel with the files that landed. No value if it did not land.
  std::optional<Parcel> landed(const Parcel& parcel);
};

}  // namespace haul::conformance
