#pragma once
// The file of --save-failed: the URLs that failed with their options, as -i reads them.

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/commands/get_words.h"
#include "cli/draw/progress.h"

namespace haul::cli {

// Passes everything on to `shown`, and collects what failed.
class FailedList final : public Progress {
 public:
  // If the job as a whole fails, all URLs of the batch have failed.
  FailedList(Progress& shown, const GetBatch& given);
  // A URL that was given later, with the lines of its options.
  void add(const std::string& key, const std::string& url, const std::string& options);

  void show(const GetView& view, Steady now) override { shown_.show(view, now); }
  void ended(std::span<const ItemEnd> items) override;
  void say(std::string_view line) override { shown_.say(line); }
  void finish(const GetSummary& summary) override;

  // Replaces the file, or writes into what is no plain file. It is empty if nothing failed. After
  // an interruption it has all URLs whose files have not arrived. Only its owner can read it if it
  // has a login or a header.
  [[nodiscard]] Result<void> save(const std::filesystem::path& file) const;

 private:
  // A URL of the list, as it was given.
  struct Entry {
    std::string url;
    std::string options{};  // Its lines.
  };

  Progress& shown_;
  std::vector<std::string> keys_;         // Of the given ones, in their order.
  std::map<std::string, Entry> entries_;  // By key.
  std::vector<Entry> failed_;
  std::set<std::string> arrived_;  // Keys.
};

// Fault `bad_usage` if the file cannot be written. Changes nothing of it.
[[nodiscard]] Result<void> check_writable(std::string_view option,
                                          const std::filesystem::path& file);

}  // namespace haul::cli
