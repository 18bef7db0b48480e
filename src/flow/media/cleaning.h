#pragma once
// Removes the sources of a film that is proven and that its client has let go of (Z-4). The library
// removes the files; this records what became of each, and ends the film.

#include "flow/media/importing.h"

namespace haul::flow {

class Cleaning {
 public:
  Cleaning(Desk& desk, Sink& library) : desk_{desk}, library_{library} {}

  // Stores the intent, then tells the library which files it may remove. Ends the film if there is
  // none. A file that stays is given to the library, too, with the reason, if a clean was begun
  // before: that one may have set it aside, and the library puts it back. Drops the film if the
  // lease is lost. The film must have its receipt.
  void begin(Held& held, const Released& released);
  // The library has dealt with some files.
  void see(Held& held, const CleanedSome& some);
  // It has dealt with all of them: ends the film.
  void end(Held& held, const Cleaned& cleaned);

 private:
  void settle(Held& held, ManifestFile& file, Removal outcome, const std::string& detail);
  void end_film(Held& held);

  Desk& desk_;
  Sink& library_;
};

}  // namespace haul::flow
