#include "support/process/get_folders.h"

#include <fstream>
#include <iterator>

#include "base/hash.h"

namespace haul::testing {
namespace fs = std::filesystem;
namespace {

bool is_part(const std::string& name) { return name.ends_with(".part"); }

std::set<std::string> names_in(const fs::path& folder, bool (*wanted)(const std::string&)) {
  std::set<std::string> names;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator{folder, gone})
    if (wanted(entry.path().filename().string())) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

GetFolders::GetFolders(std::string engine) : engine_{std::move(engine)}, folder_{home_ / "out"} {
  fs::create_directory(folder_);
}

std::vector<std::string> GetFolders::command(const std::vector<std::string>& asked) const {
  std::vector<std::string> words = {"env",       "XDG_STATE_HOME=" + (home_ / "state").string(),
                                    HAUL_BINARY, "get",
                                    "--engine",  engine_,
                                    "-d",        folder_.string()};
  words.insert(words.end(), asked.begin(), asked.end());
  return words;
}

std::string GetFolders::list(const std::vector<std::string>& urls) const {
  const fs::path file = home_ / "list";
  std::ofstream lines{file};
  for (const std::string& url : urls) lines << url << "\n";
  return file.string();
}

fs::path GetFolders::store_file() const {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{home_ / "state" / "haul" / "get", none})
    if (fs::exists(entry.path() / "haul.db")) return entry.path() / "haul.db";
  return {};
}

std::set<std::string> GetFolders::parts() const { return names_in(folder_, is_part); }

std::set<std::string> GetFolders::files() const {
  return names_in(folder_, [](const std::string& name) { return !is_part(name); });
}

std::string GetFolders::sha256_of(const std::string& name) const {
  std::ifstream file{folder_ / name, std::ios::binary};
  return sha256_hex(std::string{std::istreambuf_iterator<char>{file}, {}});
}

}  // namespace haul::testing
