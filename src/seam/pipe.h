#pragma once
// A bounded pipe for bytes, from an engine that fetches a file to a sink that delivers it. Neither
// side keeps the whole file. A full pipe makes the engine pause its source, and an empty one makes
// the sink wait. Either side can end it with a fault, which the other side sees.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "base/mutex.h"

namespace haul {

class Pipe {
 public:
  // How far the bytes are.
  enum class Is : std::uint8_t {
    open,   // More may come.
    ended,  // The engine has written everything, and the sink has read it.
    broken  // One side gave up; see fault().
  };

  explicit Pipe(std::size_t capacity);
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // For the engine, from any thread. Takes the bytes that fit and returns how many. If not all fit,
  // `on_room` is called once there is room again. Takes none once the pipe is ended or broken. If
  // the sink breaks the pipe, `on_room` is called too, also if the engine does not wait for room:
  // an engine that waits for its source would not write again and see the fault.
  std::size_t write(std::span<const std::byte> bytes);
  // All bytes are written.
  void end();

  // For the sink, from any thread. Returns how many bytes it copied. After zero in an open pipe,
  // `on_bytes` is called once there are more, or none will come. If the engine breaks the pipe,
  // `on_bytes` is called too, also if the sink does not wait for bytes.
  std::size_t read(std::span<std::byte> into);

  // For both. The first fault stays, and it calls `on_room` and `on_bytes` once. Does nothing if
  // the sink has read everything.
  void fail(Fault fault);
  Is is() const;
  std::optional<Fault> fault() const;
  // Bytes that passed through so far.
  std::int64_t passed() const;

  // Each side sets its own before its first write or read. The engine may have written by the time
  // the sink sets `on_bytes`. They are called without a lock, on the thread of the other side.
  // After fail(), the side that failed is called back too, on its own thread.
  void on_room(std::function<void()> call);
  void on_bytes(std::function<void()> call);

 private:
  // What to call once the lock is free.
  struct Calls {
    std::function<void()> room{};
    std::function<void()> bytes{};
  };
  static void tell(const Calls& calls);

  mutable Mutex mutex_;
  std::vector<std::byte> ring_ GUARDED_BY(mutex_);
  std::size_t first_ GUARDED_BY(mutex_) = 0;  // Where the held bytes begin.
  std::size_t held_ GUARDED_BY(mutex_) = 0;
  std::int64_t passed_ GUARDED_BY(mutex_) = 0;
  bool all_written_ GUARDED_BY(mutex_) = false;
  std::optional<Fault> fault_ GUARDED_BY(mutex_);
  bool writer_waits_ GUARDED_BY(mutex_) = false;
  bool reader_waits_ GUARDED_BY(mutex_) = false;
  std::function<void()> on_room_ GUARDED_BY(mutex_);
  std::function<void()> on_bytes_ GUARDED_BY(mutex_);
};

}  // namespace haul
