// What packaging/haul.service tells the service manager.

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <string>

TEST_CASE("F25: the service starts again after a failure, and not at once") {
  std::ifstream file{HAUL_SOURCE_DIR "/packaging/haul.service"};
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.insert(line);

  CHECK(lines.contains("Restart=on-failure"));
  CHECK(lines.contains("RestartSec=5"));
}
