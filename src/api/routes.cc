#include "api/routes.h"

#include <algorithm>
#include <array>

#include "api/handlers/handlers.h"

namespace haul::api {
namespace {

using namespace handle;

constexpr std::size_t kBody = std::size_t{1} << 20U;         // F14: one job.
constexpr std::size_t kBodies = std::size_t{16} << 20U;      // F14: a thousand jobs.
constexpr std::size_t kWordsBody = std::size_t{256} << 10U;  // What a user says of 1,000 files.
constexpr std::size_t kSmallBody = 16'384;

constexpr std::array kRoutes{
    Route{"GET", "/ping", Need::none, ping, "Answers pong."},
    Route{"GET", "/health/live", Need::none, is_live, "Answers while the process runs."},
    Route{"GET", "/health/ready", Need::none, is_ready,
          "Whether the store answers, and which parts have trouble."},
    Route{"GET", "/metrics", Need::operate, metrics, "Metrics in the format of Prometheus."},
    Route{"POST", "/api/v1/login", Need::none, log_in,
          "Opens a session with a key, or a name and a password.", kSmallBody}
        .hashing(),
    Route{"POST", "/api/v1/logout", Need::key, log_out, "Closes the session.", kSmallBody}.audited(
        Audit::of_others, "SESSION_CLOSED"),
    Route{"GET", "/api/v1/me", Need::key, me, "The user who asks, and their scopes."},
    Route{"GET", "/api/v1/jobs", Need::read, list_jobs,
          "Jobs, newest first or by ?sort=; ?format=csv for spreadsheets, whose X-Next-Cursor is "
          "`next`. By moved, ended or priority: the latest or highest first. By ended only ended "
          "jobs, by priority only open ones."},
    Route{"POST", "/api/v1/jobs", Need::add, nullptr,
          "Adds a job, or returns the one added with the same Idempotency-Key.", kBody}
        .audited(Audit::of_others, "JOB_ADDED")
        .grouped(),
    Route{"POST", "/api/v1/jobs/batch", Need::add, add_jobs,
          "Adds up to 1,000 jobs in one transaction; one answer each, in order. An Idempotency-Key "
          "covers the whole list.",
          kBodies}
        .audited(Audit::of_others, "JOB_ADDED"),
    Route{"POST", "/api/v1/jobs/actions", Need::add, act_on_jobs,
          "Cancels, retries, pauses, resumes or deletes all jobs that match the `filter`, at most "
          "100 a call; `next` is the `cursor` of the next call. Each job has its outcome. With "
          "`dry_run` nothing changes. `files` with delete removes the files of the jobs, too.",
          kSmallBody}
        .audited(Audit::of_others, "JOB_ACTION"),
    Route{"GET", "/api/v1/jobs/{id}", Need::read, show_job, "One job."},
    Route{"DELETE", "/api/v1/jobs/{id}", Need::add, delete_job,
          "Hides an ended job from lists, searches and counts. Its row, keys, credits and audit "
          "entries stay, it can be shown by its id, and a second call changes nothing. With "
          "?files=true haul also removes the files that the job downloaded, soon after, if they "
          "are unchanged and no other job needs them; `deleted_files` says what became of them. "
          "Only batches have such files. Parts that failed items left for a retry go. An open job "
          "is refused: cancel it first."}
        .audited(Audit::of_others, "JOB_DELETED"),
    Route{"POST", "/api/v1/jobs/{id}/priority", Need::add, set_priority,
          "Sets the priority of an open job: among the jobs of its owner in its lane a higher one "
          "begins first. Owners and lanes take turns as before, and running jobs run on.",
          kSmallBody}
        .audited(Audit::of_others, "JOB_PRIORITY_SET"),
    Route{"GET", "/api/v1/jobs/{id}/items", Need::read, list_items,
          "The items of a batch, by number."},
    Route{"POST", "/api/v1/jobs/{id}/items/{n}/url", Need::add, replace_link,
          "Gives an item that failed or was cancelled another `url`: a new job, which names this "
          "one, fetches it from there. It goes on with the bytes that are here if the new link "
          "has the same size and the same bytes where they meet; else it starts over. 201 a new "
          "job, 200 the open one for the same link.",
          kSmallBody}
        .audited(Audit::of_others, "LINK_REPLACED"),
    Route{"GET", "/api/v1/jobs/{id}/events", Need::read, list_events,
          "The events of a job, oldest first."},
    Route{"GET", "/api/v1/jobs/{id}/why", Need::read, explain_job,
          "Why a job is in its state, and what happens next."},
    Route{"GET", "/api/v1/jobs/{id}/result", Need::read, show_result,
          "The result of a job: the files of a batch, or the assets of any other job."},
    Route{"POST", "/api/v1/jobs/{id}/cancel", Need::add, cancel_job,
          "Cancels a job: 200 done, 202 accepted.", kSmallBody}
        .audited(Audit::of_others, "JOB_CANCELLED"),
    Route{"POST", "/api/v1/jobs/{id}/retry", Need::add, retry_job,
          "Retries what did not arrive: 200 the same job, 201 a new one.", kSmallBody}
        .audited(Audit::of_others, "JOB_RETRIED"),
    Route{"POST", "/api/v1/jobs/{id}/pause", Need::add, pause_job,
          "Pauses a job: 200 done, 202 accepted, its worker stops first.", kSmallBody}
        .audited(Audit::of_others, "JOB_PAUSED"),
    Route{"POST", "/api/v1/jobs/{id}/resume", Need::add, resume_job, "Resumes a paused job.",
          kSmallBody}
        .audited(Audit::of_others, "JOB_RESUMED"),
    Route{"POST", "/api/v1/jobs/{id}/import", Need::add, import_job,
          "Says what a job's files are (`as`, and `files` by path), and tries to import them at "
          "once: 202 accepted. With `dry_run`: 200 and where each file would go.",
          kWordsBody}
        .audited(Audit::of_others, "JOB_IMPORTED"),
    Route{"POST", "/api/v1/resume", Need::admin, resume_store,
          "After a restore: lets haul send, pay, delete and add at clients again. Paused jobs "
          "stay paused.",
          kSmallBody}
        .audited(Audit::by_store, "RESTORE_CLEARED"),
    Route{"GET", "/api/v1/events", Need::read, listen,
          "Events as they happen, as server-sent events."},
    Route{"GET", "/api/v1/stuck", Need::read, list_stuck,
          "Jobs that are in a state for longer than it allows."},
    Route{"GET", "/api/v1/stalled", Need::read, list_stalled,
          "Running jobs that received no byte for five minutes."},
    Route{"GET", "/api/v1/reasons", Need::read, list_reasons,
          "The reasons of failed jobs and how often each occurs; ?lifecycle=, ?state=."},
    Route{"GET", "/api/v1/books", Need::read, list_books,
          "Books by title, with their assets and open jobs; ?shelf=archive|library, ?q=."},
    Route{"POST", "/api/v1/books", Need::add, add_book, "Adds a book: 201 new, 200 already there.",
          kSmallBody}
        .audited(Audit::of_others, "BOOK_ADDED"),
    Route{"GET", "/api/v1/books/{book}", Need::read, show_book,
          "One book with its assets by type and its newest jobs."},
    Route{"GET", "/api/v1/books/{book}/jobs", Need::read, list_book_jobs,
          "The jobs of a book, newest first."},
    Route{"GET", "/api/v1/assets", Need::read, list_assets,
          "Assets, by number; ?status=available|deleted|missing, ?job=."},
    Route{"GET", "/api/v1/assets/{id}/file", Need::read, show_asset_file,
          "The file of a generated image, or a redirect to a link that is valid for minutes; "
          "?size=thumbnail."},
    Route{"GET", "/api/v1/trash", Need::read, list_trash,
          "Removed downloads that are still in the trash, as `entries`, those of the newest job "
          "first."},
    Route{"POST", "/api/v1/trash/restore", Need::add, restore_trash,
          "Moves the files of a `job`, or the one at `path`, back to where they were. Replaces no "
          "file.",
          kSmallBody}
        .audited(Audit::of_others, "TRASH_RESTORED"),
    Route{"POST", "/api/v1/trash/empty", Need::add, empty_trash,
          "Deletes files in the trash for good, at most 1,000: all of yours, or only those of a "
          "`job` or `older_than` 7d. `more` says whether some are left.",
          kSmallBody}
        .audited(Audit::of_others, "TRASH_EMPTIED"),
    Route{"GET", "/api/v1/stats", Need::read, stats, "Number of jobs by lifecycle and state."},
    Route{"GET", "/api/v1/workers", Need::operate, list_workers, "Workers and their heartbeats."},
    Route{"GET", "/api/v1/lifecycles", Need::read, list_lifecycles,
          "The lifecycle tables, the request fields of each, its price in credits, if it has one, "
          "with refunds_rejected, and what it lacks (not_ready)."},
    Route{"GET", "/api/v1/lifecycles/{name}", Need::read, show_lifecycle,
          "One lifecycle table; ?format=mermaid or svg draws it."},
    Route{"GET", "/api/v1/keys", Need::key, list_keys, "Your API keys; an admin sees all keys."},
    Route{"POST", "/api/v1/keys", Need::key, add_key, "Creates a key; only this answer shows it.",
          kSmallBody}
        .audited(Audit::always, "KEY_ADDED"),
    Route{"DELETE", "/api/v1/keys/{id}", Need::key, revoke_key,
          "Revokes a key for good, with the keys and sessions created with it. The caller needs "
          "all scopes of that key."}
        .audited(Audit::always, "KEY_REVOKED"),
    Route{"GET", "/api/v1/users", Need::admin, list_users, "Users, by id."},
    Route{"POST", "/api/v1/users", Need::admin, add_user, "Adds a user.", kSmallBody}.audited(
        Audit::always, "USER_ADDED"),
    Route{"POST", "/api/v1/users/{id}", Need::admin, set_user,
          "Changes a user's role, status or password.", kSmallBody}
        .audited(Audit::always, "USER_SET")
        .hashing(),
    Route{"GET", "/api/v1/users/{id}/credits", Need::key, show_credits,
          "A user's credits: granted, available, reserved and spent."},
    Route{"GET", "/api/v1/users/{id}/credits/history", Need::key, list_credits,
          "A user's grants, reservations, spendings and refunds, newest first; ?before= an id."},
    Route{"POST", "/api/v1/users/{id}/credits", Need::admin, grant_credits,
          "Grants credits, once per Idempotency-Key, which is required.", kSmallBody}
        .audited(Audit::always, "CREDITS_GRANTED"),
    Route{"GET", "/api/v1/audit", Need::admin, list_audit, "The audit log, newest first."},
    Route{"GET", "/api/v1/openapi.json", Need::none, openapi, "This API as OpenAPI 3.1."},
    Route{"GET", "/", Need::none, page, "The web page."},
    Route{"GET", "/{view}", Need::none, page,
          "The web page at one of its views, or one of its files."},
    Route{"GET", "/{view}/{id}", Need::none, page,
          "The web page at a job or a book, or one of its files."},
};

// Every request is compared with every route, so matching allocates nothing.
bool matches(std::string_view pattern, std::span<const std::string> segments) {
  for (const std::string& segment : segments) {
    if (!pattern.starts_with('/')) return false;
    pattern.remove_prefix(1);
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    pattern.remove_prefix(part.size());
    if (part.empty() || (!part.starts_with('{') && part != segment)) return false;
  }
  return pattern.empty() || (segments.empty() && pattern == "/");
}

// The segments that match the {} of a pattern. The pattern must match.
std::vector<std::string> words_of(std::string_view pattern, std::span<const std::string> segments) {
  std::vector<std::string> words;
  for (const std::string& segment : segments) {
    pattern.remove_prefix(1);
    if (pattern.starts_with('{')) words.push_back(segment);
    pattern.remove_prefix(std::min(pattern.find('/'), pattern.size()));
  }
  return words;
}

}  // namespace

std::string_view name(Need need) {
  switch (need) {
    case Need::none:
      return "none";
    case Need::key:
      return "key";
    case Need::read:
      return "read";
    case Need::add:
      return "add";
    case Need::operate:
      return "operate";
    case Need::admin:
      return "admin";
  }
  return "admin";
}

std::span<const Route> routes() { return kRoutes; }

Found find_route(std::string_view method, const WebTarget& target) {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  Found found;
  for (const Route& route : kRoutes) {
    if (!matches(route.pattern, target.segments)) continue;
    if (route.method == wanted) return {&route, words_of(route.pattern, target.segments), {}};
    found.allow += (found.allow.empty() ? "" : ", ") + std::string{route.method};
    if (route.method == "GET") found.allow += ", HEAD";
  }
  return found;
}

std::size_t body_max(std::string_view method, std::string_view target) {
  const auto parsed = parse_target(target);
  if (!parsed) return 0;
  const Found found = find_route(method, *parsed);
  return found.route ? found.route->body_max : 0;
}

}  // namespace haul::api
