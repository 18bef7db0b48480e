#pragma once
// Jobs that an outside download client fetches. haul hands new jobs to it and asks about the
// others, at most a hundred per cycle, the longest waiting first. Books and films share this.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/client/cycle.h"
#include "flow/client/judge.h"
#include "flow/worker/client_work.h"
#include "flow/worker/desk.h"
#include "seam/engine.h"

namespace haul::flow {

class ClientJobs final : public ClientWork {
 public:
  // Adds to a verdict what only the lifecycle knows, before it is carried out.
  using Complete = std::function<void(const ClientJob&, Verdict&)>;

  ClientJobs(Desk& desk, RemoteEngine& client, const Lifecycle& lifecycle, Complete complete = {});

  void look() override;
  void see(const ClientJob& read, const What& what) override;
  // A0-7: the request tells the client whether to delete the files too.
  void stop(std::span<const Job> jobs) override;
  void hasten(const Job& job, IntentId cancel) override;
  std::vector<ClientTransfer> transfers() const override;
  // How many jobs it knows to be missing at the client.
  std::size_t marked() const { return marks_.size(); }

 private:
  // A job's missing_since, and when this process first saw it.
  struct KnownMark {
    Time mark;
    Steady since;
  };
  // What the job's row and intents say: whether the client ever got it, how many hand-overs failed,
  // and which hand-over or cancel is open.
  struct Past {
    bool was_given = false;
    int failed = 0;
    std::optional<Intent> hand_over;
    std::optional<Intent> cancel;
  };
  // A job whose look is due, and what the worker does with it.
  struct Due {
    Job job;
    std::string request;
    Past past;
    DueAct act = DueAct::look;
    Millis next_look{0};  // After this one.
  };
  class Round;

  static Past past_of(const ClientJob& read);
  Due due_of(ClientJob read) const;
  // The due jobs whose turn it is.
  std::vector<Due> take_turns();
  // Writes when their next looks are due. One answer each: false if the job has changed since it
  // was read, or is paused.
  std::vector<bool> put_off(std::span<const Due> turns);
  void act_on(const Due& due, std::vector<Order>& looks);
  void stop_one(const Job& job, const std::string& request);
  void hand_over(const Due& due);
  ClientView view_of(const Job& job);
  void carry_out(const ClientJob& read, Verdict verdict);
  void see_mark(const Job& job, const Observed& seen);
  void show_progress(const Job& job, const What& what);
  void see_hand_over(const ClientJob& read, const Past& past, const What& what);
  void see_cancelling(const Job& job, const Intent& cancel, const What& what);
  void grant_cancel(const Job& job, const Intent& cancel);
  // A job that the client no longer works on, or all of them: another worker asks the client now.
  void forget(JobId job);
  void forget_all();
  std::size_t open_at_client();

  Desk& desk_;
  RemoteEngine& client_;
  const Lifecycle& lifecycle_;
  const Complete complete_;
  const std::string duty_;  // One worker of many asks the client.
  Cycle cycle_;
  std::map<JobId, KnownMark> marks_;
  std::map<JobId, ClientTransfer> moving_;
  std::map<JobId, IntentId> cancels_;  // Those that a look has seen, or was made due for.
};

}  // namespace haul::flow
