#pragma once
// Passes an answer from any thread back to the thread that its receiver lives on. The receiver may
// be gone by then.

#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace haul {

// Returns a function for any thread. It passes its arguments to `then`, which runs on the thread
// that `to` posts work to. `then` does not run if `alive` has expired by then. `to` points to what
// has post(), and outlives the returned function or shares its ownership.
template <class... Args, class To, class Then>
std::function<void(Args...)> posting(To to, std::weak_ptr<const bool> alive, Then then) {
  return [to = std::move(to), alive = std::move(alive), then = std::move(then)](Args... args) {
    to->post([alive, then, given = std::tuple<Args...>{std::move(args)...}] {
      if (alive.lock()) std::apply(then, given);
    });
  };
}

}  // namespace haul
