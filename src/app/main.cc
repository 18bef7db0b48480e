#include <iostream>

#include "base/clock.h"
#include "cli/commands.h"
#include "store/store.h"

int main(int argc, char** argv) {
  const haul::Clock& clock = haul::system_clock();
  const haul::Maintenance maintenance{.backup = haul::backup_sqlite,
                                      .restore = [&clock](const auto& data, const auto& file) {
                                        return haul::restore_sqlite(data, file, clock.now());
                                      }};
  return haul::run(argc, argv, maintenance, {.out = std::cout, .err = std::cerr});
}
