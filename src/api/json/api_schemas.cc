#include "api/json/api_schemas.h"

#include <algorithm>
#include <array>

#include "api/json/access_schemas.h"
#include "api/json/stream_schemas.h"
#include "base/ensure.h"

namespace haul::api {
namespace {

constexpr std::array kOwn{
    NamedSchema{"Error", R"(
      code: string              # A stable word.
      detail: string            # Prose; never parse it.
      fields?: map<string>      # What is wrong, by the path of the field.
      state?: string            # The job's state, if that is why haul refuses.
      allowed?: string[]        # What the job's state allows.
      correlation_id?: string   # In the log, too. The error of one job of a list has none.
    )"},
    NamedSchema{"Counts", R"(
      total: integer
      completed: integer
      downloaded: integer
      skipped: integer
      failed: integer
      cancelled: integer
      bytes: integer            # That arrived.
      enumerated: boolean       # False: there may be more items.
      percentage: number        # Completed of total, with one decimal.
    )"},
    NamedSchema{"Transfer", R"(
      have: integer             # Bytes.
      size: integer?            # Bytes; null while unknown.
      speed: number             # Bytes per second.
      eta: integer?             # Seconds.
    )"},
    NamedSchema{"JobRate", R"(
      ...Transfer
      size_least: integer?      # Bytes; the sum of the sizes that are known.
      eta_least: integer?       # Seconds; for what is known.
      waits_for: string?
      retry_in: integer?        # Seconds; set if all that is left waits for another try.
      retry_reason: string?     # Why the last try failed.
      resting: boolean
    )"},
    NamedSchema{"ItemTransfer", R"(
      n: integer
      name: string
      ...Transfer
      status: string
      retry_in: integer?        # Seconds.
      reason: string?
    )"},
    NamedSchema{"Job", R"(
      id: integer
      lifecycle: string
      state: string
      end: open|good|bad|stopped
      seq: integer              # Counts the job's moves.
      owner: integer
      request: object           # As added, with secrets hidden.
      category: string?
      engine: string?
      handle: string?           # Its id at the outside client.
      attempt: integer
      attempts_max: integer
      retries: integer
      attempts: integer
      due_at: time?
      begins_at: time?          # If its user asked for a later begin, and it has not begun.
      lease_until: time?
      worker: integer?
      reason: string?           # A stable word.
      detail: string?
      created_at: time
      moved_at: time
      started_at: time?
      ended_at: time?
      missing_since: time?
      paused: boolean
      priority: integer         # -1 low, 0 normal, 1 high.
      stuck: boolean
      success: boolean
      outcome: string?          # whole, partly or nothing; null while the job is open.
      retry_of: integer?
      hidden_at: time?          # When a user deleted it: lists and counts leave it out.
      deleted_files: DeletedFiles? # Null unless its user deleted it with its files.
      allowed: string[]         # What a user may ask for now.
      counts: Counts
      progress: JobRate?
      replayed?: boolean        # Present if an add found this job instead of adding one.
    )"},
    NamedSchema{"DeletedFiles", R"(
      removed: integer          # Files that haul removed so far.
      bytes: integer            # Of those files.
      gone: integer             # Files that were not there any more.
      kept: integer             # Files that stay.
      reasons: string[]         # Why files stay, of the first 20: PATH: why.
      waits_for: string?        # Why haul cannot go on now.
      asked_at: time
      ended_at: time?           # Null until every file was looked at.
    )"},
    NamedSchema{"JobPage", R"(
      items: Job[]
      next: string?             # The cursor of the next page; null on the last one.
      searched?: integer        # With q: so many jobs were looked at for this page.
    )"},
    NamedSchema{"BookPage", R"(
      items: Book[]
      next: string?             # The cursor of the next page; null on the last one.
      searched?: integer        # With q: so many books were looked at for this page.
    )"},
    NamedSchema{"NewJobTerms", R"(
      owner?: integer           # For an operator: the user who gets the job. Default: the caller.
      paused?: boolean          # Starts paused.
      not_before?: string       # Begins no earlier: 2026-02-03T04:05:06Z, or after 2h.
      priority?: integer -1..1  # -1 low, 0 normal, 1 high. Default: 0.
    )"},
    NamedSchema{"JobMatch", R"(
      lifecycle?: string
      state?: string
      end?: open|good|bad|stopped
      outcome?: whole|partly|nothing
      owner?: integer 1..       # Default: all jobs that the caller may see.
      stuck?: boolean
      reason?: string
      category?: string
      q?: string                # Words in the request.
    )"},
    NamedSchema{"JobAction", R"(
      action: cancel|retry|pause|resume|delete
      filter: JobMatch          # As in the list of jobs. {} is all jobs that the caller may change.
      dry_run?: boolean         # Only says what would happen.
      files?: boolean           # With delete: also removes the files of the jobs.
      limit?: integer 1..100    # Default: 100.
      cursor?: string           # The value of `next` of the call before.
    )"},
    NamedSchema{"JobOutcome", R"(
      id: integer
      state: string             # Before the action.
      outcome: done|accepted|refused|would
      job?: integer             # The new job that retries this one.
      files?: integer           # With `files`: how many files the job has downloaded.
      bytes?: integer           # Of those files.
      code?: string             # Why it is refused: a stable word.
      detail?: string
    )"},
    NamedSchema{"JobActed", R"(
      items: JobOutcome[]       # The newest job first.
      next: string?             # The cursor of the next call; null after the last one.
      action: string
      dry_run: boolean
      matched: integer          # Jobs of this call that match the filter.
      acted: integer            # How many of them did, or would do, what was asked.
      files?: integer           # With `files`: the files of those jobs together.
      bytes?: integer
    )"},
    NamedSchema{"PriorityChange", R"(
      priority: integer -1..1   # -1 low, 0 normal, 1 high.
    )"},
    NamedSchema{"NewLink", R"(
      url: string               # Where the same file is now; http or https.
    )"},
    NamedSchema{"AddedOrRefused", R"(
      status: integer           # As if the job had been added alone.
      job?: Job
      error?: Error
    )"},
    NamedSchema{"Receipt", R"(
      kind?: string             # The rule that accepted the file, such as hash or etag.
      was?: string              # Of a file that was already_here: the rule when it landed.
      size?: integer            # Bytes.
      landed_at: time           # When it landed, or was found to be here already.
      sha256?: string           # In hexadecimal digits, as the other hashes.
      sha512?: string
      sha1?: string
      md5?: string
      pieces?: string           # The algorithm of the hashes of its pieces.
      etag?: string             # As the server sent it, also a weak one.
      last_modified?: string    # As the server sent it.
      mtime?: string            # Of the file as it landed.
      url?: string              # Where redirects have led, if they have.
      sources?: string          # The URLs that sent bytes, separated by blanks, if several did.
      former_url?: string       # The link that a user replaced, if bytes of it are in the file.
      started_over?: string     # Why no bytes of that link are in the file.
      ranges?: integer[][]      # If it came in several answers: [from, to] of each, without to.
      segments?: integer        # The most connections at once, if several.
      engine?: string           # The program that delivered it.
      name?: string             # The name that the request gave it.
      beside?: string           # The file that keeps the older version.
      decoded?: boolean         # Its size is not the one that the server tells.
      unchecked?: boolean       # No certificate was checked.
      compared?: boolean        # The server said that it changed, but its bytes were the same.
    )"},
    NamedSchema{"Item", R"(
      n: integer
      key: string
      url: string
      state: string
      end: open|good|bad|stopped
      attempt: integer
      have: integer
      size: integer?
      path: string?
      evidence: Receipt?        # Null until its file has landed.
      reason: string?
      detail: string?
      updated_at: time
      progress: ItemTransfer?
    )"},
    NamedSchema{"Event", R"(
      id: integer
      job: integer
      seq: integer
      type: string              # MOVED, or the name of a note.
      at: time
      from: string?
      to: string?
      on: string?
      by: string?
      worker: integer?
      reason: string?
      data: any
    )"},
    NamedSchema{"Why", R"(
      job: integer
      lifecycle: string
      state: string
      since: time
      seen_at: time?
      code: string              # A stable word.
      because: string
      reason: string?
      detail: string?
      next: string?
      next_at: time?
      stuck: boolean
      holders: integer[]        # Jobs that it waits for.
      allowed: string[]
    )"},
    NamedSchema{"FilesResult", R"(
      success: boolean
      total_files: integer
      completed_files: integer
      failed_files: string[]    # At most 1,000.
      skipped_files: string[]   # At most 1,000.
      error_message: string?
      result: any
    )"},
    NamedSchema{"ResultAsset", R"(
      id: integer
      url?: string
      thumbnail_url?: string
      size: integer?
    )"},
    NamedSchema{"AssetsResult", R"(
      success: boolean
      assets: ResultAsset[]
      error_message: string?
    )"},
    NamedSchema{"Import", R"(
      as?: string               # What the files are, such as "S01".
      files?: map<string>       # What single files are, by path.
      dry_run?: boolean         # Only says where each file would go.
    )"},
    NamedSchema{"PreviewFile", R"(
      source: string
      target: string?
      how: string?
      size: integer
      reason: string?
    )"},
    NamedSchema{"ImportProblem", R"(
      code: string
      detail: string
      fix: string?
    )"},
    NamedSchema{"ImportPreview", R"(
      files: PreviewFile[]
      problem: ImportProblem?
    )"},
    NamedSchema{"Resumed", R"(
      resumed: boolean          # False: there was nothing to clear.
      restored_at: null
    )"},
    NamedSchema{"Reason", R"(
      reason: string
      count: integer
    )"},
    NamedSchema{"Asset", R"(
      id: integer
      book: string?
      media_type: string
      status: available|deleted|missing
      size: integer?
      created_at: time
      removed_at: time?
      job: integer?             # This and what follows: null for assets of others.
      path: string?
      checksum: string?
      source_url: string?
      source: string?
    )"},
    NamedSchema{"Book", R"(
      id: string
      title: string
      shelf: archive|library
      assets: Asset[]
      open_jobs: Job[]
    )"},
    NamedSchema{"BookWithJobs", R"(
      ...Book
      jobs: Job[]               # The newest.
    )"},
    NamedSchema{"NewBook", R"(
      id: string
      title: string
    )"},
    NamedSchema{"TrashFile", R"(
      job: integer
      path: string
      size: integer
      trashed_at: time
      leaves_at: time?          # When haul deletes it for good.
    )"},
    NamedSchema{"Trash", R"(
      entries: TrashFile[]
      next: string?
      problems: string[]        # What haul could not read.
    )"},
    NamedSchema{"TrashRestore", R"(
      job: id
      path?: string             # Default: all files of the job.
    )"},
    NamedSchema{"TrashRestored", R"(
      restored: string[]
      kept: string[]            # Still in the trash, because something is at their place.
    )"},
    NamedSchema{"TrashEmpty", R"(
      job?: id
      older_than?: string       # A duration such as 7d.
    )"},
    NamedSchema{"TrashEmptied", R"(
      files: integer
      bytes: integer
      kept: string[]
      more: boolean
    )"},
    NamedSchema{"StateCount", R"(
      lifecycle: string
      state: string
      end: open|good|bad|stopped
      count: integer
    )"},
    NamedSchema{"Shelves", R"(
      archive: integer
      library: integer
    )"},
    NamedSchema{"SpeedLimit", R"(
      bytes_per_second: integer?  # Of all downloads together. Null: no limit.
      set_by: string            # transfer.speed_limit or transfer.speed_schedule[0].
      until: time?              # When another limit begins. Null: never.
    )"},
    NamedSchema{"Stats", R"(
      jobs: StateCount[]
      stuck: integer
      books: Shelves
      workers: integer
      version: string
      restored_at: string?      # Set after a restore, until an admin resumes.
      speed_limit: SpeedLimit   # The one that holds now.
    )"},
    NamedSchema{"Worker", R"(
      id: integer
      name: string
      beat: integer
      started_at: time
      beat_at: time
    )"},
    NamedSchema{"RequestField", R"(
      name: string
      type: string|number|boolean|list|object
      required: boolean
      about: string
      values: string[]          # If not empty: one of these.
      labels: string[]          # If not empty: what people call each of the values.
      expects: string           # The range or the length of a value, in words.
      lines: boolean            # A text that may have several lines.
      long: boolean             # A text that needs a wide control, such as a URL.
      fields: RequestField[]    # Of an object.
    )"},
    NamedSchema{"LifecycleState", R"(
      name: string
      end: open|good|bad|stopped
      step: string
      leased: boolean
      stuck_after_s: integer?
      on_fault: string?
      on_fail: string?
      on_lost: string?
      on_cancel: string?
    )"},
    NamedSchema{"LifecycleMove", R"(
      from: string
      on: string
      by: string
      to: string
      guards: string[]
      needs: string?
      effects: string[]
      bound: string?
      origin: string
    )"},
    NamedSchema{"Lifecycle", R"(
      name: string
      states: LifecycleState[]
      moves: LifecycleMove[]
      request: RequestField[]
      price?: integer           # In credits.
      refunds_rejected?: boolean # With a price: a rejected job costs nothing.
      not_ready: string         # What must be configured first; empty: nothing.
    )"},
    NamedSchema{"Alive", R"(
      status: =live
    )"},
    NamedSchema{"Trouble", R"(
      part: string
      code: string
    )"},
    NamedSchema{"Ready", R"(
      status: ready|not_ready
      troubles?: Trouble[]
    )"},
};

constexpr auto kSchemas = [] {
  std::array<NamedSchema, kOwn.size() + kAccessSchemas.size() + kStreamSchemas.size()> all{};
  auto* end = std::ranges::copy(kOwn, all.begin()).out;
  end = std::ranges::copy(kAccessSchemas, end).out;
  std::ranges::copy(kStreamSchemas, end);
  return all;
}();

}  // namespace

std::span<const NamedSchema> api_schemas() { return kSchemas; }

std::string_view members_of_schema(std::string_view name) {
  const auto* const found = std::ranges::find(kSchemas, name, &NamedSchema::name);
  ensure(found != kSchemas.end(), "a schema takes over the members of one that exists");
  return found->members;
}

}  // namespace haul::api
