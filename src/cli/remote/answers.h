#pragma once
// Sends a command's requests to the daemon. Returns a good answer or a failure in words.

#include <string>
#include <string_view>

#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"

namespace haul::cli {

// A failure, worded for a person and for a program.
struct Failure {
  std::string line;  // Without "haul: " in front; safe to print.
  std::string json;  // The daemon's body, or one of the same shape.
  int exit_code = 1;
};
template <class T>
using OrFailure = std::expected<T, Failure>;

// A good answer's status and body. Otherwise a Failure that says what is wrong: no daemon answers
// (and how to start it), the key is not accepted (and where it is from), the move is not possible
// (and which moves are), or the daemon's own words.
OrFailure<ApiAnswer> ask(Remote remote, const ApiRequest& what);
OrFailure<ApiAnswer> ask(Remote remote, const std::string& path);
OrFailure<JsonView> ask_object(Remote remote, const std::string& path);

Failure failure_of(const Fault& fault, const ApiClient& client);
Failure failure_of(const ApiAnswer& answer, const ApiClient& client);
Failure wrong_usage(const std::string& detail);

// Prints the failure as text or JSON; returns the exit code.
int tell(const Failure& failure, Remote remote, std::string_view about = "");

// Encodes a value for a path or a query: "a%20b".
std::string url_encoded(std::string_view text);
std::string job_path(std::int64_t id, std::string_view rest = "");

// Reads a list page by page, as far as the options say; `each` gets one page at a time. The daemon
// reads a bounded number of jobs per page, so a page may be short or empty and have a next one:
// walk() goes on until it has as many as the options ask for, for up to kSearchPagesMax pages.
inline constexpr int kSearchPagesMax = 200;
struct Walk {
  std::string path;  // Without limit and cursor.
  PageOptions page;
  int default_limit = 20;              // The limit if the options give none.
  std::string_view items = "items";    // The field of a page that has the items.
  std::string_view cursor = "cursor";  // The parameter that asks for the next page.
};
using OnPage = std::function<void(const ListView&)>;
// Returns `next`, or empty.
OrFailure<std::string> walk(Remote remote, const Walk& what, const OnPage& each);

// What `each` has got so far.
struct ShownItems {
  std::int64_t shown = 0;
  std::int64_t searched = 0;

  void add(const ListView& page);
};
// The line below a list that has a next page. `things` names what a search reads: "jobs".
std::string more_line(const Walk& what, const ShownItems& listed, std::string_view things);

// Prints the list as JSON, page by page.
int print_list(Remote remote, const Walk& what);

}  // namespace haul::cli
