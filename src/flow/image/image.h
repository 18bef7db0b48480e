#pragma once
// Images: one paid call each, kept in a bucket (document 004).

#include "flow/image/settings.h"
#include "flow/worker/handler.h"
#include "seam/sink.h"

namespace haul::flow {

LifecycleWork image_work(RemoteEngine& images, Sink& bucket, ImageRules rules = {});

}  // namespace haul::flow
