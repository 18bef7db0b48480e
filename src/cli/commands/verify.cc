#include "cli/commands/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

constexpr std::string_view kProven = "proven";

struct VerifyReport {
  VerifyOutput output;
  std::size_t files = 0;
  std::size_t proven = 0;

  void tell(const std::string& path, const Verified& verified) {
    ++files;
    proven += verified.verdict == kProven ? 1U : 0U;
    if (output.form == OutputForm::json)
      output.terminal.out << fmt::format("{{\"path\":{},\"verdict\":{},\"detail\":{}}}\n",
                                         json_quoted(path), json_quoted(verified.verdict),
                                         json_quoted(verified.detail));
    else
      output.terminal.out << fmt::format("{}  {} ({})\n", verified.verdict, printable(path),
                                         printable(verified.detail));
  }
  int exit_code() const { return files > 0 && proven == files ? 0 : 1; }
};

int refuse(const Fault& fault, VerifyOutput output) {
  if (output.form == OutputForm::json)
    output.terminal.err << fmt::format("{{\"code\":{},\"detail\":{}}}\n", json_quoted(fault.code),
                                       json_quoted(fault.detail));
  else
    output.terminal.err << "haul: " << printable(fault.detail) << "\n";
  return 1;
}

}  // namespace

bool is_job(const VerifyOptions& options) {
  constexpr std::size_t kDigitsMax = 18;
  if (options.what.size() != 1) return false;
  const std::string& what = options.what.front();
  return !what.empty() && what.size() <= kDigitsMax &&
         std::ranges::all_of(what, [](char each) { return each >= '0' && each <= '9'; });
}

int run_verify_files(const VerifyOptions& options, const Verifier& verifier,
                     const ReceiptStores& stores, VerifyOutput output) {
  VerifyReport report{.output = output};
  bool has_all = true;
  for (const std::string& what : options.what) {
    const auto path = std::filesystem::absolute(what).lexically_normal();
    const auto receipt = verifier.find(path, stores);
    if (receipt)
      report.tell(receipt->path, verifier.check(*receipt));
    else
      refuse(receipt.error(), output);
    has_all = has_all && receipt.has_value();
  }
  return has_all ? report.exit_code() : 1;
}

int run_verify_job(const VerifyOptions& options, const Verifier& verifier, Remote remote) {
  VerifyReport report{.output = {.terminal = remote.terminal, .form = remote.form}};
  const auto walked =
      walk(remote,
           {.path = job_path(std::stoll(options.what.front()), "/items"),
            .page = {.limit = {}, .all = true},
            .default_limit = 100},
           [&](const ListView& page) {
             for (const std::string& text : page.items) {
               const auto item = JsonView::read(text);
               if (!item || item->json("evidence").empty() || item->text("path").empty()) continue;
               const Receipt receipt{item->text("path"), item->number("size").value_or(0),
                                     item->json("evidence")};
               report.tell(receipt.path, verifier.check(receipt));
             }
           });
  if (!walked) return tell(walked.error(), remote);
  if (report.files == 0)
    return refuse({FaultKind::rejected, "no_receipt",
                   fmt::format("job {} has no file with a receipt", options.what.front())},
                  report.output);
  return report.exit_code();
}

}  // namespace haul::cli
