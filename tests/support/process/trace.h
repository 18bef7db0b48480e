#pragma once
// The system calls by which a program changes the disk, as strace sees them, and a kill at any one
// of them.

#include <string>
#include <vector>

namespace haul::testing {

// Whether strace can trace programs here. Reports the test as skipped if it cannot.
bool can_trace();

struct DiskCall {
  std::string name;  // "renameat2"
  int number = 0;    // From 1: which call of this name, since the program started.
  std::string line;  // As strace prints it.
};

// Runs the program to its end and lists the calls of its first thread that change the disk, from
// the call that has `begin` in its line on. Throws if the program fails, or makes a call of which
// this list does not say whether it changes the disk.
std::vector<DiskCall> disk_calls(const std::vector<std::string>& command, const std::string& begin);

// Runs the program and kills it with SIGKILL as it enters this call, which is then not made. False
// if the program ended before.
bool is_killed_at(const std::vector<std::string>& command, const DiskCall& call);

}  // namespace haul::testing
