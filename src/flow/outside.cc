#include "flow/outside.h"

#include "flow/batch/batch.h"
#include "flow/book/book.h"
#include "flow/image/image.h"
#include "flow/media/media.h"
#include "flow/relay/relay.h"

namespace haul::flow {

std::vector<LifecycleWork> lifecycle_work(const Outside& outside) {
  return {book_work(outside.client), media_work(outside.client, outside.library),
          batch_work(outside.items), relay_work(outside.disk, outside.chat),
          image_work(outside.images, outside.bucket)};
}

}  // namespace haul::flow
