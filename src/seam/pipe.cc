#include "seam/pipe.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"

namespace haul {

Pipe::Pipe(std::size_t capacity) : ring_(capacity) {
  ensure(capacity > 0, "a pipe has room for a byte");
}

void Pipe::on_room(std::function<void()> call) {
  const Lock lock{mutex_};
  ensure(held_ == 0 && passed_ == 0, "an engine sets its callback before its first byte");
  on_room_ = std::move(call);
}
void Pipe::on_bytes(std::function<void()> call) {
  const Lock lock{mutex_};
  ensure(passed_ == 0 && !reader_waits_, "a sink sets its callback before its first read");
  on_bytes_ = std::move(call);
}

void Pipe::tell(const Calls& calls) {
  if (calls.room) calls.room();
  if (calls.bytes) calls.bytes();
}

std::size_t Pipe::write(std::span<const std::byte> bytes) {
  Calls calls;
  std::size_t taken = 0;
  {
    const Lock lock{mutex_};
    if (all_written_ || fault_) return 0;
    taken = std::min(bytes.size(), ring_.size() - held_);
    for (std::size_t done = 0; done < taken;) {  // At most twice: the ring wraps.
      const std::size_t at = (first_ + held_) % ring_.size();
      const std::size_t some = std::min(taken - done, ring_.size() - at);
      std::ranges::copy(bytes.subspan(done, some), ring_.begin() + static_cast<std::ptrdiff_t>(at));
      held_ += some;
      done += some;
    }
    ensure(held_ <= ring_.size(), "a pipe holds no more than its capacity");
    writer_waits_ = taken < bytes.size();
    if (taken > 0 && std::exchange(reader_waits_, false)) calls.bytes = on_bytes_;
  }
  tell(calls);
  return taken;
}

void Pipe::end() {
  Calls calls;
  {
    const Lock lock{mutex_};
    if (fault_) return;
    all_written_ = true;
    if (std::exchange(reader_waits_, false)) calls.bytes = on_bytes_;
  }
  tell(calls);
}

std::size_t Pipe::read(std::span<std::byte> into) {
  Calls calls;
  std::size_t given = 0;
  {
    const Lock lock{mutex_};
    if (fault_) return 0;
    given = std::min(into.size(), held_);
    for (std::size_t done = 0; done < given;) {  // At most twice: the ring wraps.
      const std::size_t some = std::min(given - done, ring_.size() - first_);
      std::ranges::copy(std::span{ring_}.subspan(first_, some),
                        into.begin() + static_cast<std::ptrdiff_t>(done));
      first_ = (first_ + some) % ring_.size();
      done += some;
    }
    held_ -= given;
    passed_ += static_cast<std::int64_t>(given);
    reader_waits_ = given == 0 && !into.empty() && !all_written_;
    if (given > 0 && std::exchange(writer_waits_, false)) calls.room = on_room_;
  }
  tell(calls);
  return given;
}

void Pipe::fail(Fault fault) {
  Calls calls;
  {
    const Lock lock{mutex_};
    const bool is_over = all_written_ && held_ == 0;
    if (fault_ || is_over) return;
    fault_ = std::move(fault);
    writer_waits_ = false;
    reader_waits_ = false;
    calls = {.room = on_room_, .bytes = on_bytes_};
  }
  tell(calls);
}

Pipe::Is Pipe::is() const {
  const Lock lock{mutex_};
  if (fault_) return Is::broken;
  return all_written_ && held_ == 0 ? Is::ended : Is::open;
}

std::optional<Fault> Pipe::fault() const {
  const Lock lock{mutex_};
  return fault_;
}

std::int64_t Pipe::passed() const {
  const Lock lock{mutex_};
  return passed_;
}

}  // namespace haul
