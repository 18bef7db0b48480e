// Runs the browser tests with everything they need:
//   node scripts/browser.mjs HAUL FAULT_SERVER DIST SEVENTH [WORD [TEST]]
// Starts an empty daemon and a server to download from, then runs one test file after the other,
// because each expects that only its own jobs run. Tests that need the mock's jobs run against the
// mock, with the page in DIST. Those of a seventh lifecycle start the program SEVENTH themselves.
// WORD selects the files whose name contains it, TEST the tests whose name matches.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [haul, fault_server, dist, seventh, word = '', test = ''] = process.argv.slice(2);
const WEB = fileURLToPath(new URL('..', import.meta.url));
const CONFIG = `[transfer]
allow_private = ["127.0.0.0/8"]
delay = "0"
`;

// Settings of the caller's environment must not reach the daemon.
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(HAUL|XDG_)/.test(name)),
);

// The child ends with this process, however this one ends.
function start(command, env = clean, stdio = ['pipe', 'pipe', 'inherit']) {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
    cwd: WEB,
    env,
    stdio,
  });
  child.ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(`${command[0]}: ${error.message}`));
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  return child;
}

async function first_line(child) {
  const line = new Promise((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const said = await Promise.race([line, child.ended.then((how) => new Error(`ended: ${how}`))]);
  if (said instanceof Error) throw said;
  return said;
}

async function stop(child) {
  child.kill('SIGTERM');
  return child.ended;
}

// True if all passed.
async function run(specs, env) {
  const files = specs.map((name) => `tests/${name}`);
  let good = true;
  for (const file of files) {
    const command = [process.execPath, '--test', '--test-reporter=spec'];
    if (test) command.push(`--test-name-pattern=${test}`);
    command.push(file);
    const how = await start(command, { ...process.env, ...env }, 'inherit').ended;
    good &&= how === 0;
  }
  return good;
}

async function with_daemon(folder, specs) {
  const data = join(folder, 'data');
  const config = join(folder, 'haul.toml');
  writeFileSync(config, CONFIG);
  const files = start([fault_server]);
  const daemon = start([
    ...[haul, 'serve', '--config', config, '--data', data],
    ...['--listen', '127.0.0.1:0'],
  ]);
  try {
    const files_port = (await first_line(files)).split(' ').pop();
    const port = (await first_line(daemon)).split(':').pop();
    const good = await run(specs, {
      HAUL_URL: `http://127.0.0.1:${port}`,
      HAUL_KEY: readFileSync(join(data, 'admin.key'), 'utf8').trim(),
      HAUL_FILES_URL: `http://127.0.0.1:${files_port}`,
      HAUL_FILES_PROGRAM: fault_server,
      HAUL_DOWNLOADS: join(data, 'downloads'),
    });
    const how = await stop(daemon);
    if (how !== 0) console.error(`the daemon ended: ${how}`);
    return good && how === 0;
  } finally {
    await Promise.all([stop(daemon), stop(files)]);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'haul-browser-'));
try {
  const specs = readdirSync(join(WEB, 'tests')).filter(
    (name) => name.endsWith('.spec.mjs') && name.includes(word),
  );
  const of_mock = specs.filter((name) => name.startsWith('mock'));
  const of_seventh = specs.filter((name) => name.startsWith('seventh'));
  const of_daemon = specs.filter((name) => ![...of_mock, ...of_seventh].includes(name));
  if (!specs.length) throw new Error(`no file of tests is called like ${word}`);
  const good = !of_daemon.length || (await with_daemon(folder, of_daemon));
  const good_mock = await run(of_mock, { HAUL_DIST: dist });
  const good_seventh = await run(of_seventh, { HAUL_SEVENTH: seventh });
  process.exitCode = good && good_mock && good_seventh ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
