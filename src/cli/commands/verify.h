#pragma once
// `haul verify`: reads files again and compares them with their receipts.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/receipt.h"
#include "cli/commands/commands.h"
#include "cli/remote/remote.h"

namespace haul::cli {

struct VerifyOptions {
  std::vector<std::string> what{};  // Paths of files, or the number of one job.
};

// What came of a file, as a word that stays the same and as prose.
struct Verified {
  std::string verdict;  // proven, unchanged, changed, gone or unreadable
  std::string detail;
};

// Folders that have stores.
struct ReceiptStores {
  std::filesystem::path get;     // The one of `haul get`, with a store per destination.
  std::filesystem::path daemon;  // Its data folder.
};

// The parts that only app/ can make.
struct Verifier {
  // The receipt of a file, from the store of its folder or from the daemon's.
  std::function<Result<Receipt>(const std::filesystem::path& file, const ReceiptStores& stores)>
      find;
  std::function<Verified(const Receipt& receipt)> check;
};

// True if it is the number of a job, and no path.
bool is_job(const VerifyOptions& options);

struct VerifyOutput {
  Terminal terminal;
  OutputForm form;
};

// Exit code 0 only if all files are proven.
int run_verify_files(const VerifyOptions& options, const Verifier& verifier,
                     const ReceiptStores& stores, VerifyOutput output);
// The files of a job, which must be on this machine.
int run_verify_job(const VerifyOptions& options, const Verifier& verifier, Remote remote);

}  // namespace haul::cli
