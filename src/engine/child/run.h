#pragma once
// One process of a program that works for a job: its folder, its proxy, its environment, its end.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/child/child.h"
#include "engine/child/staging.h"
#include "io/file/landing.h"
#include "io/process/child.h"
#include "io/proxy/proxy.h"

namespace haul::child {

// What the runs of one job share.
struct ChildJob {
  engine::GetRequest request;
  io::LandingFolder landing;
};

struct ChildEnv {
  const Program& program;
  io::PollLoop& loop;
  Gate& gate;
  io::Lander& lander;
  const Clock& clock;
  const ChildSettings& settings;
  const std::string& boot;
};

// How haul starts every program. The program gets nothing of haul's environment but this.
io::ChildCommand child_command(const Program& program, const ChildSettings& settings,
                               const std::filesystem::path& work, const std::string& token);
// Random. Marks a program's processes and is the password of its proxy.
std::string new_token();

class Run {
 public:
  struct Name {
    io::PartOwner owner;      // The first of its items. Item 0 if it only lists or asks.
    std::int64_t number = 0;  // Distinguishes runs of the same owner.
  };
  // Creates the folder, the proxy and the options file with the pages. Does not start the program.
  static Result<std::unique_ptr<Run>> prepare(ChildEnv env, const ChildJob& job, const Name& name,
                                              const std::vector<std::string>& pages,
                                              std::int64_t start);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  ProgramCall call(const ChildJob& job) const;
  [[nodiscard]] Result<void> begin(const std::vector<std::string>& words, io::ChildUser& user);
  void kill();
  // Called periodically. Why the program must stop: it has written more than `size_max`, or the
  // disk is full. No value if it may go on.
  std::optional<Fault> overrun(std::int64_t size_max);
  io::Proxy& proxy() { return *proxy_; }
  const Staging& staging() const { return staging_; }

 private:
  Run(ChildEnv env, const ChildJob& job, Staging staging, std::string token);

  ChildEnv env_;
  Staging staging_;
  std::string token_;
  std::string cookies_;
  std::string options_;
  io::Room room_;
  std::optional<Steady> measured_;
  std::unique_ptr<io::Proxy> proxy_;
  std::unique_ptr<io::Child> child_;
};

// The error messages of a run, kept to explain its end.
class Complaints {
 public:
  void add(std::string text);
  const std::vector<std::string>& all() const { return said_; }

 private:
  std::vector<std::string> said_;  // The first and the last; those between are dropped.
};

}  // namespace haul::child
