#include "flow/outside.h"

#include <utility>

#include "flow/batch/batch.h"
#include "flow/book/book.h"
#include "flow/image/image.h"
#include "flow/media/media.h"
#include "flow/relay/relay.h"

namespace haul::flow {

std::vector<LifecycleWork> lifecycle_work(const Outside& outside, const HandlerSettings& settings) {
  LifecycleWork media = media_work(outside.client, outside.library, settings.media);
  media.trash = outside.trash;
  return {book_work(outside.client), std::move(media), batch_work(outside.items, settings.batch),
          relay_work(outside.disk, outside.chat, settings.relay),
          image_work(outside.images, outside.bucket, settings.image)};
}

}  // namespace haul::flow
