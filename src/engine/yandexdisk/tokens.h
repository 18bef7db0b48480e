#pragma once
// The disk's OAuth token. When the disk refuses it, one worker of all gets a new one with the
// refresh token and keeps it sealed in the store; the others read it there (Z-14). Lives on the
// loop's thread.

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/yandexdisk/replies.h"
#include "engine/yandexdisk/settings.h"
#include "io/web/http_fetcher.h"
#include "seam/token_keeper.h"

namespace haul::yandexdisk {

// What the keeper has. The texts are secret.
struct TokenRecord {
  std::string source;  // Which configured tokens it stems from.
  std::string token;
  std::string refresh_token;
  std::int64_t claimed_until = 0;  // Unix time in ms: until then another worker is refreshing.

  bool operator==(const TokenRecord&) const = default;
};
std::string record_text(const TokenRecord& record);
// Empty if the text is no record.
TokenRecord read_record(const std::string& text);

class DiskTokens {
 public:
  using Then = std::function<void(Result<std::string>)>;

  DiskTokens(io::HttpLoop& loop, const Clock& clock, TokenKeeper& keeper,
             const DiskSettings& settings);

  // The token to use now. It may be empty, if only a refresh token is configured.
  Result<std::string> current();
  // The disk refused this token. Gives another one: the newer one that a worker has put into the
  // keeper, or a fresh one. Calls `then` once. Faults: kUnauthorised, an OAuth server that gives no
  // token for now (environment), `store_unavailable`.
  void replace(const std::string& refused, Then then);

 private:
  struct Asked {
    std::string refused;
    Then then;
  };

  Result<KeptToken> read();  // Also sets record_.
  void begin();
  void claim();
  void wait_for_other();
  void refresh();
  void see(const Result<io::HttpWhole>& answer);
  void keep(const DiskGrant& grant);
  void end(const Result<std::string>& token);

  io::HttpLoop& loop_;
  const Clock& clock_;
  TokenKeeper& keeper_;
  const DiskSettings& settings_;
  io::HttpFetcher fetcher_;
  const std::string source_;
  TokenRecord record_;        // As last read or written.
  std::int64_t version_ = 0;  // Of the record.
  std::vector<Asked> asked_;  // Who waits. Not empty while a refresh goes on.
  int waits_ = 0;             // For the other worker.
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace haul::yandexdisk
