#pragma once
// What haul knows of a program that fetches for it: how it is called, what its lines mean, what its
// end means. Pure: a program is run elsewhere, and nothing here knows how.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "engine/http/request.h"
#include "engine/item_key.h"
#include "io/child.h"
#include "io/sight.h"

namespace haul {

// One call of a program, without the program itself.
struct ProgramCall {
  const GetRequest& request;
  std::string folder;   // Its own: "out" in it is for what it fetches, "tmp" for the rest.
  std::string cookies;  // A file of its own; empty: none.
  std::string options;  // A file of its own with private_options.
  std::string ca_file;  // Whom to trust; empty: whom the system trusts.
  Millis apart{0};      // Between requests inside a tunnel, where nobody else can see them.
};

// What a line of a fetching program says.
struct Begins {  // A file, known by its address.
  std::string url;
};
struct Comes {  // So much of a file of its own, which may be one of several that become one.
  std::string file;
  std::int64_t have = 0;
  std::optional<std::int64_t> about;
};
struct Works {  // On something that is no fetching, such as "Merging"; empty: no more.
  std::string at;
};
struct Delivered {  // A file is whole, at this path.
  std::string path;
};
struct Complains {  // Kept for the end.
  std::string text;
};
using ProgramSays = std::variant<std::monostate, Begins, Comes, Works, Delivered, Complains>;

// What was asked to be listed, and all that was written about it.
struct Listing {
  std::vector<std::string> pages;
  std::string out;
  std::vector<std::string> said;  // What it complained of.
  int code = 0;
};
// What a listing found: items, pages that must be listed, too, and pages that could not be.
struct Listed {
  std::vector<FoundItem> items;
  std::vector<std::string> pages;
  std::map<std::string, Fault> faults;  // Nothing was found there.
  std::map<std::string, Fault> broken;  // Something was, but the listing ended before its end.
};

class Program {
 public:
  virtual ~Program() = default;

  virtual std::string_view name() const = 0;  // Debian's package is called the same.
  virtual std::string_view oldest() const = 0;
  // How many pages one process may list, and how many items it may fetch.
  virtual std::size_t pages_at_once() const = 0;
  virtual std::size_t items_at_once() const = 0;
  // Ends a line of its output besides a line break.
  virtual std::string_view mark() const = 0;

  // What may carry secrets, as a file that it reads: headers, and pages, whose addresses may have
  // tokens. Everybody on the machine can read the arguments of a process.
  virtual std::string private_options(const GetRequest& request,
                                      const std::vector<std::string>& pages) const = 0;

  virtual std::vector<std::string> list_words(const ProgramCall& call) const = 0;
  virtual Listed read_listing(const Listing& listing, const Filters& filters) const = 0;

  // Says whether the program has something made for the page, without asking anybody; nothing:
  // it cannot say. It ends with 0 if so.
  virtual std::vector<std::string> match_words(const ProgramCall& call) const = 0;

  // All of the items have the same indices, page by page.
  virtual std::vector<std::string> fetch_words(const ProgramCall& call,
                                               const std::vector<PageItem>& items) const = 0;
  virtual ProgramSays read_line(Stream stream, const std::string& line) const = 0;
  // Why an item, known by its address, did not come; `said` is all that was complained of.
  virtual Fault why(int code, const std::vector<std::string>& said, std::string_view url) const = 0;
  // Whether it may deliver a file of such a name (X9).
  virtual bool may_deliver(std::string_view name) const = 0;
};

const Program& yt_dlp();
const Program& gallery_dl();

// Of "2023.03.04" and "1.25.3-dev": whether the one is at least the other, number by number.
bool is_at_least(std::string_view version, std::string_view oldest);

// A status among the words of a complaint, after `before` ("HTTP Error 404"), judged as the http
// engine judges it; nothing: there is none.
std::optional<Fault> status_fault(std::string_view text, std::string_view before);

// U50: what would be an option, a file or nothing a page can be is never an argument. Programs have
// prefixes of their own ("r:https://…", "ytsearch:…"), of which those without an address are no
// address either.
Result<void> check_page(std::string_view page);

// What this request asks that no program can be asked for.
Result<void> check_request(const GetRequest& request, std::string_view program);

}  // namespace haul
