#pragma once
// Runs other programs from a test. Arguments go through no shell, and every child is reaped.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haul::testing {

struct Finished {
  int code = 0;  // The exit code, or minus the signal that ended it.
  std::string out;
  std::string err;
};

// Runs a program to its end, with empty standard input.
Finished run_program(const std::vector<std::string>& argv);

// Makes the command die with the thread that starts it, so with the test, however the test ends.
std::vector<std::string> bound(std::vector<std::string> command);

// Sets where every later Child writes its standard error. Default: the test's own.
void set_stderr_of_children(int descriptor);
// What the children of this test case have written to their standard error so far.
std::string read_stderr_of_children();
// Whether one of them has written these words, which a daemon does when it logs them.
bool has_logged(std::string_view words);

// A running program with its standard output on a pipe. The destructor kills and reaps it.
class Child {
 public:
  // Standard input: empty, or a pipe that closes when the test ends, even if the test is killed. A
  // child that watches the pipe then ends too.
  enum class Input : std::uint8_t { empty, open };
  explicit Child(const std::vector<std::string>& argv, Input input = Input::empty);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  // Waits for the next whole line of its output. Empty if there will be no more.
  std::optional<std::string> line();
  // Waits until it ends by itself, and reads its output meanwhile so that it never blocks. Returns
  // how it ended. Its output can still be read.
  int wait();
  // Whether it has ended. Reaps nothing.
  bool has_ended() const;
  // Sends a signal to its pid, if it still runs.
  void signal(int number) const;
  // Sends SIGKILL to its pid and waits until it is gone. Returns how it ended, as Finished::code
  // does. Its output can still be read.
  int kill();

 private:
  bool read_more();

  pid_t pid_ = -1;
  bool running_ = false;
  int ended_ = 0;
  int input_ = -1;
  int output_ = -1;
  std::string unread_;
};

}  // namespace haul::testing
