#pragma once
// The commands that use the daemon's API: their options, and what they share.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/commands/commands.h"
#include "cli/commands/get.h"
#include "cli/draw/paint.h"
#include "cli/remote/client.h"

namespace haul::cli {

// Where the daemon is, and the key to use.
struct ApiAddress {
  std::string url = "http://127.0.0.1:4285";
  bool url_given = false;      // By --url or HAUL_URL; it is not the default.
  std::string key;             // Empty: the key in admin.key.
  std::filesystem::path data;  // The folder of admin.key.
  bool data_given = false;     // The user named the folder; it is not the default.
};
using OpenClient = std::function<Result<std::unique_ptr<ApiClient>>(const ApiAddress&)>;

enum class OutputForm : std::uint8_t { text, json };

struct Remote {
  ApiClient& client;
  const Clock& clock;
  Terminal terminal;
  OutputForm form = OutputForm::text;
  Colour colour = Colour::off;
  std::size_t columns = 0;  // Of the terminal. Zero: no terminal, so nothing is cut.

  bool is_json() const { return form == OutputForm::json; }
};

struct AddOptions {
  std::vector<std::string> words;  // LIFECYCLE field=value…, or URLs.
  std::string key;
  std::optional<std::int64_t> owner;
  bool paused = false;
  std::string not_before;  // A time or a duration; empty: at once.
  std::string priority;    // A word or a number; empty: normal.
  std::string category;    // For URLs alone; a LIFECYCLE takes it as field=value.
};
int run_add(const AddOptions& options, Remote remote);

struct PageOptions {
  std::optional<int> limit;
  bool all = false;
};

struct JobsOptions {
  std::string lifecycle;
  std::string state;
  std::string end;
  std::string outcome;
  std::optional<std::int64_t> owner;
  bool stuck = false;
  std::string search;
  std::string sort;
  std::string category;
  PageOptions page;
  bool csv = false;
};
int run_jobs(const JobsOptions& options, Remote remote);
int run_stuck(const PageOptions& options, Remote remote);

struct ShowOptions {
  std::int64_t id = 0;
  bool all = false;       // Every item, not only the first hundred.
  bool receipts = false;  // The receipt of each of them, also of many.
};
int run_show(const ShowOptions& options, Remote remote);
int run_why(std::int64_t id, Remote remote);

struct EventsOptions {
  std::int64_t id = 0;
  bool follow = false;
};
int run_events(const EventsOptions& options, Remote remote);

enum class JobAct : std::uint8_t { cancel, retry, pause, resume, remove };
std::string_view verb_of(JobAct act);
// What a delete does with the files that the jobs have downloaded.
enum class JobFiles : std::uint8_t { keep, remove };
int run_act(JobAct act, const std::vector<std::int64_t>& ids, Remote remote,
            JobFiles files = JobFiles::keep);

// Selects jobs for an action, as the filters of `haul jobs` do.
struct MatchOptions {
  std::string lifecycle;
  std::string state;
  std::string end;
  std::string outcome;
  std::string reason;
  std::string search;
  std::optional<std::int64_t> owner;
  bool stuck = false;
  bool every = false;    // All jobs that the user may change.
  bool dry_run = false;  // Only say what would happen.
  std::string category{};
};

struct ActOptions {
  std::vector<std::int64_t> ids;
  MatchOptions match;
  bool files = false;  // Of delete: removes them, too.
};
// By ids or by a filter; a usage error if both or neither are given.
int run_act_on(JobAct act, const ActOptions& options, Remote remote);

struct PriorityOptions {
  std::string priority;  // low, normal, high or its number.
  std::vector<std::int64_t> ids;
};
int run_priority(const PriorityOptions& options, Remote remote);
// The priority as a number of JSON; nothing if the text is none.
std::optional<int> priority_named(std::string_view text);
// The error of a text that is no priority; empty if it is one.
std::string wrong_priority(const std::string& text);

struct LinkOptions {
  std::int64_t id = 0;
  std::string item;  // Its number, or the URL that it has now.
  std::string url;   // The new one.
};
// Gives an item of a job another link.
int run_replace_url(const LinkOptions& options, Remote remote);

// Z-31: allows actions outside haul again after a restore.
int run_resume_all(Remote remote);

struct ImportOptions {
  std::int64_t id = 0;
  std::string as;
  std::vector<std::string> files;  // "a.mkv=S01E02"
  bool dry_run = false;
};
int run_import(const ImportOptions& options, Remote remote);

struct ImageOptions {
  std::string prompt;
  std::vector<std::string> params{};  // "size=1024x1024"
  std::filesystem::path output{};     // Empty: image-JOB.png in the current folder.
  bool force = false;                 // Replace an existing file.
  std::string key{};
  std::optional<std::int64_t> job{};  // Get the image of this job; add none.
};
int run_image(const ImageOptions& options, Remote remote, const Surroundings& around,
              Screen& screen);

struct WatchOptions {
  std::optional<std::int64_t> id;  // Nullopt: all jobs.
};
// Draws on `screen` instead of the terminal's streams.
int run_watch(const WatchOptions& options, Remote remote, const Surroundings& around,
              Screen& screen);

// Sends the request of a get to the daemon and watches the job.
int run_get_by_daemon(const GetOptions& given, std::istream& standard_input, Remote remote,
                      Screen& screen);

struct RelayOptions {
  std::string path;   // On the cloud disk.
  std::string chat;   // Its number, or @name.
  std::string user;   // An id or a name. Empty: the one whose key this is.
  std::string nonce;  // Empty: a random one.
  bool paused = false;
};
// Sends a file of the cloud disk into a chat.
int run_relay(const RelayOptions& options, Remote remote);

enum class BookAct : std::uint8_t { list, add, show };

struct BookOptions {
  BookAct act = BookAct::list;
  std::string id;
  std::string title;
  std::string shelf;
  std::string search;
  PageOptions page;
};
int run_book(const BookOptions& options, Remote remote);

enum class TrashAct : std::uint8_t { list, restore, empty };

struct TrashOptions {
  TrashAct act = TrashAct::list;
  std::int64_t job = 0;    // Zero: all jobs.
  std::string path;        // Empty: all files.
  std::string older_than;  // "7d"
  PageOptions page;
};
int run_trash(const TrashOptions& options, Remote remote);

enum class UsersAct : std::uint8_t { list, add, set };

struct UsersOptions {
  UsersAct act = UsersAct::list;
  std::string user;  // An id or a name.
  std::string role;
  std::string status;
  // Read from the first line of standard input: every user can see a process's arguments.
  bool password = false;
  PageOptions page;
};
int run_users(const UsersOptions& options, std::istream& standard_input, Remote remote);

enum class KeysAct : std::uint8_t { list, add, revoke };

struct KeysOptions {
  KeysAct act = KeysAct::list;
  std::string name;
  std::vector<std::string> scopes;
  std::string user;
  std::int64_t id = 0;
  PageOptions page;
};
int run_keys(const KeysOptions& options, Remote remote);

enum class CreditsAct : std::uint8_t { show, grant, history };

struct CreditsOptions {
  CreditsAct act = CreditsAct::show;
  std::string user;
  std::int64_t amount = 0;
  std::string detail;
  std::string key;  // Empty: a random one.
  PageOptions page{};
};
int run_credits(const CreditsOptions& options, Remote remote);

int run_audit(const PageOptions& options, Remote remote);

}  // namespace haul::cli
