#include "app/wiring/items.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support/flow/script.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::testing {

TEST_CASE("Z-30: an engine's program is on the search path, or where the configuration says") {
  const TempFolder folder;
  const std::filesystem::path program = folder / "yt-dlp";
  HandClock clock;
  OpenGate gate;
  io::DiskSpace space;
  app::TransferSettings settings;
  settings.programs.search_path = "/no:" + folder.path().string();
  const auto engine = app::make_item_engine(gate, clock, space, settings);
  const auto missing = [&] { return engine->not_ready("yt-dlp").text; };

  CHECK(missing() == "configure engine.yt_dlp.program, or install yt-dlp");
  std::ofstream{program} << "#!/bin/sh\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_read);
  CHECK_FALSE(missing().empty());  // It is not executable.
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  CHECK(missing().empty());  // It is found without a restart.
  CHECK(engine->not_ready("gallery-dl").text ==
        "configure engine.gallery_dl.program, or install gallery-dl");

  settings.programs.yt_dlp = "/no/such/yt-dlp";
  settings.programs.gallery_dl = program.string();
  const auto configured = app::make_item_engine(gate, clock, space, settings);
  CHECK_FALSE(configured->not_ready("yt-dlp").text.empty());
  CHECK(configured->not_ready("gallery-dl").text.empty());
  for (const char* always : {"", "auto", "http"}) CHECK(configured->not_ready(always).text.empty());
}

}  // namespace haul::testing
