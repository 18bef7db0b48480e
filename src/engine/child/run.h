#pragma once
// One process of a program at work for a job: its folder, its proxy, its surroundings, its end.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/child/child.h"
#include "engine/child/staging.h"
#include "engine/http/taken_names.h"
#include "io/child.h"
#include "io/proxy.h"

namespace haul {

// What the runs of one job share.
struct ChildJob {
  GetRequest request;
  std::shared_ptr<const Folder> folder;
  TakenNames names;
};

struct ChildEnv {
  const Program& program;
  PollLoop& loop;
  Gate& gate;
  Lander& lander;
  const Clock& clock;
  const ChildSettings& settings;
  const std::string& boot;
};

// How a program is started anywhere: nothing of ours but this.
ChildAsk ask_for(const Program& program, const ChildSettings& settings,
                 const std::filesystem::path& work, const std::string& token);
std::string new_token();

class Run {
 public:
  struct Name {
    PartOwner owner;          // The first of its items; item 0: none, it only looks.
    std::int64_t number = 0;  // Tells it from others of the same owner.
  };
  // Its folder, its proxy and the pages it is for; the program is not started yet.
  static Result<std::unique_ptr<Run>> prepare(ChildEnv env, const ChildJob& job, const Name& name,
                                              const std::vector<std::string>& pages,
                                              std::int64_t start);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  ProgramCall call(const ChildJob& job) const;
  [[nodiscard]] Result<void> begin(const std::vector<std::string>& words, ChildUser& user);
  void kill();
  // Now and then: why it must not go on, because it has written more than this or the disk has no
  // room. Nothing: it may.
  std::optional<Fault> overrun(std::int64_t size_max);
  Proxy& proxy() { return *proxy_; }
  const Staging& staging() const { return staging_; }

 private:
  Run(ChildEnv env, const ChildJob& job, Staging staging, std::string token);

  ChildEnv env_;
  Staging staging_;
  std::string token_;
  std::string cookies_;
  std::string options_;
  Room room_;
  std::optional<Steady> measured_;
  std::unique_ptr<Proxy> proxy_;
  std::unique_ptr<Child> child_;
};

// What the lines of a program leave for its end to be judged by.
class Complaints {
 public:
  void add(std::string text);
  const std::vector<std::string>& all() const { return said_; }

 private:
  std::vector<std::string> said_;  // The first and the last of them.
};

}  // namespace haul
