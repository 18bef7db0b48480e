#pragma once
// Asking the daemon on behalf of a person: an answer to go on with, or words for what went wrong.

#include <string>
#include <string_view>

#include "cli/json_view.h"
#include "cli/remote.h"

namespace haul {

// Something that did not work: what a person reads, and what a program reads.
struct Failure {
  std::string line;  // Without "haul: " before it; safe to print.
  std::string json;  // The daemon's own body, or one of the same shape.
  int exit_code = 1;
};
template <class T>
using Asked = std::expected<T, Failure>;

// A good answer's body and status. What is wrong with all else: the daemon is not there (and how
// to start it), the key does not open it (and where it is from), a move that is not possible (and
// those that are), or simply what it says.
Asked<ApiAnswer> ask(Remote remote, const ApiAsk& what);
Asked<ApiAnswer> ask(Remote remote, const std::string& path);
Asked<JsonView> ask_object(Remote remote, const std::string& path);

Failure failure_of(const Fault& fault, const ApiClient& client);
Failure failure_of(const ApiAnswer& answer, const ApiClient& client);
Failure wrong_usage(const std::string& detail);

// Says it in the form the person wants; gives the exit code.
int tell(const Failure& failure, Remote remote, std::string_view about = "");

// "a%20b": a value as part of a path or a query.
std::string url_encoded(std::string_view text);
std::string job_path(std::int64_t id, std::string_view rest = "");

// Walks through a list, page by page, as far as the options say: `each` gets one page at a time.
struct Walk {
  std::string path;  // Without limit and cursor.
  PageOptions page;
  int usual = 20;  // How many where nothing is said.
};
using OnPage = std::function<void(const ListView&)>;
Asked<std::string> walk(Remote remote, const Walk& what, const OnPage& each);  // `next`, or empty.

// The same as one JSON list, printed as it comes.
int print_list(Remote remote, const Walk& what);

}  // namespace haul
