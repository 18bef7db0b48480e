// `haul credits`: shows a user's credits, or grants some.

#include <fmt/core.h>

#include "base/secret.h"
#include "cli/commands/user_id.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/json_body.h"
#include "cli/remote/print.h"

namespace haul::cli {
namespace {

constexpr std::size_t kKeyLength = 22;  // 128 bits.

std::string wallet_lines(const JsonView& wallet, Colour colour) {
  std::string lines = fact_lines({{"granted", wallet.text("granted")},
                                  {"available", wallet.text("available"), Ink::green},
                                  {"reserved", wallet.text("reserved")},
                                  {"spent", wallet.text("spent")}},
                                 colour);
  if (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace

int run_credits(const CreditsOptions& options, Remote remote) {
  const auto id = user_id(remote, options.user);
  if (!id) return tell(id.error(), remote);
  ApiRequest what{.path = fmt::format("/api/v1/users/{}/credits", *id)};
  if (options.act == CreditsAct::grant) {
    JsonBody body;
    body.json("amount", std::to_string(options.amount)).text("detail", options.detail);
    what.method = "POST";
    what.body = body.str();
    what.idempotency_key = options.key.empty() ? random_base62(kKeyLength) : options.key;
  }
  return print_reply(remote, what,
                     [&](const JsonView& wallet) { return wallet_lines(wallet, remote.colour); });
}

}  // namespace haul::cli
