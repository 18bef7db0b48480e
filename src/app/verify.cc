#include "app/verify.h"

#include <fmt/core.h>

#include "app/get_job.h"
#include "io/file/recheck.h"
#include "store/open.h"
#include "store/refusal.h"

namespace haul::app {
namespace {

std::string_view word_for(io::Rechecked is) {
  switch (is) {
    case io::Rechecked::proven:
      return "proven";
    case io::Rechecked::unchanged:
      return "unchanged";
    case io::Rechecked::changed:
      return "changed";
    case io::Rechecked::gone:
      return "gone";
    case io::Rechecked::unreadable:
      return "unreadable";
  }
  return "unreadable";
}

// In the store of the file's folder, or of a folder above it: a program lands files below the
// destination. Last in the daemon's.
Result<Receipt> find_receipt(const std::filesystem::path& file, const cli::ReceiptStores& stores) {
  try {
    for (std::filesystem::path folder = file.parent_path(); folder.has_relative_path();
         folder = folder.parent_path())
      if (auto found =
              inspect_receipt(store_url(get_data_folder(stores.get, folder)), file.string()))
        return *std::move(found);
    if (auto found = inspect_receipt(store_url(stores.daemon), file.string()))
      return *std::move(found);
  } catch (const StoreFault& fault) {
    return std::unexpected{Fault{FaultKind::environment, "store_fault", fault.what()}};
  }
  return std::unexpected{
      Fault{FaultKind::rejected, "no_receipt",
            fmt::format("{}: no receipt: haul did not download it to this path", file.string())}};
}

}  // namespace

cli::Verifier make_verifier() {
  return {.find = find_receipt, .check = [](const Receipt& receipt) {
            const io::RecheckAnswer answer = io::recheck(receipt);
            return cli::Verified{std::string{word_for(answer.is)}, answer.detail};
          }};
}

}  // namespace haul::app
