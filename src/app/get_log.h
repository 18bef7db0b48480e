#pragma once
// What `haul get -v` prints and --log keeps: requests, answers, and files that ended.

#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "flow/worker/worker.h"

namespace haul::app {

class GetLog {
 public:
  enum class Echo : std::uint8_t { none, standard_error };
  // Appends to the file, or writes none if the path is empty.
  GetLog(const Clock& clock, const std::filesystem::path& file, Echo echo);

  // From any thread: a line without secrets.
  void say(std::string_view line);
  void see(const flow::ItemEnded& item);

 private:
  void keep(std::string_view line);

  const Clock& clock_;
  const Echo echo_;
  const bool keeps_;
  Mutex mutex_;
  std::ofstream file_ GUARDED_BY(mutex_);
};

}  // namespace haul::app
