#pragma once
// Standard input as a list of URLs that is still being written: `haul get -i -` downloads the first
// ones meanwhile (Z-10).

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"
#include "base/url_feed.h"
#include "cli/commands/get.h"
#include "cli/commands/get_words.h"

namespace haul::cli {

// Whether the download can begin before the list is complete: each URL is a file of its own, and no
// option needs them all.
bool can_feed(const GetOptions& options);

// Reads lines from a descriptor as they come.
class LineSource {
 public:
  explicit LineSource(int descriptor) : descriptor_{descriptor} {}

  // Waits for input, at most that long, and reads some of it. A negative time: without limit.
  // False if none came.
  bool read(Millis at_most);
  bool is_ended() const { return is_ended_; }
  // The next line, without its line break. Nullopt if no whole line was read yet. After the end of
  // the input, the rest counts as a line.
  std::optional<std::string> line();

 private:
  const int descriptor_;
  std::string text_;
  std::size_t at_ = 0;  // The beginning of the next line.
  bool is_ended_ = false;
};

// The beginning of the list: all that comes without a pause, and at least one URL. `source` is
// ended if that is the whole list.
std::string read_beginning(LineSource& source);

// Passes the rest of the list to the feed.
class Feeder {
 public:
  // A URL that came after the beginning, with its lines as they were given.
  using Tell = std::function<void(const std::string& key, const std::string& url,
                                  const std::string& options)>;

  // `begun` has the beginning of the list.
  Feeder(LineSource source, const GetBatch& begun, std::size_t lines_before);

  // Call before the first step.
  void listen(Tell tell) { tell_ = std::move(tell); }

  const std::shared_ptr<UrlFeed>& feed() const { return feed_; }
  // Reads what has come, without waiting. A URL is complete with the next one, or when nothing has
  // come for a second. The fault of a wrong line ends the list.
  [[nodiscard]] Result<void> step(Steady now);
  bool is_closed() const { return is_closed_; }

 private:
  Result<void> take(const std::string& line);
  void settle();  // Passes the last URL on.
  void close();

  LineSource source_;
  GetBatch last_;  // The last URL, with its options.
  ItemKeys keys_;
  Tell tell_ = [](const std::string&, const std::string&, const std::string&) {};
  const std::shared_ptr<UrlFeed> feed_ = std::make_shared<UrlFeed>();
  std::size_t line_ = 0;
  std::size_t urls_ = 0;
  Steady heard_;
  bool is_closed_ = false;
};

}  // namespace haul::cli
