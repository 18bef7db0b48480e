#include "app/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "io/file/folder.h"

namespace haul::app {

void write_secret(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path part = file.string() + ".part";
  ::unlink(part.c_str());
  const io::Descriptor fd{::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  const std::string line = text + "\n";
  const bool written =
      fd && ::write(fd.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(fd.get()) == 0 && ::rename(part.c_str(), file.c_str()) == 0;
  if (!written)
    throw std::system_error{errno, std::generic_category(), "cannot write " + file.string()};
}

SealKey ensure_seal_key(const std::filesystem::path& file) {
  if (!std::filesystem::exists(std::filesystem::symlink_status(file))) {
    const SealKey made = SealKey::make();
    write_secret(file, made.text());
    return made;
  }
  if (::chmod(file.c_str(), 0600) != 0)
    throw std::system_error{errno, std::generic_category(), "cannot protect " + file.string()};
  std::ifstream in{file};
  std::string line;
  std::getline(in, line);
  const auto key = SealKey::read(line);
  if (!key)
    throw std::runtime_error{file.string() +
                             " has no key. Restore it from a backup, or remove it: haul then makes "
                             "a new one and asks for new tokens"};
  return *key;
}

}  // namespace haul::app
