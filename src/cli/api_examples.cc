#include "cli/api_examples.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace haul::cli {
namespace {

struct Example {
  std::string_view about;
  std::string_view request;  // The first line, headers, and after a blank line the body.
  int status;
  std::string_view answer{};  // Some members of its JSON; empty: not shown.
};

// They run in this order with an admin's key, in a store without jobs.
constexpr std::array kExamples{
    Example{"Add a job. The same `Idempotency-Key` later finds it instead of adding another.",
            R"(POST /api/v1/jobs
Idempotency-Key: example-1

{"lifecycle": "batch", "request": {"url": "https://example.com/a.zip"}, "paused": true})",
            201,
            R"({
  "id": 1,
  "lifecycle": "batch",
  "state": "PENDING",
  "end": "open",
  "request": {"url": "https://example.com/a.zip"},
  "paused": true,
  "reason": null,
  "allowed": ["cancel", "resume"],
  "counts": {"total": 0, "completed": 0, "failed": 0},
  "created_at": "2026-01-02T03:04:05.678Z"
})"},
    Example{"The same request again.",
            R"(POST /api/v1/jobs
Idempotency-Key: example-1

{"lifecycle": "batch", "request": {"url": "https://example.com/a.zip"}, "paused": true})",
            200, R"({"id": 1, "replayed": true})"},
    Example{"Add several jobs in one transaction. Each gets its own status.",
            R"(POST /api/v1/jobs/batch

[{"lifecycle": "batch", "request": {"url": "https://example.com/b.zip"}, "paused": true}])",
            200, R"([{"status": 201, "job": {"id": 2, "state": "PENDING"}}])"},
    Example{"A field that does not exist.", R"(POST /api/v1/jobs

{"lifecycle": "batch", "request": {"ulr": "https://example.com/a.zip"}})",
            400,
            R"({
  "code": "unknown_field",
  "detail": "request.ulr: unknown field; did you mean 'url'?",
  "fields": {"request.ulr": "unknown field; did you mean 'url'?"},
  "correlation_id": "k3Jd92mQ-7"
})"},
    Example{"List the open jobs, newest first. `next` is the `cursor` of the next page.",
            "GET /api/v1/jobs?end=open&limit=1", 200,
            R"({"items": [{"id": 2, "state": "PENDING"}], "next": "2"})"},
    Example{"Show a job.", "GET /api/v1/jobs/1", 200,
            R"({"id": 1, "attempt": 0, "attempts_max": 5, "due_at": "2026-01-02T03:04:05.678Z"})"},
    Example{"Ask why a job is in its state.", "GET /api/v1/jobs/1/why", 200,
            R"({"job": 1, "state": "PENDING", "code": "paused", "because": "a user paused it",
 "next_at": null, "stuck": false, "allowed": ["cancel", "resume"]})"},
    Example{"Cancel a job.", "POST /api/v1/jobs/1/cancel", 200,
            R"({"id": 1, "end": "stopped", "reason": "canceled"})"},
    Example{"What its state no longer allows is a 409.", "POST /api/v1/jobs/1/cancel", 409,
            R"({"code": "cannot_cancel", "state": "CANCELLED", "allowed": ["retry", "delete"]})"},
    Example{"Read what happened to a job, oldest first.", "GET /api/v1/jobs/1/events", 200,
            R"({"items": [{"id": 1, "job": 1, "seq": 0, "type": "JOB_ADDED"}], "next": null})"},
    Example{"The result of a job.", "GET /api/v1/jobs/1/result", 200,
            R"({"success": false, "total_files": 0, "failed_files": [], "skipped_files": []})"},
    Example{"Create a key that may only read.", R"(POST /api/v1/keys

{"name": "dashboard", "scopes": ["read"]})",
            201,
            R"({"id": 2, "scopes": ["read"], "prefix": "t0u80lnU", "key": "haul_t0u80lnU_…"})"},
    Example{"Who asks, and what the key may do.", "GET /api/v1/me", 200,
            R"({"id": 1, "name": "admin", "role": "admin", "scopes": ["read", "add"]})"},
    Example{
        "Add a job that begins in two hours, or at a time such as `2026-02-03T04:05:06Z`.",
        R"(POST /api/v1/jobs

{"lifecycle": "batch", "request": {"url": "https://example.com/c.zip"}, "not_before": "2h"})",
        201,
        R"({"id": 3, "state": "PENDING", "paused": false, "due_at": "2026-01-02T05:04:05.678Z"})"},
    Example{"Let a job begin before the other jobs of its owner in its lane.",
            R"(POST /api/v1/jobs/3/priority

{"priority": 1})",
            200, R"({"id": 3, "priority": 1})"},
    Example{"See what a bulk action would do. Without `dry_run` it acts on up to 100 jobs a call.",
            R"(POST /api/v1/jobs/actions

{"action": "delete", "filter": {"end": "stopped"}, "dry_run": true})",
            200,
            R"({"items": [{"id": 1, "state": "CANCELLED", "outcome": "would"}], "next": null,
 "matched": 1, "acted": 1})"},
    Example{"Delete an ended job. Its files stay, and it can still be shown by its id.",
            "DELETE /api/v1/jobs/1", 200,
            R"({"id": 1, "state": "CANCELLED", "hidden_at": "2026-01-02T03:04:05.678Z"})"},
    Example{"Delete its files, too. `deleted_files` says what became of them.",
            "DELETE /api/v1/jobs/1?files=true", 200,
            R"({"id": 1, "state": "CANCELLED",
 "deleted_files": {"removed": 0, "gone": 0, "kept": 0, "ended_at": null}})"},
    Example{"Number of jobs by lifecycle and state.", "GET /api/v1/stats", 200,
            R"({"jobs": [{"lifecycle": "batch", "state": "PENDING", "count": 2}], "stuck": 0})"},
};

}  // namespace

std::string api_examples() {
  std::string text =
      "\n## Examples\n\n"
      "Each request also has a key in `X-Api-Key`, and with a body `Content-Type:\n"
      "application/json`. Answers have more members than shown. A test runs these examples in "
      "this\n"
      "order and compares them with the answers.\n\n"
      "`curl -N -H \"X-Api-Key: $KEY\" http://127.0.0.1:4285/api/v1/events` follows all events.\n";
  for (const Example& each : kExamples) {
    text += fmt::format("\n{}\n\n```http\n{}\n```\n\nAnswers `{}`", each.about, each.request,
                        each.status);
    text += each.answer.empty() ? std::string{".\n"}
                                : fmt::format(":\n\n```json\n{}\n```\n", each.answer);
  }
  return text;
}

}  // namespace haul::cli
