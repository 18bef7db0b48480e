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
#include "base/metalink.h"
#include "base/url_feed.h"
#include "cli/commands/commands.h"
#include "cli/commands/get_more.h"
#include "cli/commands/get_words.h"
#include "cli/draw/progress.h"

namespace haul::cli {

// Reads a Metalink: a file, or a URL. `request` is a batch request for that URL; how to connect and
// what to send is in it.
using ReadMetalink =
    std::function<Result<Metalink>(const std::string& where, const std::string& request)>;

struct GetOptions {
  std::vector<std::string> urls;
  std::filesystem::path folder = ".";
  std::string name;
  std::string input;  // A file of URLs, or "-" for standard input.
  std::string checksum;
  std::string existing;  // As in the request. Empty: default.
  std::string hash;      // Likewise. Empty: none.
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
  bool discard = false;  // Ctrl-C deletes partial files; a second one does not wait for that.
  bool clean = false;    // Remove the partial files of the folder, and download nothing.
  GetMore more;
  bool json = false;
  std::filesystem::path state;  // Folder of the stores, one per destination.
  std::string home;             // For ~/.netrc.
  Surroundings around;
  ReadMetalink read_metalink{};  // Set by app/.
  Metalink metalink{};           // What the Metalinks among the URLs describe.
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
  // The URLs that turned out to be Metalinks, which are to be read instead.
  virtual std::vector<std::string> metalinks() = 0;
  virtual Steady now() const = 0;
  // How often the user pressed Ctrl-C.
  virtual int interrupts() = 0;
  // Stops and keeps the parts for the next run. Waits until they are flushed, unless the user
  // presses Ctrl-C again meanwhile. After cancel() it does not wait, and the next run removes what
  // is left of the parts.
  virtual void keep() = 0;
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
  std::optional<std::size_t> at_once{};   // Files in transfer. Nullopt: as the hosts allow.
  bool verbose = false;                   // Tells requests and answers on standard error.
  std::filesystem::path log{};            // Gets the same and the files that ended. Empty: no log.
  bool spots_metalinks = false;           // Finds Metalinks by their type, and downloads none.
  std::string replaces{};                 // The link whose part the one URL goes on with.
  std::shared_ptr<const UrlFeed> feed{};  // URLs that come after those of the request. Null: none.
};
using OpenGet = std::function<Result<std::unique_ptr<GetSession>>(const GetCommand&)>;

struct CleanCommand {
  std::filesystem::path folder;  // Absolute.
  std::filesystem::path state;
};
struct LeftPart {
  std::string name;
  std::int64_t size = 0;
};
struct CleanedFolder {
  std::vector<LeftPart> removed;
  std::vector<LeftPart> others;  // Of other stores, such as the daemon's. They stay.
};
using CleanGet = std::function<Result<CleanedFolder>(const CleanCommand&)>;
int run_get_clean(const GetOptions& options, const CleanGet& clean, Terminal terminal);

enum class GetBy : std::uint8_t {
  itself,  // This process, whose settings have the limits per host.
  daemon,  // The daemon; the request carries the limits per host.
};
// The options with -o as folder and name, and with headers for -b and --referer. Rejects what
// cannot be.
Result<GetOptions> settled(GetOptions options);
// The options with the files that their Metalinks describe, instead of the Metalinks themselves.
Result<GetOptions> with_metalinks(GetOptions options);
// The request of a batch job, or what is wrong with the options, which are settled.
Result<GetBatch> to_request(const GetOptions& options, GetBy by, std::istream& standard_input);

// A file that a get would fetch.
struct GetPlanned {
  std::string url;
  std::string path;                    // Where it would land.
  std::optional<std::int64_t> size{};  // If the server says it.
  std::string reason{};                // Why it would be skipped, or would fail now.
};
// Asks the servers for each file of the request, and stores nothing.
using PlanGet = std::function<Result<void>(const GetCommand&,
                                           const std::function<void(const GetPlanned&)>& tell)>;

enum class LineForm : std::uint8_t { text, json };
std::string plan_line(const GetPlanned& file, LineForm form);

// A file of cookies, which exists while the pointer does.
using CookieFile = std::shared_ptr<const std::filesystem::path>;
// Reads the cookies of a browser: its name, or NAME:PROFILE.
using ReadCookies = std::function<Result<CookieFile>(const std::string& browser)>;

struct GetMakers {
  const OpenGet& open;
  const PlanGet& plan;
  const ReadCookies& cookies;
  int input = -1;  // The descriptor of standard input. Negative: only its stream is read.
};
int run_get(const GetOptions& given, const GetMakers& makers, std::istream& standard_input,
            Terminal terminal);

}  // namespace haul::cli
