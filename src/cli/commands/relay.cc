// `haul relay`: sends a file of the cloud disk into a chat.

#include <fmt/core.h>

#include "base/json.h"
#include "base/secret.h"
#include "cli/commands/send_job.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

constexpr std::size_t kNonceLength = 22;  // 128 bits.

// The user whom the options name, or the one whose key this is.
OrFailure<std::string> receiver(const RelayOptions& options, Remote remote) {
  if (!options.user.empty()) return options.user;
  const auto me = ask_object(remote, "/api/v1/me");
  if (!me) return std::unexpected{me.error()};
  return me->text("id");
}

}  // namespace

int run_relay(const RelayOptions& options, Remote remote) {
  const auto user = receiver(options, remote);
  if (!user) return tell(user.error(), remote);
  const std::string nonce = options.nonce.empty() ? random_base62(kNonceLength) : options.nonce;
  const std::string request =
      fmt::format(R"({{"user_id":{},"chat_id":{},"file_id":{},"nonce":{}}})", json_quoted(*user),
                  json_quoted(options.chat), json_quoted(options.path), json_quoted(nonce));
  const std::string body = fmt::format(R"({{"lifecycle":"relay","request":{}{}}})", request,
                                       options.paused ? R"(,"paused":true)" : "");
  return send_job(remote, body, {});
}

}  // namespace haul::cli
