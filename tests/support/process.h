#pragma once
// Other programs, run by a test. Arguments go through no shell, and every child is reaped.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace haul::testing {

struct Finished {
  int code = 0;  // The exit code, or minus the signal that ended it.
  std::string out;
  std::string err;
};

// Runs a program to its end, with nothing on its standard input.
Finished run_program(const std::vector<std::string>& argv);

// Where a child that is left running writes its standard error; until then, where the test does.
void set_stderr_of_children(int descriptor);

// A program left running, its standard output on a pipe; killed and reaped at the latest when this
// goes out of scope.
class Child {
 public:
  // What it finds on its standard input: nothing, or a pipe that ends when the test does, even by
  // a kill, so that a child that watches it is never left behind.
  enum class Input : std::uint8_t { empty, open };
  explicit Child(const std::vector<std::string>& argv, Input input = Input::empty);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  // The next whole line of its output, waited for; none: there will be no more.
  std::optional<std::string> line();
  // Waits until it ends by itself, reading on meanwhile so that it never waits for us; says how it
  // ended. What it had written can still be read.
  int wait();
  // A signal to its pid, if it runs.
  void signal(int number) const;
  // SIGKILL to its pid, and waits until it is gone; says how it ended, as Finished::code does.
  // What it had written can still be read.
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
