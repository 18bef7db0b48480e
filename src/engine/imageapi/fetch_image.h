#pragma once
// Fetches the image that an answer of the provider names (S4-17). Lives on the loop's thread.

#include <functional>
#include <memory>
#include <string>

#include "engine/imageapi/env.h"

namespace haul::imageapi {

// One fetch. Destroying it ends the fetch without a callback.
class ImageFetch {
 public:
  // The bytes, or a fault. Retryable: it may be there later. `image_gone` (permanent): it will not.
  using Then = std::function<void(Result<std::string>)>;

  virtual ~ImageFetch() = default;
};

// An address that the provider chose is fetched without the login, and from addresses that users
// may reach; each redirect is checked again. The environment outlives the fetch.
std::shared_ptr<ImageFetch> fetch_image(const ImageEnv& env, const GivenAddress& given,
                                        ImageFetch::Then then);

}  // namespace haul::imageapi
