#include "api/routes.h"

#include <algorithm>
#include <array>

#include "api/handlers/handlers.h"

namespace haul {
namespace {

using namespace handle;

constexpr std::size_t kBody = std::size_t{1} << 20U;     // F14: one job.
constexpr std::size_t kBodies = std::size_t{16} << 20U;  // F14: a thousand jobs.
constexpr std::size_t kSmallBody = 16'384;

constexpr std::array kRoutes{
    Route{"GET", "/ping", Need::nobody, ping, "Answers."},
    Route{"GET", "/health/live", Need::nobody, is_live, "The process runs."},
    Route{"GET", "/health/ready", Need::nobody, is_ready, "The store answers."},
    Route{"GET", "/metrics", Need::operate, metrics,
          "Counters and gauges as Prometheus reads them."},
    Route{"POST", "/api/v1/login", Need::nobody, log_in,
          "Opens a session with a key, or a name and a password.", kSmallBody}
        .hashing(),
    Route{"POST", "/api/v1/logout", Need::key, log_out, "Closes the session.", kSmallBody}.audited(
        Audit::of_others, "SESSION_CLOSED"),
    Route{"GET", "/api/v1/me", Need::key, me, "Who asks, and what they may."},
    Route{"GET", "/api/v1/jobs", Need::read, list_jobs, "Jobs, newest first."},
    Route{"POST", "/api/v1/jobs", Need::add, add_job,
          "Adds a job, or finds the one that its Idempotency-Key has.", kBody}
        .audited(Audit::of_others, "JOB_ADDED"),
    Route{"POST", "/api/v1/jobs/batch", Need::add, add_jobs,
          "Adds up to 1,000 jobs in one transaction; one answer each, in order. An Idempotency-Key "
          "is for "
          "the whole list.",
          kBodies}
        .audited(Audit::of_others, "JOB_ADDED"),
    Route{"GET", "/api/v1/jobs/{id}", Need::read, show_job, "One job."},
    Route{"GET", "/api/v1/jobs/{id}/items", Need::read, list_items,
          "The files of a batch, by number."},
    Route{"GET", "/api/v1/jobs/{id}/events", Need::read, list_events,
          "What happened to it, oldest first."},
    Route{"GET", "/api/v1/jobs/{id}/why", Need::read, explain_job,
          "Why it is where it is, and what comes next."},
    Route{"GET", "/api/v1/jobs/{id}/result", Need::read, show_result, "What came of it."},
    Route{"POST", "/api/v1/jobs/{id}/cancel", Need::add, cancel_job,
          "Stops it: 200 done, 202 written down.", kSmallBody}
        .audited(Audit::of_others, "JOB_CANCELLED"),
    Route{"POST", "/api/v1/jobs/{id}/retry", Need::add, retry_job,
          "Tries again what did not arrive: 200 the same job, 201 a new one.", kSmallBody}
        .audited(Audit::of_others, "JOB_RETRIED"),
    Route{"POST", "/api/v1/jobs/{id}/pause", Need::add, pause_job,
          "Keeps it from being worked on: 200 done, 202 written down, its worker stops first.",
          kSmallBody}
        .audited(Audit::of_others, "JOB_PAUSED"),
    Route{"POST", "/api/v1/jobs/{id}/resume", Need::add, resume_job, "Lets it go on.", kSmallBody}
        .audited(Audit::of_others, "JOB_RESUMED"),
    Route{
        "POST", "/api/v1/resume", Need::admin, resume_store,
        "After a restore: lets haul send, pay, delete and add at clients again. Resumes no paused "
        "job.",
        kSmallBody}
        .audited(Audit::by_store, "RESTORE_CLEARED"),
    Route{"GET", "/api/v1/events", Need::read, listen,
          "Everything as it happens, as server-sent events."},
    Route{"GET", "/api/v1/stuck", Need::read, list_stuck,
          "Jobs that are longer in a state than it allows."},
    Route{"GET", "/api/v1/stalled", Need::read, list_stalled,
          "Jobs at work of which no byte has come for five minutes."},
    Route{"GET", "/api/v1/books", Need::read, list_books,
          "Books by title, with their assets and open jobs; ?shelf=archive|library, ?q=."},
    Route{"POST", "/api/v1/books", Need::add, add_book,
          "Makes a book: 201 new, 200 the one that is known.", kSmallBody}
        .audited(Audit::of_others, "BOOK_ADDED"),
    Route{"GET", "/api/v1/books/{book}", Need::read, show_book,
          "One book: its assets by type, and the newest of its jobs."},
    Route{"GET", "/api/v1/books/{book}/jobs", Need::read, list_book_jobs,
          "The jobs that were to fetch it, newest first."},
    Route{"GET", "/api/v1/assets", Need::read, list_assets,
          "What has arrived, by number; ?status=available|deleted|missing."},
    Route{"GET", "/api/v1/stats", Need::read, stats,
          "How many jobs there are, by lifecycle and state."},
    Route{"GET", "/api/v1/workers", Need::operate, list_workers, "Who works."},
    Route{"GET", "/api/v1/lifecycles", Need::read, list_lifecycles,
          "The tables that jobs move by, and what each is asked with."},
    Route{"GET", "/api/v1/lifecycles/{name}", Need::read, show_lifecycle,
          "One table; ?format=mermaid or svg draws it."},
    Route{"GET", "/api/v1/keys", Need::key, list_keys, "One's own keys; an admin sees all."},
    Route{"POST", "/api/v1/keys", Need::key, add_key, "Makes a key, which is shown once.",
          kSmallBody}
        .audited(Audit::always, "KEY_ADDED"),
    Route{"DELETE", "/api/v1/keys/{id}", Need::key, revoke_key,
          "Revokes a key that has no more scopes than the one that asks, for ever, with the keys "
          "and sessions made by it."}
        .audited(Audit::always, "KEY_REVOKED"),
    Route{"GET", "/api/v1/users", Need::admin, list_users, "Users, by number."},
    Route{"POST", "/api/v1/users", Need::admin, add_user, "Adds a user.", kSmallBody}.audited(
        Audit::always, "USER_ADDED"),
    Route{"POST", "/api/v1/users/{id}", Need::admin, set_user,
          "Changes a user's role, status or password.", kSmallBody}
        .audited(Audit::always, "USER_SET")
        .hashing(),
    Route{"GET", "/api/v1/users/{id}/credits", Need::key, show_credits,
          "A wallet: what was granted, is available, is reserved and is spent."},
    Route{"POST", "/api/v1/users/{id}/credits", Need::admin, grant_credits,
          "Grants credits, once for each Idempotency-Key, which is required.", kSmallBody}
        .audited(Audit::always, "CREDITS_GRANTED"),
    Route{"GET", "/api/v1/audit", Need::admin, list_audit,
          "Who did what that needs answering for."},
    Route{"GET", "/api/v1/openapi.json", Need::nobody, openapi, "This API, described."},
    Route{"GET", "/", Need::nobody, page, "The page."},
    Route{"GET", "/{view}", Need::nobody, page,
          "The page, at one of its views, or one of its files."},
    Route{"GET", "/{view}/{id}", Need::nobody, page, "The page, at a job, or one of its files."},
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

// The segments that stand for the {} of a pattern. The pattern must match.
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
    case Need::nobody:
      return "nobody";
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

}  // namespace haul
