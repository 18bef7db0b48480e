#include <iostream>

#include "app/get.h"
#include "base/clock.h"
#include "cli/run.h"
#include "io/keeper.h"
#include "store/store.h"

int main(int argc, char** argv) {
  // Before anything else: a keeper is not to have anything of haul's but this.
  if (argc == 2 && argv[1] == haul::kKeeperWord) return haul::keep();
  const haul::Clock& clock = haul::system_clock();
  const haul::Maintenance maintenance{.backup = haul::backup_sqlite,
                                      .restore = [&clock](const auto& data, const auto& file) {
                                        return haul::restore_sqlite(data, file, clock.now());
                                      }};
  const haul::OpenGet open_get = [&clock](const haul::GetAsk& ask) {
    return haul::open_get(ask, clock);
  };
  return haul::run(argc, argv, {maintenance, open_get, std::cin},
                   {.out = std::cout, .err = std::cerr});
}
