// A child process as haul runs it: its output, how it ends, and that all its descendants end too.

#include "io/process/child.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <future>
#include <mutex>

#include "io/process/leftover_processes.h"
#include "support/io/on_loop.h"
#include "support/io/temp_folder.h"
#include "support/process/relatives.h"
#include "support/run/moment.h"

using namespace haul;
using namespace haul::testing;

namespace {

// Runs a shell script in its own folder and keeps its output.
class Script final : public io::ChildUser {
 public:
  explicit Script(const std::string& text,
                  const std::function<void(io::ChildCommand&)>& change = {}) {
    io::ChildCommand command;
    command.keeper = HAUL_BINARY;
    command.spec.argv = {"/bin/sh", "-c", text};
    command.spec.environment = {"PATH=/usr/bin:/bin", "HAUL_CHILD=" + word};
    command.spec.sandbox.folder = folder.path();
    if (change) change(command);
    loop_->post([this, command] {
      auto child = io::start_child(*loop_, command, *this);
      if (child)
        child_ = *std::move(child);
      else
        ended_.set_value({.code = -1});
    });
  }
  ~Script() override {
    on_loop([this] { child_.reset(); });
  }

  io::ChildEnd wait() { return end_.get(); }
  void kill() {
    on_loop([this] { child_->kill(); });
  }
  int pid() {
    int pid = 0;
    on_loop([&] { pid = child_->pid(); });
    return pid;
  }
  void on_line(io::Stream stream, const std::string& line) override {
    const std::lock_guard lock{mutex_};
    (stream == io::Stream::out ? out_ : err_) += line + "\n";
  }
  void on_end(const io::ChildEnd& end) override { ended_.set_value(end); }

  const std::string word = unique_word();
  const TempFolder folder;
  std::string out() {
    const std::lock_guard lock{mutex_};
    return out_;
  }
  std::string err() {
    const std::lock_guard lock{mutex_};
    return err_;
  }

 private:
  void on_loop(const std::function<void()>& work) { testing::on_loop(*loop_, work); }

  std::mutex mutex_;
  std::string out_;
  std::string err_;
  std::promise<io::ChildEnd> ended_;
  std::future<io::ChildEnd> end_ = ended_.get_future();
  std::unique_ptr<haul::io::Child> child_;
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(system_clock());  // Destroyed first.
};

}  // namespace

TEST_CASE("what a child writes comes line by line, and its end after") {
  Script script{"echo one; echo two >&2; printf three; exit 7"};

  CHECK(script.wait().code == 7);
  CHECK(script.out() == "one\nthree\n");
  CHECK(script.err() == "two\n");
}

TEST_CASE("a child that a signal ends, one that is not there, and one that cannot be run") {
  CHECK(Script{"kill -TERM $$"}.wait().code == 128 + 15);
  CHECK(Script{"", [](io::ChildCommand& command) { command.spec.argv = {"/usr/bin/nothing"}; }}
            .wait()
            .code == io::kNotFound);
  CHECK(Script{"", [](io::ChildCommand& command) { command.spec.argv = {"/etc/passwd"}; }}
            .wait()
            .code == io::kCannotRun);
}

TEST_CASE("X1: a child that writes without end is ended") {
  Script script{"while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
                [](io::ChildCommand& command) { command.output_bytes_max = 100'000; }};

  CHECK(script.wait().wrote_too_much);
}

TEST_CASE("X11: it is alone in its session, in its folder, with no more than it was given") {
  Script script{"pwd; env | sort; ls /proc/self/fd | tr '\\n' ' '; cat; ulimit -c"};
  script.wait();

  CHECK(script.out() == fmt::format("{}\nHAUL_CHILD={}\nPATH=/usr/bin:/bin\nPWD={}\n0 1 2 3 0\n",
                                    script.folder.path().string(), script.word,
                                    script.folder.path().string()));
}

TEST_CASE("X7: killed, it takes along whatever it started, wherever that has hidden") {
  Script script{
      "trap '' TERM INT HUP; (setsid sh -c 'setsid sleep 1000 & sleep 1000' &) ; "
      "echo ready; sleep 1000"};
  REQUIRE(comes_true([&] { return script.out() == "ready\n"; }));
  REQUIRE(comes_true([&] { return relatives(script.word).size() >= 4; }));

  script.kill();

  CHECK(script.wait().code == 128 + 9);
  CHECK(relatives(script.word).empty());
}

TEST_CASE("F14: a child with more processes than it may have is ended, as root too") {
  Script script{"for i in $(seq 100); do sleep 5 & done; wait",
                [](io::ChildCommand& command) { command.spec.sandbox.tasks_max = 20; }};

  CHECK(script.wait().code != 0);
  CHECK(relatives(script.word).empty());
}

TEST_CASE("F31: leftovers are known by pid, start time and boot, and no other process is touched") {
  Script script{"echo ready; sleep 1000"};
  REQUIRE(comes_true([&] { return script.out() == "ready\n"; }));
  auto mark = io::mark_of(script.pid(), script.word);
  REQUIRE(mark);
  mark->store = "a1b2c3d4e5f6";
  CHECK(io::ProcessMark::from_text(mark->to_text()) == *mark);

  io::ProcessMark other = *mark;
  other.boot = "of another day";
  CHECK(io::kill_leftovers(other) == 0);
  other = *mark;
  other.start += 1;  // The pid now belongs to another process.
  other.token = "another";
  CHECK(io::kill_leftovers(other) == 0);
  other = *mark;
  other.pid = 1;
  CHECK(io::kill_leftovers(other) == 0);

  CHECK(io::kill_leftovers(*mark) >= 1);
  CHECK(script.wait().code != 0);
}

TEST_CASE("a mark that makes no sense names no process") {
  for (const char* text :
       {"", "x", "boot 1 5 t s", "boot 0 5 t s", "boot -4 5 t s", "boot 7 5", "boot 7 5 t"})
    CHECK_MESSAGE(!io::ProcessMark::from_text(text), text);
}
