#pragma once
// `haul get`: its options, and the session that app/ runs for it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/commands/commands.h"
#include "cli/commands/get_words.h"
#include "cli/draw/progress.h"

namespace haul::cli {

struct GetOptions {
  std::vector<std::string> urls;
  std::filesystem::path folder = ".";
  std::string name;
  std::string input;  // A file of URLs, or "-" for standard input.
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
  std::filesystem::path state;  // Folder of the stores, one per destination.
  std::string home;             // For ~/.netrc.
  Surroundings around;
};

// One job that this process runs without a daemon.
class GetSession {
 public:
  virtual ~GetSession() = default;
  // Works until something happens, at most that long. Returns false once the job has ended.
  virtual bool step(Millis at_most) = 0;
  virtual GetView view() = 0;
  // The items that ended since the last call.
  virtual std::vector<ItemEnd> ended() = 0;
  virtual GetSummary summary() = 0;
  virtual Steady now() const = 0;
  // How often the user pressed Ctrl-C.
  virtual int interrupts() = 0;
  // Stops and keeps the parts for the next run. Returns false if the user presses Ctrl-C again
  // meanwhile; then the caller cancels.
  [[nodiscard]] virtual bool keep() = 0;
  // Stops and removes the parts of unfinished files.
  virtual void cancel() = 0;
};

struct GetCommand {
  std::filesystem::path folder;  // Absolute.
  std::filesystem::path state;
  std::string request;  // JSON of a batch request.
  std::size_t per_host = 2;
  Millis delay{1'000};
  std::int64_t max_size = std::int64_t{64} << 30U;  // Of a file of unknown size.
  std::optional<std::int64_t> keep_free{};          // Nullopt: the smaller of 1 GiB and 5 %.
};
using OpenGet = std::function<Result<std::unique_ptr<GetSession>>(const GetCommand&)>;

enum class GetBy : std::uint8_t {
  itself,  // This process, whose settings have the limits per host.
  daemon,  // The daemon; the request carries the limits per host.
};
// The request of a batch job, or what is wrong with the options.
Result<GetBatch> to_request(const GetOptions& options, GetBy by, std::istream& standard_input);

int run_get(const GetOptions& options, const OpenGet& open, std::istream& standard_input,
            Terminal terminal);

}  // namespace haul::cli
