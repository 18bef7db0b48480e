// `haul credits`: shows a user's credits or their history, or grants some.

#include <fmt/core.h>

#include <cstdlib>

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

// "-2", "+10": what the entry did to the available credits. A spend takes what was reserved.
std::string change_of(const JsonView& entry) {
  const std::string kind = entry.text("kind");
  const std::int64_t amount = std::abs(entry.number("amount").value_or(0));
  if (kind == "spend") return std::to_string(amount);
  return fmt::format("{}{}", kind == "reserve" ? '-' : '+', amount);
}

int print_history(std::int64_t user, const PageOptions& page, Remote remote) {
  Table table{{{.title = "AT", .least = 19, .spare = 1},
               {.title = "KIND", .least = 7},
               {.title = "CREDITS", .align = Align::right, .least = 7},
               {.title = "JOB", .align = Align::right, .least = 3},
               {.title = "DETAIL", .least = 12}},
              remote.columns,
              remote.colour};
  const Walk history{.path = fmt::format("/api/v1/users/{}/credits/history", user),
                     .page = page,
                     .cursor = "before"};
  return print_table(remote, history, std::move(table), [](Table& rows, const JsonView& entry) {
    rows.add({{time_of(entry, "at"), Ink::dim},
              {entry.text("kind")},
              {change_of(entry)},
              {entry.text("job")},
              {entry.text("detail")}});
  });
}

}  // namespace

int run_credits(const CreditsOptions& options, Remote remote) {
  const auto id = user_id(remote, options.user);
  if (!id) return tell(id.error(), remote);
  if (options.act == CreditsAct::history) return print_history(*id, options.page, remote);
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
