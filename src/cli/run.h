#pragma once
// The whole command line. app/ provides the parts that only it can make.

#include "cli/commands/commands.h"
#include "cli/commands/get.h"
#include "cli/remote/declare_remote.h"

namespace haul::cli {

struct Makers {
  Maintenance maintenance;
  OpenGet open_get;
  CleanGet clean_get;
  std::function<int(const ServeOptions&, Terminal)> serve;
  std::function<int(const ConfigOptions&, Terminal)> config;
  RemoteMakers remote;
  std::istream& standard_input;
  PlanGet plan_get{};
  ReadCookies cookies{};
  int input = -1;  // The descriptor of standard input. Negative: only the stream is read.
  ReadMetalink read_metalink{};
};

// Parses the command line and runs its command.
int run(int argc, const char* const* argv, const Makers& makers, Terminal terminal);

}  // namespace haul::cli
