#pragma once
// A mount namespace for one piece of work: what it mounts, no other thread or process sees, and all
// of it is gone afterwards.

#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <thread>

namespace haul::testing {

// Runs `work` on a thread of its own that has its own mounts. Returns why that is not possible
// here; empty if the work is done. Threads that the work starts have the same mounts. Work that
// throws is thrown here.
template <class Work>
std::string in_own_mounts(const Work& work) {
  std::string why;
  std::exception_ptr thrown;
  std::thread{[&] {
    // Private, or the mounts would spread to the namespace it came from.
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      why = std::string{"no mount namespace: "} + std::strerror(errno);
      return;
    }
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  }}.join();
  if (thrown) std::rethrow_exception(thrown);
  return why;
}

}  // namespace haul::testing
