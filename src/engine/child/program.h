#pragma once
// What haul knows about a program that fetches for it: its arguments, and the meaning of its output
// lines and exit codes. Pure: Run starts the processes.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "engine/get_request.h"
#include "io/process/child.h"
#include "seam/item_key.h"
#include "seam/sight.h"

namespace haul::child {

// The inputs of one call of a program.
struct ProgramCall {
  const engine::GetRequest& request;
  std::string folder;   // The call's own. "out" in it is for fetched files, "tmp" for the rest.
  std::string cookies;  // Path of the call's own cookie file. Empty if there is none.
  std::string options;  // Path of the call's own file with private_options().
  std::string ca_file;  // CA certificates to trust. If empty, the system's.
  Millis apart{0};      // Delay between requests inside a tunnel, where the proxy cannot see them.
};

// What one output line of a fetching program says.
struct Begins {  // The program begins to fetch the file at this address.
  std::string url;
};
struct Comes {  // Bytes so far of a file. The program may merge several files into one.
  std::string file;
  std::int64_t have = 0;
  std::optional<std::int64_t> about;  // Estimated size.
};
struct Works {  // Work other than fetching, such as "Merging". Empty when it ends.
  std::string at;
};
struct Delivered {  // The file at this path is complete.
  std::string path;
};
struct Complains {  // An error message, kept to explain a failure.
  std::string text;
};
using ProgramSays = std::variant<std::monostate, Begins, Comes, Works, Delivered, Complains>;

// The pages of one listing, and everything the program wrote about them.
struct Listing {
  std::vector<std::string> pages;
  std::string out;
  std::vector<std::string> said;  // Error messages.
  int code = 0;                   // Exit code.
};
// What a listing found: items, further pages to list, and pages that could not be listed.
struct PagesRead {
  std::vector<FoundItem> items;
  std::vector<std::string> pages;
  std::map<std::string, Fault> faults;  // Pages on which nothing was found.
  std::map<std::string, Fault> broken;  // Pages whose listing broke off after some items or pages.
};

class Program {
 public:
  virtual ~Program() = default;

  virtual std::string_view name() const = 0;    // Also the name of Debian's package.
  virtual std::string_view oldest() const = 0;  // Oldest supported version.
  // How many pages one process may list, and how many items it may fetch.
  virtual std::size_t pages_at_once() const = 0;
  virtual std::size_t items_at_once() const = 0;
  // Ends an output line, besides a line break. Empty if only line breaks do.
  virtual std::string_view mark() const = 0;

  // The text of the options file: everything that may carry secrets, which are headers, and pages
  // whose addresses may have tokens. Every user of the machine can read the arguments of a process.
  virtual std::string private_options(const engine::GetRequest& request,
                                      const std::vector<std::string>& pages) const = 0;

  virtual std::vector<std::string> list_words(const ProgramCall& call) const = 0;
  virtual PagesRead read_listing(const Listing& listing, const engine::Filters& filters) const = 0;

  // With these arguments the program exits with 0 if it has an extractor for the page. It does not
  // use the network. Empty if the program cannot tell.
  virtual std::vector<std::string> match_words(const ProgramCall& call) const = 0;

  // Every page among the items has the same indices.
  virtual std::vector<std::string> fetch_words(const ProgramCall& call,
                                               const std::vector<PageItem>& items) const = 0;
  virtual ProgramSays read_line(io::Stream stream, const std::string& line) const = 0;
  // Why the item at this address failed. `said` has the error messages of the run.
  virtual Fault why(int code, const std::vector<std::string>& said, std::string_view url) const = 0;
  // Whether the program may deliver a file with this name (X9).
  virtual bool may_deliver(std::string_view name) const = 0;
};

const Program& yt_dlp();
const Program& gallery_dl();

// Compares versions such as "2023.03.04" and "1.25.3-dev" number by number.
bool is_at_least(std::string_view version, std::string_view oldest);

// The fault for the HTTP status that follows `before` in an error message ("HTTP Error 404"),
// sorted by the http engine's rules. No value if there is no such status.
std::optional<Fault> status_fault(std::string_view text, std::string_view before);

// U50: refuses a page that a program could read as an option or a file, or that is no address.
// Allows gallery-dl's prefixes of an address ("r:https://…"). Refuses prefixes without an address
// ("ytsearch:…").
Result<void> check_page_url(std::string_view page);

// Refuses a request with a field that the program cannot honour.
Result<void> check_request(const engine::GetRequest& request, std::string_view program);

}  // namespace haul::child
