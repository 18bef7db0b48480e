#pragma once
// Ends a call at the provider, if the provider can do that. Lives on the loop's thread.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/imageapi/env.h"

namespace haul::imageapi {

class CancelCall : public std::enable_shared_from_this<CancelCall> {
 public:
  // `then` gets a fault if the provider did not answer as it should, within a second. The
  // environment outlives it.
  using Then = std::function<void(Result<void>)>;
  CancelCall(const ImageEnv& env, const std::string& handle, Then then);

  void begin() { next(); }

 private:
  void next();
  void see(const Result<io::HttpWhole>& answer);

  const ImageEnv& env_;
  const std::vector<ProviderRequest> requests_;
  const Then then_;
  const Steady until_;
  std::size_t sent_ = 0;
  io::HttpFetcher fetcher_;
};

}  // namespace haul::imageapi
