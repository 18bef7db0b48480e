// Names that mislead, inject markup or break their row. The browser tests look for them.
export const hostile = [
  'annual-report-\u202Efdp.exe',
  '<img src=x onerror="window.hacked=1">.jpg',
  '"><script>window.hacked=2</script>',
  `${'very-long-name-'.repeat(266)}end.bin`,
  '👩‍👩‍👧‍👦 family 🏴‍☠️ holiday.mp4',
  'bell\u0007 escape\u001b[31mred\u0000 newline\nsecond line.txt',
  '\u2067مستند\u2069 نهائي.pdf',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘.zip',
];
