#pragma once
// `haul get`: what it is asked for, and what it needs of the program around it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/commands.h"
#include "cli/get_words.h"
#include "cli/progress.h"

namespace haul {

struct GetOptions {
  std::vector<std::string> urls;
  std::filesystem::path folder = ".";
  std::string name;
  std::string input;  // A file of addresses, or "-".
  std::string checksum;
  std::string engine = "auto";
  std::optional<std::size_t> per_host;
  std::optional<std::string> delay;
  int segments = 0;
  std::int64_t speed_limit = 0;
  std::optional<std::int64_t> max_unknown_size;
  std::optional<std::int64_t> keep_free;
  std::vector<std::string> exclude;
  std::vector<std::string> only;
  std::optional<std::int64_t> min_size;
  std::optional<std::int64_t> max_size;
  std::string since;
  std::string until;
  bool discover = false;
  int pages_max = 1;
  std::vector<std::string> headers;
  std::string cookies;
  bool netrc = false;
  std::string proxy;
  std::string user_agent;
  bool json = false;
  std::filesystem::path state;  // Where the stores of folders are.
  std::string home;             // For ~/.netrc.
  Surroundings around;
};

// One job being fetched here, without a daemon.
class GetSession {
 public:
  virtual ~GetSession() = default;
  // Works until something was seen or the time is up. False: the job has ended.
  virtual bool step(Millis at_most) = 0;
  virtual GetView view() = 0;
  // Those that ended since this was last asked.
  virtual std::vector<ItemEnd> ended() = 0;
  virtual GetSummary summary() = 0;
  virtual Steady now() const = 0;
  // How often somebody pressed Ctrl-C.
  virtual int interrupts() = 0;
  // Stops in good order, so that what came is kept for the next time, and listens a moment whether
  // Ctrl-C is pressed again. False: it was, and nothing is to be kept.
  [[nodiscard]] virtual bool keep() = 0;
  // Stops for good: what came of unfinished files goes.
  virtual void cancel() = 0;
};

struct GetAsk {
  std::filesystem::path folder;  // Absolute.
  std::filesystem::path state;
  std::string request;  // JSON, as a batch job wants it.
  std::size_t per_host = 2;
  Millis delay{1'000};
  std::int64_t max_size = std::int64_t{64} << 30U;  // Of a file whose size is not known before.
  std::optional<std::int64_t> keep_free{};          // Nothing: 1 GiB or 5 % of the disk.
};
using OpenGet = std::function<Result<std::unique_ptr<GetSession>>(const GetAsk&)>;

enum class GetBy : std::uint8_t {
  itself,  // This process: limits per host are its own settings.
  daemon,  // They are limits of the job.
};
// The request of a batch job; refused with what is wrong.
Result<AskedBatch> to_request(const GetOptions& options, GetBy by, std::istream& standard_input);

int run_get(const GetOptions& options, const OpenGet& open, std::istream& standard_input,
            Terminal terminal);

}  // namespace haul
