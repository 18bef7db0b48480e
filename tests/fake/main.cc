// Stands in for yt-dlp and misbehaves. The last word in the path of its URL selects how;
// tests/fake/README.md lists the words.

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string what;  // The word that selects the behaviour.
  fs::path out;
  bool lists = false;
};

// The page's URL: the last line of the file that this option names. yt-dlp's file has it in quotes.
std::string page_in(const std::vector<std::string>& words, const char* option) {
  const auto named = std::ranges::find(words, option);
  if (named == words.end()) return "";
  std::ifstream file{*std::next(named)};
  std::string last;
  for (std::string line; std::getline(file, line);) last = line;
  std::erase(last, '\'');
  return last;
}

Arguments read(const std::vector<std::string>& words) {
  constexpr std::string_view kHome = "home:";
  Arguments arguments;
  for (const std::string& word : words) {
    if (word.starts_with(kHome)) arguments.out = word.substr(kHome.size());
    if (word == "--flat-playlist") arguments.lists = true;
  }
  const std::string page = page_in(words, "--config-locations");
  const std::string url = page.substr(0, page.find('?'));
  arguments.what = url.substr(url.rfind('/') + 1);
  return arguments;
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c < ' ' || c == '"' || c == '\\')
      out += "\\u00" + std::string{"0123456789abcdef"[c / 16]} + "0123456789abcdef"[c % 16];
    else
      out += c;
  return out;
}

void say_delivered(const fs::path& path) {
  std::cout << "@D {\"filepath\": \"" << escaped(path.string()) << "\"}" << std::endl;
}

void deliver(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream{path} << content;
  say_delivered(path);
}

void come(const std::string& have, const std::string& of) {
  std::cout << R"(@P {"status": "downloading", "filename": "film.mp4", "downloaded_bytes": )"
            << have << R"(, "total_bytes": )" << of << "}" << std::endl;
}

// Ignores every signal that can be ignored, and has a child that has left its session.
[[noreturn]] void be_stubborn() {
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_IGN);
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) hang();
    ::_exit(0);
  }
  come("1", "2");
  hang();
}

// Whether the sandbox allows the attempt. Nothing has to listen there.
bool may_connect(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0 || errno == ECONNREFUSED;
}

bool reads(const char* path) { return static_cast<bool>(std::ifstream{path}); }
bool writes(const fs::path& path) { return static_cast<bool>(std::ofstream{path} << "x"); }

// Tries what the sandbox must prevent, and reports what succeeded.
std::string report_on_walls(const fs::path& out) {
  const fs::path destination = out / "../../.." / "escaped.txt";
  std::string report;
  const auto say = [&](const std::string& what, bool could) {
    report += what + (could ? ": yes\n" : ": no\n");
  };
  say("read /etc/shadow", reads("/etc/shadow"));
  say("write beside staging", writes(destination));
  say("write /tmp", writes("/tmp/haul-fake-escaped"));
  say("connect elsewhere", may_connect(22));
  say("datagrams", ::socket(AF_INET, SOCK_DGRAM, 0) >= 0);
  say("signal its keeper's parent", ::kill(1, 0) == 0);
  say("sockets of this machine", ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  return report;
}

std::string report_on_surroundings() {
  std::string report;
  for (char** variable = environ; *variable != nullptr; ++variable)
    report += std::string{*variable} + "\n";
  report += std::string{"tty: "} + (::open("/dev/tty", O_RDWR) >= 0 ? "yes" : "no") + "\n";
  char byte = 0;
  report += "stdin: " + std::to_string(::read(STDIN_FILENO, &byte, 1)) + "\n";
  for (int fd = 3; fd < 64; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) report += "open descriptor " + std::to_string(fd) + "\n";
  report += "folder: " + fs::current_path().string() + "\n";
  return report;
}

// Acts as gallery-dl: it knows albums of one picture each, and hangs if it is told to.
int be_gallery(const std::vector<std::string>& words) {
  const std::string url = page_in(words, "-i");
  fs::path out;
  bool lists = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-E") return url.find("album") == std::string::npos ? 64 : 0;
    if (words[i] == "-j") lists = true;
    if (words[i] == "-D") out = words[i + 1];
  }
  const std::string what = url.substr(url.rfind('/') + 1);
  if (lists) {
    if (what == "hang-listing") hang();
    std::cout << R"([[2, {}], [3, ")" << url
              << R"(/1.jpg", {"filename": "1", "extension": "jpg"}]])" << std::endl;
    return 0;
  }
  std::cout << "@N \"" << url << "/1.jpg\"" << std::endl;
  if (what == "hang") {
    std::cout << "@S " << (out / "1.jpg").string() << std::endl;
    hang();
  }
  std::ofstream{out / "1.jpg"} << "a picture";
  std::cout << "@D " << (out / "1.jpg").string() << std::endl;
  return 0;
}

int list(const Arguments& arguments) {
  if (arguments.what == "hang-listing") {
    std::cerr << "listing" << std::endl;
    hang();
  }
  if (arguments.what == "no-list") return 0;
  if (arguments.what == "half-a-list") {
    for (int i = 1; i <= 2; ++i)
      std::cout << R"(@I {"title": "film", "ext": "mp4", "playlist_index": )" << i << "}\n";
    std::cerr << "ERROR: [generic] None: page 2: Video unavailable\n";
    return 1;
  }
  std::cout << R"(@I {"id": "x", "title": "film", "ext": "mp4"})" << std::endl;
  return 0;
}

int fetch(const Arguments& arguments) {
  const fs::path film = arguments.out / "film.mp4";
  const std::string& what = arguments.what;
  if (what == "garbage") {
    std::cout << "@P \xff\xfe{\xc0\xaf\n" << std::string(1'000'000, 'x') << "\n@D \xff\n";
    std::cerr << "\x1b]0;pwn\x07\xe2\x82\n";
  } else if (what == "nonsense") {
    for (const char* number : {"\"NA%\"", "-5", "1e400", "null", "[]"}) come(number, "10");
    come("120", "100");
    std::cout << "@P {\n@P []\n@W 7\n";
  } else if (what == "endless") {
    // At most 32 MB a second, so that haul sees it grow.
    for (std::ofstream out{film}; out << std::string(65'536, 'x') << std::flush;) ::usleep(2'000);
    hang();
  } else if (what == "nothing") {
    return 0;
  } else if (what == "outside") {
    return say_delivered("/etc/passwd"), 0;
  } else if (what == "dots") {
    return say_delivered(arguments.out / "../../keeper"), 0;
  } else if (what == "link") {
    fs::create_symlink("/etc/passwd", film);
    return say_delivered(film), 0;
  } else if (what == "walls") {
    return deliver(film, report_on_walls(arguments.out)), 0;
  } else if (what == "surroundings") {
    return deliver(film, report_on_surroundings()), 0;
  } else if (what == "stubborn") {
    be_stubborn();
  } else if (what == "hang") {
    come("1", "2");
    hang();
  } else if (what == "hang-merging") {
    std::cerr << R"(@W {"status": "started", "postprocessor": "Merger"}@@)" << std::flush;
    hang();
  } else if (what.starts_with("end-in-")) {
    return deliver(arguments.out / ("film." + what.substr(7)), "film of x"), 0;
  } else if (what == "no-ending") {
    return deliver(arguments.out / "film", "film of x"), 0;
  } else if (what == "title") {
    const fs::path folder = arguments.out / "..; touch pwned";
    return deliver(folder / "$(id)`id`;id|x&y\n\x1b[2J.mp4", "film of x"), 0;
  } else if (what == "runs") {
    std::ofstream{film} << "film of x";
    ::chmod(film.c_str(), 04755);
    return say_delivered(film), 0;
  } else if (what == "runs-later") {
    std::ofstream{film} << "film of x";
    say_delivered(film);
    for (int i = 0; i < 10'000'000 && ::chmod(film.c_str(), 04755) == 0; ++i) continue;
    return 0;
  } else if (what == "page") {
    return deliver(film, "<!DOCTYPE html><title>Log in</title>"), 0;
  } else if (what == "breaks") {
    std::cerr << "ERROR: [generic] None: HTTP Error 503: Service Unavailable\n";
    return 1;
  } else if (what == "gone") {
    std::cerr << "ERROR: [generic] None: Video unavailable\n";
    return 1;
  }
  deliver(film, "film of " + what);
  return 0;
}

// Runs a command as on a kernel without Landlock: the system call fails with ENOSYS.
int run_without_landlock(char** command) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = std::size(filter), .filter = filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  ::execvp(command[0], command);
  return 127;
}

}  // namespace

int main(int count, char** given) {
  const std::vector<std::string> words{given + 1, given + count};
  const std::string name = fs::path{given[0]}.filename();
  if (words.empty()) return 2;
  if (name == "without-landlock") return run_without_landlock(given + 1);
  if (words.front() == "--version") {
    if (name == "broken") std::cerr << "Traceback: no module named yt_dlp\n";
    std::cout << (name == "old" ? "2021.01.01" : name == "broken" ? "" : "2099.01.01") << std::endl;
    return name == "broken" ? 1 : 0;
  }
  if (name == "gallery") return be_gallery(words);
  const Arguments arguments = read(words);
  return arguments.lists ? list(arguments) : fetch(arguments);
}
