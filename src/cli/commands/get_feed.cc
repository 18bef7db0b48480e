#include "cli/commands/get_feed.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <utility>

#include "base/ascii.h"
#include "cli/commands/get_input.h"

namespace haul::cli {
namespace {

constexpr std::size_t kUrlsMax = 100'000;
constexpr std::size_t kLineMax = 100'000;  // A line without an end is refused, not kept.
constexpr std::size_t kReadAtOnce = 65'536;
constexpr int kReadsMax = 16;  // Per step.
constexpr Millis kPause{300};
constexpr Millis kComplete{1'000};

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

bool is_blank_or_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.starts_with('#');
}

}  // namespace

bool can_feed(const GetOptions& options) {
  const bool needs_look =
      options.min_size || options.max_size || !options.since.empty() || !options.until.empty();
  return options.input == "-" && options.name.empty() && options.checksum.empty() &&
         !options.discover && !needs_look && !options.more.dry_run && options.more.login.empty() &&
         options.existing != "overwrite" && (options.engine == "auto" || options.engine == "http");
}

bool LineSource::read(Millis at_most) {
  pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
  const int wait = at_most < Millis{0} ? -1 : static_cast<int>(at_most.count());
  if (is_ended_ || ::poll(&ready, 1, wait) <= 0) return false;
  std::array<char, kReadAtOnce> bytes{};
  const ssize_t got = ::read(descriptor_, bytes.data(), bytes.size());
  if (got > 0) {
    text_.erase(0, std::exchange(at_, 0));
    text_.append(bytes.data(), static_cast<std::size_t>(got));
  }
  is_ended_ = got <= 0;
  return got > 0;
}

std::optional<std::string> LineSource::line() {
  const std::size_t end = text_.find('\n', at_);
  const bool is_whole = end != std::string::npos;
  if (!is_whole && text_.size() - at_ > kLineMax) is_ended_ = true;
  if (!is_whole && (!is_ended_ || at_ == text_.size())) return std::nullopt;
  std::string line = text_.substr(at_, is_whole ? end - at_ : std::string::npos);
  at_ = is_whole ? end + 1 : text_.size();
  return line;
}

std::string read_beginning(LineSource& source) {
  std::string text;
  bool has_url = false;
  while (!source.is_ended()) {
    const bool came = source.read(has_url ? kPause : Millis{-1});
    if (!came && has_url && !source.is_ended()) break;
    while (const auto line = source.line()) {
      text += *line + "\n";
      has_url = has_url || !is_blank_or_comment(*line);
    }
  }
  return text;
}

Feeder::Feeder(LineSource source, const GetBatch& begun, std::size_t lines_before)
    : source_{std::move(source)},
      last_{.request = {}, .input = begun.input},
      line_{lines_before},
      urls_{begun.urls.size()} {
  for (std::size_t i = 0; i < begun.urls.size(); ++i)
    keys_.next(begun.urls[i], options_at(begun, i).name);
}

void Feeder::settle() {
  if (last_.urls.empty()) return;
  const GetBatch whole = std::exchange(last_, {.request = {}, .input = last_.input});
  UrlOptions options = options_at(whole, 0);
  const std::string key = keys_.next(whole.urls.front(), options.name);
  const auto text = whole.texts.find(0);
  tell_(key, whole.urls.front(), text == whole.texts.end() ? "" : text->second);
  feed_->add({.url = whole.urls.front(), .key = key, .options = std::move(options)});
}

// Reads one line at a time with the lines of its URL before it, so that it has all rules of a list.
Result<void> Feeder::take(const std::string& line) {
  ++line_;
  if (is_blank_or_comment(line)) return {};
  GetBatch now{.request = {}, .input = last_.input};
  std::string text = last_.urls.empty() ? "" : last_.urls.front() + "\n";
  if (const auto lines = last_.texts.find(0); lines != last_.texts.end()) text += lines->second;
  std::istringstream lines{text + line + "\n"};
  if (auto read = read_input(lines, now, line_); !read) return read;
  if (now.urls.size() > 1) {
    settle();
    now = {.request = {}, .input = last_.input};
    std::istringstream alone{line + "\n"};
    if (auto read = read_input(alone, now, line_); !read) return read;
  }
  if (last_.urls.empty() && ++urls_ > kUrlsMax)
    return refuse(fmt::format("more than {} URLs; split the list", kUrlsMax));
  last_ = std::move(now);
  return {};
}

void Feeder::close() {
  settle();
  feed_->close();
  is_closed_ = true;
}

Result<void> Feeder::step(Steady now) {
  if (is_closed_) return {};
  for (int i = 0; i < kReadsMax && source_.read(Millis{0}); ++i) {
    heard_ = now;
    while (const auto line = source_.line())
      if (auto taken = take(*line); !taken) {
        last_.urls.clear();
        close();
        return taken;
      }
  }
  if (source_.is_ended()) {
    const auto rest = source_.line();
    auto taken = rest ? take(*rest) : Result<void>{};
    if (!taken) last_.urls.clear();
    close();
    return taken;
  }
  if (now - heard_ >= kComplete) settle();
  return {};
}

}  // namespace haul::cli
