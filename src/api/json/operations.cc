#include "api/json/operations.h"

#include <algorithm>
#include <array>

namespace haul::api {
namespace {

constexpr std::string_view kLimit = "limit: integer 1..100 # Default: 20.";
constexpr std::string_view kPage = R"(
    limit: integer 1..100 # Default: 20.
    cursor: string        # The value of `next` of the page before.
)";
constexpr std::string_view kKey = R"(
    Idempotency-Key?: string # The same value repeats a request without doing it again.
)";

constexpr std::array kTags{
    OperationTag{"jobs", "Add jobs, look at them, change them."},
    OperationTag{"library", "Books, assets and the trash."},
    OperationTag{"access", "Sessions, keys, users and credits."},
    OperationTag{"daemon", "Health, workers, lifecycles and this description."},
    OperationTag{"page", "The files of the web page."},
};

constexpr std::array kOperations{
    Operation{.route = "GET /ping", .id = "ping", .tag = "daemon", .answers = "200:text/plain"},
    Operation{
        .route = "GET /health/live", .id = "is_live", .tag = "daemon", .answers = "200:Alive"},
    Operation{.route = "GET /health/ready",
              .id = "is_ready",
              .tag = "daemon",
              .answers = "200:Ready 503:Ready"},
    Operation{
        .route = "GET /metrics", .id = "metrics", .tag = "daemon", .answers = "200:text/plain"},
    Operation{.route = "POST /api/v1/login",
              .id = "log_in",
              .tag = "access",
              .body = "Login",
              .answers = "200:LoggedIn",
              .errors = "401 403 429"},
    Operation{.route = "POST /api/v1/logout", .id = "log_out", .tag = "access", .answers = "204:"},
    Operation{.route = "GET /api/v1/me", .id = "me", .tag = "access", .answers = "200:Me"},
    Operation{.route = "GET /api/v1/jobs",
              .id = "list_jobs",
              .tag = "jobs",
              .query = R"(
                  lifecycle: string
                  state: string
                  end: open|good|bad|stopped
                  outcome: whole|partly|nothing
                  owner: integer 1.. # Default: all jobs that the caller may see.
                  stuck: true|false
                  reason: string # A code: a to z, 0 to 9 and _.
                  category: string
                  q: string # Words in the request; also category:NAME before them.
                  sort: created|moved|ended|priority # Default: created. The latest first.
                  format: json|csv # Default: what Accept says, else json.
                  limit: integer 1..100 # Default: 20.
                  cursor: string # The value of `next` of the page before.
              )",
              .answers = "200:JobPage,text/csv",
              .errors = "422"},
    Operation{.route = "POST /api/v1/jobs",
              .id = "add_job",
              .tag = "jobs",
              .headers = kKey,
              .body = "NewJob",
              .answers = "200:Job 201:Job",
              .errors = "404 409 422"},
    Operation{.route = "POST /api/v1/jobs/batch",
              .id = "add_jobs",
              .tag = "jobs",
              .headers = kKey,
              .body = "NewJob[]",
              .answers = "200:AddedOrRefused[]",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/actions",
              .id = "act_on_jobs",
              .tag = "jobs",
              .body = "JobAction",
              .answers = "200:JobActed",
              .errors = "422"},
    Operation{
        .route = "GET /api/v1/jobs/{id}", .id = "show_job", .tag = "jobs", .answers = "200:Job"},
    Operation{.route = "DELETE /api/v1/jobs/{id}",
              .id = "delete_job",
              .tag = "jobs",
              .query = R"(
                  files: true|false # Default: false. Whether its files are removed, too.
              )",
              .answers = "200:Job",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/{id}/priority",
              .id = "set_priority",
              .tag = "jobs",
              .body = "PriorityChange",
              .answers = "200:Job",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/{id}/items/{n}/url",
              .id = "replace_link",
              .tag = "jobs",
              .body = "NewLink",
              .answers = "200:Job 201:Job",
              .errors = "409 422"},
    Operation{.route = "GET /api/v1/jobs/{id}/items",
              .id = "list_items",
              .tag = "jobs",
              .query = R"(
                  state: string
                  limit: integer 1..100 # Default: 20.
                  cursor: string # The value of `next` of the page before.
              )",
              .answers = "200:page<Item>"},
    Operation{.route = "GET /api/v1/jobs/{id}/events",
              .id = "list_events",
              .tag = "jobs",
              .query = kPage,
              .answers = "200:page<Event>"},
    Operation{.route = "GET /api/v1/jobs/{id}/why",
              .id = "explain_job",
              .tag = "jobs",
              .answers = "200:Why"},
    Operation{.route = "GET /api/v1/jobs/{id}/result",
              .id = "show_result",
              .tag = "jobs",
              .answers = "200:FilesResult|AssetsResult"},
    Operation{.route = "POST /api/v1/jobs/{id}/cancel",
              .id = "cancel_job",
              .tag = "jobs",
              .answers = "200:Job 202:Job",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/{id}/retry",
              .id = "retry_job",
              .tag = "jobs",
              .answers = "200:Job 201:Job",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/{id}/pause",
              .id = "pause_job",
              .tag = "jobs",
              .answers = "200:Job 202:Job",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/{id}/resume",
              .id = "resume_job",
              .tag = "jobs",
              .answers = "200:Job",
              .errors = "409"},
    Operation{.route = "POST /api/v1/jobs/{id}/import",
              .id = "import_job",
              .tag = "jobs",
              .body = "Import?",
              .answers = "200:ImportPreview 202:Job",
              .errors = "409 422"},
    Operation{.route = "POST /api/v1/resume",
              .id = "resume_store",
              .tag = "daemon",
              .answers = "200:Resumed"},
    Operation{.route = "GET /api/v1/events",
              .id = "listen",
              .tag = "jobs",
              .query = "job: integer 1.. # Only events of this job.",
              .headers = "Last-Event-ID?: string # Sends first what was missed since this id.",
              .answers = "200:text/event-stream",
              .errors = "404"},
    Operation{.route = "GET /api/v1/stuck",
              .id = "list_stuck",
              .tag = "jobs",
              .query = kLimit,
              .answers = "200:page<Job>"},
    Operation{.route = "GET /api/v1/stalled",
              .id = "list_stalled",
              .tag = "jobs",
              .query = kLimit,
              .answers = "200:page<Job>"},
    Operation{.route = "GET /api/v1/reasons",
              .id = "list_reasons",
              .tag = "jobs",
              .query = R"(
                  lifecycle: string
                  state: string
              )",
              .answers = "200:page<Reason>"},
    Operation{.route = "GET /api/v1/books",
              .id = "list_books",
              .tag = "library",
              .query = R"(
                  shelf: archive|library
                  q: string # Words in the title.
                  limit: integer 1..100 # Default: 20.
                  cursor: string # The value of `next` of the page before.
              )",
              .answers = "200:BookPage"},
    Operation{.route = "POST /api/v1/books",
              .id = "add_book",
              .tag = "library",
              .body = "NewBook",
              .answers = "200:Book 201:Book"},
    Operation{.route = "GET /api/v1/books/{book}",
              .id = "show_book",
              .tag = "library",
              .answers = "200:BookWithJobs"},
    Operation{.route = "GET /api/v1/books/{book}/jobs",
              .id = "list_book_jobs",
              .tag = "library",
              .query = kPage,
              .answers = "200:page<Job>"},
    Operation{.route = "GET /api/v1/assets",
              .id = "list_assets",
              .tag = "library",
              .query = R"(
                  status: available|deleted|missing
                  job: integer 1..
                  limit: integer 1..100 # Default: 20.
                  cursor: string # The value of `next` of the page before.
              )",
              .answers = "200:page<Asset>",
              .errors = "404"},
    Operation{.route = "GET /api/v1/assets/{id}/file",
              .id = "show_asset_file",
              .tag = "library",
              .query = "size: =thumbnail",
              .headers = R"(
                  Range?: string
                  If-Range?: string
                  If-None-Match?: string
              )",
              .answers = "200:image/* 206:image/* 302: 304:",
              .errors = "416"},
    Operation{.route = "GET /api/v1/trash",
              .id = "list_trash",
              .tag = "library",
              .query = kPage,
              .answers = "200:Trash"},
    Operation{.route = "POST /api/v1/trash/restore",
              .id = "restore_trash",
              .tag = "library",
              .body = "TrashRestore",
              .answers = "200:TrashRestored",
              .errors = "404 409"},
    Operation{.route = "POST /api/v1/trash/empty",
              .id = "empty_trash",
              .tag = "library",
              .body = "TrashEmpty?",
              .answers = "200:TrashEmptied",
              .errors = "404 409"},
    Operation{.route = "GET /api/v1/stats", .id = "stats", .tag = "daemon", .answers = "200:Stats"},
    Operation{.route = "GET /api/v1/workers",
              .id = "list_workers",
              .tag = "daemon",
              .answers = "200:page<Worker>"},
    Operation{.route = "GET /api/v1/lifecycles",
              .id = "list_lifecycles",
              .tag = "daemon",
              .answers = "200:page<Lifecycle>"},
    Operation{.route = "GET /api/v1/lifecycles/{name}",
              .id = "show_lifecycle",
              .tag = "daemon",
              .query = "format: json|mermaid|svg # Default: json.",
              .answers = "200:Lifecycle,text/plain,image/svg+xml"},
    Operation{.route = "GET /api/v1/keys",
              .id = "list_keys",
              .tag = "access",
              .query = kPage,
              .answers = "200:page<Key>"},
    Operation{.route = "POST /api/v1/keys",
              .id = "add_key",
              .tag = "access",
              .body = "NewKey",
              .answers = "201:MadeKey",
              .errors = "404"},
    Operation{.route = "DELETE /api/v1/keys/{id}",
              .id = "revoke_key",
              .tag = "access",
              .answers = "204:"},
    Operation{.route = "GET /api/v1/users",
              .id = "list_users",
              .tag = "access",
              .query = kPage,
              .answers = "200:page<User>"},
    Operation{.route = "POST /api/v1/users",
              .id = "add_user",
              .tag = "access",
              .body = "NewUser",
              .answers = "201:User",
              .errors = "409 422"},
    Operation{.route = "POST /api/v1/users/{id}",
              .id = "set_user",
              .tag = "access",
              .body = "UserChange",
              .answers = "200:User",
              .errors = "409 422"},
    Operation{.route = "GET /api/v1/users/{id}/credits",
              .id = "show_credits",
              .tag = "access",
              .answers = "200:Wallet"},
    Operation{.route = "GET /api/v1/users/{id}/credits/history",
              .id = "list_credits",
              .tag = "access",
              .query = R"(
                  limit: integer 1..100 # Default: 20.
                  before: string # The value of `next` of the page before.
              )",
              .answers = "200:page<Credit>"},
    Operation{.route = "POST /api/v1/users/{id}/credits",
              .id = "grant_credits",
              .tag = "access",
              .headers = "Idempotency-Key: string # A new value for each grant.",
              .body = "NewGrant",
              .answers = "200:Granted",
              .errors = "409 422"},
    Operation{.route = "GET /api/v1/audit",
              .id = "list_audit",
              .tag = "access",
              .query = kPage,
              .answers = "200:page<AuditEntry>"},
    Operation{.route = "GET /api/v1/openapi.json",
              .id = "openapi",
              .tag = "daemon",
              .answers = "200:object"},
    Operation{.route = "GET /", .id = "show_page", .tag = "page", .answers = "200:text/html"},
    Operation{
        .route = "GET /{view}", .id = "show_view", .tag = "page", .answers = "200:text/html,*/*"},
    Operation{.route = "GET /{view}/{id}",
              .id = "show_object_view",
              .tag = "page",
              .answers = "200:text/html,*/*"},
};

}  // namespace

std::span<const Operation> operations() { return kOperations; }

const Operation* find_operation(std::string_view method, std::string_view pattern) {
  const auto* const found = std::ranges::find_if(kOperations, [&](const Operation& each) {
    return each.route.starts_with(method) && each.route.substr(method.size()).starts_with(' ') &&
           each.route.substr(method.size() + 1) == pattern;
  });
  return found == kOperations.end() ? nullptr : &*found;
}

std::span<const OperationTag> operation_tags() { return kTags; }

}  // namespace haul::api
