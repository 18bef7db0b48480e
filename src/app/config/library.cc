#include "app/config/library.h"

#include "app/config/config.h"

namespace haul::app {
namespace {

constexpr auto kWeek = std::chrono::hours{7 * 24};

constexpr ConfigKey kKeys[] = {
    {.name = "library.check_every",
     .kind = ConfigKind::duration,
     .default_value = "10m",
     .about = "Time between checks that the files of books exist",
     .range = between(Millis{1'000}, kWeek)},
    {.name = "library.missing_after",
     .kind = ConfigKind::duration,
     .default_value = "60s",
     .about = "How long a file is gone before its book goes back to the archive",
     .range = between(Millis{0}, kWeek)},
};

}  // namespace

ConfigArea library_area() { return {.keys = kKeys}; }

flow::BookCheckSettings book_check_settings(const Config& config) {
  return {.check_every = config.duration("library.check_every"),
          .missing_after = config.duration("library.missing_after")};
}

}  // namespace haul::app
