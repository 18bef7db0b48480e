#pragma once
// The progress of `haul get`: bars on a terminal, lines elsewhere, JSON lines for programs. Makes
// no decisions and reads no clock. Text from outside is made safe here.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/draw/paint.h"
#include "cli/draw/screen.h"

namespace haul::cli {

// A file in progress.
struct FileView {
  std::int64_t item = 0;
  std::string name;
  std::string url{};
  std::string path{};  // Destination; empty until it is known.
  std::int64_t have = 0;
  std::optional<std::int64_t> size{};
  double speed = 0;  // Bytes a second.
  std::optional<std::chrono::seconds> eta{};
  std::string status = "Downloading";  // Or "Waiting for h", "Retrying in 4 s", "Landing", …
  bool retries = false;                // It failed and waits for another try.
};

// The whole job at one moment. The counts are disjoint.
struct GetView {
  std::vector<FileView> active{};  // In drawing order.
  std::int64_t total = 0;
  std::int64_t downloaded = 0;
  std::int64_t skipped = 0;
  std::int64_t failed = 0;
  bool enumerated = false;  // The total is final.
  std::int64_t have_bytes = 0;
  std::optional<std::int64_t> size_bytes{};
  double speed = 0;
  std::optional<std::chrono::seconds> eta{};
  // If the size is unknown: it and the time left are at least these.
  std::optional<std::int64_t> size_least{};
  std::optional<std::chrono::seconds> eta_least{};
  std::string remark{};            // For the user, such as why all files wait.
  std::string_view noun = "file";  // What the counts count.
};

// An item that ended.
struct ItemEnd {
  std::string name;
  std::string key{};  // Of the item: its address, or "address #2". Empty: the address.
  std::string url;
  bool ok = false;
  bool skipped = false;
  std::int64_t size = 0;   // Negative: unknown.
  std::string reason{};    // A stable word; empty if it arrived.
  std::string detail{};    // Prose.
  std::string evidence{};  // What proves that the file is whole.
  bool is_told = false;    // Its own line is printed: a summary need not name it again.
};

enum class GetEnding : std::uint8_t {
  finished,
  interrupted,  // The parts are kept; the same command resumes.
  cancelled,    // The parts are gone.
  abandoned,    // Cancelled without waiting for that: the next run removes the parts that are left.
};

struct GetSummary {
  GetEnding ending = GetEnding::finished;
  std::int64_t total = 0;
  std::int64_t downloaded = 0;
  std::int64_t skipped = 0;
  std::int64_t failed = 0;
  std::int64_t bytes = 0;    // Of the files that arrived. Negative: unknown.
  std::int64_t resumed = 0;  // Bytes of them that an earlier run has received.
  Millis passed{};
  std::vector<ItemEnd> failures{};
  // How to try again. Empty if that is not possible.
  std::string again = "run the same command again";
};

class Progress {
 public:
  virtual ~Progress() = default;
  // Call as often as convenient, about ten times a second; calls that come too early are dropped.
  virtual void show(const GetView& view, Steady now) = 0;
  virtual void ended(std::span<const ItemEnd> items) = 0;
  void ended(const ItemEnd& item) { ended(std::span{&item, 1}); }
  // A line for the user, such as what Ctrl-C has done.
  virtual void say(std::string_view line) = 0;
  // The last call.
  virtual void finish(const GetSummary& summary) = 0;
};

enum class ProgressForm : std::uint8_t {
  plain,     // A line per ended item, and a total at most every five seconds.
  terminal,  // Bars redrawn in place. The cursor stays visible, so no crash can leave it hidden.
  json,      // One object per line; progress at most once a second.
};

struct Surroundings {
  bool wants_json = false;
  bool is_terminal = false;
  std::string_view term{};      // TERM, empty if not set.
  std::string_view no_color{};  // NO_COLOR; any value turns colours off.
};
ProgressForm form_for(const Surroundings& around);
Colour colour_for(const Surroundings& around);

std::unique_ptr<Progress> open_progress(ProgressForm form, Colour colour, Screen& screen);

}  // namespace haul::cli
