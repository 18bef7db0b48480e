#pragma once
// The file of --save-failed: the URLs that failed, one per line, as -i reads them.

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/draw/progress.h"

namespace haul::cli {

// Passes everything on to `shown`, and collects the URLs that failed.
class FailedList final : public Progress {
 public:
  // `given` are the URLs of the request. If the job as a whole fails, they all have failed.
  FailedList(Progress& shown, std::vector<std::string> given)
      : shown_{shown}, given_{std::move(given)} {}

  void show(const GetView& view, Steady now) override { shown_.show(view, now); }
  void ended(std::span<const ItemEnd> items) override;
  void say(std::string_view line) override { shown_.say(line); }
  void finish(const GetSummary& summary) override;

  // Replaces the file, or writes into what is no plain file. It is empty if nothing failed. After
  // an interruption it has all URLs whose files have not arrived.
  [[nodiscard]] Result<void> save(const std::filesystem::path& file) const;

 private:
  Progress& shown_;
  std::vector<std::string> given_;
  std::vector<std::string> failed_;
  std::set<std::string> arrived_;
};

// Fault `bad_usage` if the file cannot be written. Changes nothing of it.
[[nodiscard]] Result<void> check_writable(std::string_view option,
                                          const std::filesystem::path& file);

}  // namespace haul::cli
