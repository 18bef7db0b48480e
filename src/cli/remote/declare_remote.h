#pragma once
// Declares the commands that use the daemon's API, and runs the chosen one.

#include <functional>
#include <optional>
#include <vector>

#include "cli/commands/doctor.h"
#include "cli/commands/verify.h"
#include "cli/remote/remote.h"

namespace CLI {
class App;
}

namespace haul::cli {

// The parts that only app/ can make.
struct RemoteMakers {
  OpenClient open_client;
  Examine examine;
  Verifier verifier;
  const Clock& clock;
};

class RemoteCommands {
 public:
  explicit RemoteCommands(std::filesystem::path default_data);
  RemoteCommands(const RemoteCommands&) = delete;
  RemoteCommands& operator=(const RemoteCommands&) = delete;

  // Call after `get` is declared: this adds --daemon to it.
  void declare(CLI::App& app);

  // Nullopt if the chosen command is not one of these.
  std::optional<int> run(const RemoteMakers& makers, const GetOptions& get,
                         std::istream& standard_input, Terminal terminal);

 private:
  struct Run {
    Remote remote;
    const GetOptions& get;
    std::istream& standard_input;
  };
  using Chosen = std::function<int(const Run&)>;

  CLI::App* command(CLI::App& app, const char* name, const char* about, const Chosen& chosen);
  // `address` is the name of the option with the daemon's URL.
  void add_common(CLI::App& command, const char* address);
  void set_url(const std::string& url);
  void declare_looks(CLI::App& app);
  void declare_acts(CLI::App& app);
  void declare_priority(CLI::App& app);
  void declare_image(CLI::App& app);
  void declare_import(CLI::App& app);
  void declare_relay(CLI::App& app);
  void declare_book(CLI::App& app);
  void declare_trash(CLI::App& app);
  void declare_users(CLI::App& app);
  void declare_keys(CLI::App& app);
  void declare_credits(CLI::App& app);
  void declare_doctor(CLI::App& app);
  void declare_verify(CLI::App& app);

  ApiAddress address_;
  bool json_ = false;
  bool by_daemon_ = false;
  bool doctor_ = false;
  bool verify_ = false;
  Chosen chosen_;

  AddOptions add_;
  JobsOptions jobs_;
  PriorityOptions priority_;
  LinkOptions link_;
  PageOptions stuck_;
  PageOptions audit_;
  ShowOptions show_;
  EventsOptions events_;
  std::int64_t why_ = 0;
  ActOptions act_;
  bool resume_all_ = false;
  ImageOptions image_;
  ImportOptions import_;
  WatchOptions watch_;
  RelayOptions relay_;
  BookOptions book_;
  TrashOptions trash_;
  UsersOptions users_;
  KeysOptions keys_;
  CreditsOptions credits_;
  DoctorOptions doctor_options_;
  VerifyOptions verify_options_;
};

}  // namespace haul::cli
