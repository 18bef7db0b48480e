#pragma once
// The rules of moves as pure functions: what may move, what the row is afterwards, and what else
// the same transaction writes. A backend reads what a rule asks for, calls it, and writes the
// result.

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/jobs.h"

namespace haul::rules {

// What a rule may ask about a job. Answered from the transaction that will move it.
class JobFacts {
 public:
  virtual ~JobFacts() = default;

  virtual bool is_owner_active(JobId job) = 0;
  virtual bool has_items_left(JobId job) = 0;
  // Whether another open job has the key or the slot of this ended one.
  virtual bool is_replaced(JobId job) = 0;
};

// What a move writes besides the row and its event.
struct SettleActs {};  // Open intents of acts: their outcome stays unknown, and an event says so.
struct CountRetry {};  // retries + 1.
struct ForgetTransfer {};  // Handle, missing_since, started_at, result, reason and detail.
struct RecordAsset {};     // Ask::assets.
struct RecordDelivery {};  // Ask::delivery, if there is one.
struct SpendCredit {};
struct RefundCredit {};
struct AuditBlock {  // An entry of the audit log, about the job's owner.
  std::string_view action;
  std::string detail;
};
struct CancelItems {};
struct FailItems {};  // Each live item, with the reason of the ask.
struct ReturnItems {};
struct ClearParts {};  // An intent: a worker removes what is left on the disk.
struct NoteStarted {};
struct NoteError {
  std::string message;
  bool recoverable = false;
};
struct NoteCancelled {};
struct NoteDone {};
using MoveWrite =
    std::variant<SettleActs, CountRetry, ForgetTransfer, RecordAsset, RecordDelivery, SpendCredit,
                 RefundCredit, AuditBlock, CancelItems, FailItems, ReturnItems, ClearParts,
                 NoteStarted, NoteError, NoteCancelled, NoteDone>;

// `counted` counts an attempt although the move does not: a lost worker spent the last one.
enum class Loss : std::uint8_t { none, counted };

// A granted move. The backend compares the row with Ask::version, sets it to this, and writes the
// rest.
struct GrantedMove {
  JobVersion after;
  End end = End::open;
  bool compares_worker = false;     // The row's worker must be the asking one.
  bool needs_unpaused = false;      // The row must not be paused.
  bool keeps_lease = false;         // Otherwise the row has no worker afterwards.
  bool keeps_reason = false;        // The last problem stays visible.
  bool sets_started = false;        // started_at = now.
  bool frees_key = false;           // The key finds this job no more.
  std::optional<Time> due_at{};     // Set while open.
  std::vector<MoveWrite> writes{};  // In order.
};
std::expected<GrantedMove, Refusal> grant_move(const Ask& ask, Loss loss, JobFacts& facts,
                                               Time now);

// Another worker for a job that stays in its state. The backend compares the row with `before` and
// `from`, sets it to the rest, and writes the note.
struct LeaseChange {
  JobVersion before;
  JobVersion after;              // Another fence or attempt.
  WorkerId from;                 // The row's worker; zero for none.
  WorkerId to;                   // The row's worker afterwards.
  std::optional<Time> due_at{};  // Stays if absent.
  std::string reason{};          // Stays if empty, and so does the detail.
  std::string detail{};
  std::string_view note{};  // The type of the event.
};

// A worker takes over a job that no worker holds.
LeaseChange adopt(const JobVersion& version, WorkerId worker);

// A job whose worker was lost.
struct LostJob {
  JobVersion version;
  WorkerId worker;
  bool waits = false;       // It waited in its state, and its worker did nothing for it.
  bool has_handle = false;  // The outside works on it, whatever became of its worker.
};

// What happens to a job whose worker was lost, by its state's on_lost answer.
struct LossAnswer {
  enum class Kind : std::uint8_t {
    none,
    move,   // Ask for `ask`.
    adopt,  // Make `change`: the next worker takes over in the same state.
    fail,   // This was the last attempt, so on_fail answers. Ask for `ask`.
  } kind = Kind::none;
  Ask ask{};
  Loss loss = Loss::none;
  LeaseChange change{};
};
// A job that goes into a timed wait waits by its lifecycle's backoff, moved by `chance` (0 to 1).
// Any other job, and each one without a chance, is due now. A job that waited, and that the next
// worker adopts, loses no attempt and keeps its reason: no work on it was lost. The same holds for
// one with a handle, and for its last loss: the next worker looks at what it was to get.
LossAnswer answer_loss(const LostJob& lost, std::optional<double> chance, Time now);

// How a worker gives a lease back: by a move, or in the same state if that has no such move.
std::variant<Ask, LeaseChange> give_back(const Release& release, Time now);

}  // namespace haul::rules
