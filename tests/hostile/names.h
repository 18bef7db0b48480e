#pragma once
// File names that others might send, list N of the hostile inputs, and the safe names haul makes of
// them.

#include <string>
#include <vector>

namespace haul::testing {

struct HostileName {
  const char* id;
  std::string wanted;
  std::string safe;       // The whole name as one component.
  std::string last = {};  // Its last component, if that gives another name.
};

inline std::string times(int n, const std::string& what) {
  std::string out;
  for (int i = 0; i < n; ++i) out += what;
  return out;
}

// clang-format off
inline const std::vector<HostileName> kHostileNames = {
    {"N1",  "",                            "_"},
    {"N2",  ".",                           "_"},
    {"N2",  "..",                          "_"},
    {"N4",  "...",                         "_"},
    {"N6",  "..\\..\\windows\\win.ini",    "_._.._windows_win.ini", "win.ini"},
    {"N6",  "../../x",                     "_._.._x", "x"},
    {"N7",  "/etc/passwd",                 "_etc_passwd", "passwd"},
    {"N9",  "a/b/c.mp4",                   "a_b_c.mp4", "c.mp4"},
    {"N9",  "a/",                          "a_", "_"},
    {"N11", "a\n.mp4",                     "a_.mp4"},
    {"N12", "a\r\nX: y.mp4",               "a__X_ y.mp4"},
    {"N13", "a\x1b[2J.mp4",                "a_[2J.mp4"},
    {"N14", "a\x7f",                       "a_"},
    {"N15", "a\u0085b",                    "a_b"},
    {"N16", "photo\u202egpj.exe",          "photogpj.exe"},
    {"N16", "a\u200bb\u2066c\u2069\ufeff.\u200fmp4", "abc.mp4"},
    {"N20", "\u00e9.mp4",                  "\u00e9.mp4"},
    {"N20", "e\u0301.mp4",                 "e\u0301.mp4"},
    {"N28", times(86, "語"),               times(65, "語") + "..._"},
    {"N28", times(86, "語") + ".mp4",      times(65, "語") + "....mp4"},
    {"N29", "a." + times(300, "x"),        "a." + times(194, "x") + "..._"},
    {"N34", "name. ",                      "name"},
    {"N34", "name...",                     "name"},
    {"N34", "name . . ",                   "name"},
    {"N34", "  name.mp4",                  "name.mp4"},
    {"N37", "~root",                       "~root"},
    {"N38", "$(id).mp4",                   "$(id).mp4"},
    {"N39", "`id`.mp4",                    "`id`.mp4"},
    {"N40", "a;id|x&y.mp4",                "a;id_x&y.mp4"},
    {"N41", ".bashrc",                     "_bashrc"},
    {"N41", ".htaccess",                   "_htaccess"},
    {"N41", ".git/config",                 "_git_config", "config"},
    {"N43", "foo.mp4.part",                "foo.mp4.part_"},
    {"N43", "foo.PART",                    "foo.PART_"},
    {"N43", "foo.haul-tmp",                "foo.haul-tmp"},  // Not a suffix that haul uses.
    {"T9",  "Z" + times(300, "\u0301") + ".mp4", "Z" + times(98, "\u0301") + "....mp4"},
    {"U50", "-oProxyCommand=x",            "_oProxyCommand=x"},
    {"U50", "--exec=id",                   "_-exec=id"},
};

// Not UTF-8. A header may be Latin-1, so this list is only for names outside headers.
inline const std::vector<HostileName> kBrokenNames = {
    {"N23", "\xff\xfe",                    "__"},
    {"N23", "a\xff.mp4",                   "a_.mp4"},
    {"N24", "a\xc0\xaf" "b",               "a__b"},
    {"N24", "..\xc0\xaf..\xc0\xaf" "b",    "_.__..__b"},
    {"N26", times(253, "a") + "\xe2\x82",  times(196, "a") + "..._"},
    {"N26", times(195, "a") + "語語.mp4",  times(195, "a") + "....mp4"},
    {"J11", "\xed\xa0\x80.mp4",            "___.mp4"},  // A lone surrogate.
};
// clang-format on

}  // namespace haul::testing
