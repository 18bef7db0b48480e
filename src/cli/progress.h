#pragma once
// What a person sees of a running `haul get`: bars on a terminal, lines elsewhere, JSON lines for
// programs. Decides nothing, asks no clock; text from outside is made safe here.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/paint.h"
#include "cli/screen.h"

namespace haul {

// A file at work.
struct FileView {
  std::int64_t item = 0;
  std::string name;
  std::string url{};
  std::string path{};  // Where it will lie; empty until that is known.
  std::int64_t have = 0;
  std::optional<std::int64_t> size{};
  double speed = 0;  // Bytes a second.
  std::optional<std::chrono::seconds> eta{};
  std::string status = "Downloading";  // Or "Waiting for h", "Retrying in 4 s", "Landing", …
};

// All of it at one moment. The counts are disjoint.
struct GetView {
  std::vector<FileView> active{};  // In the order they are drawn in.
  std::int64_t total = 0;
  std::int64_t downloaded = 0;
  std::int64_t skipped = 0;
  std::int64_t failed = 0;
  bool enumerated = false;  // The total will not grow any more.
  std::int64_t have_bytes = 0;
  std::optional<std::int64_t> size_bytes{};
  double speed = 0;
  std::optional<std::chrono::seconds> eta{};
  std::string note{};              // What a person should know now, such as why everything waits.
  std::string_view noun = "file";  // What is counted.
};

// An item that ended.
struct ItemEnd {
  std::string name;
  std::string url;
  bool ok = false;
  bool skipped = false;
  std::int64_t size = 0;   // Less than nothing: not known.
  std::string reason{};    // A stable word, unless it arrived.
  std::string detail{};    // Prose for people.
  std::string evidence{};  // What says that the file is whole.
};

enum class GetEnding : std::uint8_t {
  finished,
  interrupted,  // The parts are kept; the same command goes on.
  cancelled,    // The parts are gone.
};

struct GetSummary {
  GetEnding ending = GetEnding::finished;
  std::int64_t total = 0;
  std::int64_t downloaded = 0;
  std::int64_t skipped = 0;
  std::int64_t failed = 0;
  std::int64_t bytes = 0;  // That came over the network now, not before; below zero: not known.
  Millis passed{};
  std::vector<ItemEnd> failures{};
  std::string again = "run the same command again";  // What a person does to try again.
};

class Progress {
 public:
  virtual ~Progress() = default;
  // Called as often as is convenient, about ten times a second; drops what comes too early.
  virtual void show(const GetView& view, Steady now) = 0;
  virtual void ended(std::span<const ItemEnd> items) = 0;
  void ended(const ItemEnd& item) { ended(std::span{&item, 1}); }
  // A line for the person, such as what Ctrl-C has done.
  virtual void say(std::string_view line) = 0;
  // The last call.
  virtual void finish(const GetSummary& summary) = 0;
};

enum class ProgressForm : std::uint8_t {
  plain,     // A line per ended item, and a total at most every five seconds.
  terminal,  // Bars redrawn in place. The cursor is never hidden, so nothing can leave it so.
  json,      // One object a line; progress at most once a second.
};

struct Surroundings {
  bool wants_json = false;
  bool is_terminal = false;
  std::string_view term{};      // The variables TERM and NO_COLOR, empty if not set.
  std::string_view no_color{};  // Anything in it counts.
};
ProgressForm form_for(const Surroundings& around);
Colour colour_for(const Surroundings& around);

std::unique_ptr<Progress> open_progress(ProgressForm form, Colour colour, Screen& screen);

}  // namespace haul
