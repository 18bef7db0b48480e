// Checks the description of the API: node run.mjs HAUL
// Lints the OpenAPI document, generates a TypeScript client from it, compiles a program with it and
// runs that against a daemon. Compares the daemon's answers and the messages of its event stream
// with the document, and runs the examples of docs/api.md.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Answers, ask_everything } from './answers.mjs';
import { HalfFile, hear_everything } from './events.mjs';
import { run_examples } from './examples.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const haul = resolve(process.argv[2]);
const half = new HalfFile();
const files = createServer((request, reply) => {
  if (request.url === '/half') half.answer(request, reply);
  else reply.writeHead(404).end();
});
const folder = mkdtempSync(join(tmpdir(), 'haul-openapi-'));

// Settings of the caller's environment must not reach haul, and redocly asks no server.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HAUL|XDG_)/.test(name))),
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

function node(script, ...words) {
  const where = join(HERE, 'node_modules', script);
  execFileSync(process.execPath, [where, ...words], { cwd: folder, env, stdio: 'inherit' });
}

// The jobs that run ask a server of this test, which has one file.
const CONFIG = '[transfer]\nallow_private = ["127.0.0.0/8"]\n';

// Calls `work` with a daemon that has a store of its own.
async function with_daemon(name, work) {
  const data = join(folder, name);
  const config = join(folder, `${name}.toml`);
  writeFileSync(config, CONFIG);
  const command = [
    ...[haul, 'serve', '--config', config, '--data', data],
    ...['--listen', '127.0.0.1:0'],
  ];
  const daemon = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
    cwd: folder,
    env: { ...env, HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => daemon.on('exit', (code) => done(code)));
  try {
    const line = new Promise((done) => {
      createInterface({ input: daemon.stdout }).once('line', done);
    });
    const first = await Promise.race([line, ended]);
    assert.equal(typeof first, 'string', `the daemon ended: ${first}`);
    const port = first.split(':').pop().replace('/', '');
    const url = `http://127.0.0.1:${port}`;
    await work(url, readFileSync(join(data, 'admin.key'), 'utf8').trim());
  } finally {
    daemon.kill('SIGTERM');
    await ended;
  }
}

// What the daemon of this test cannot do: it has no files, no images and no client.
const NOT_ASKED = [
  'GET /api/v1/assets/{id}/file',
  'POST /api/v1/jobs/{id}/import',
  'POST /api/v1/trash/restore',
  'GET /', // A build for development has no page.
  'GET /{view}',
  'GET /{view}/{id}',
];

try {
  const text = execFileSync(haul, ['api', '--json'], { encoding: 'utf8', env });
  const document = JSON.parse(text);
  writeFileSync(join(folder, 'openapi.json'), text);
  for (const name of ['client.ts', 'tsconfig.json', 'package.json', 'redocly.yaml'])
    copyFileSync(join(HERE, name), join(folder, name));
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));

  node('@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--max-problems=20');
  node('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'types.ts');
  node('typescript/bin/tsc', '-p', 'tsconfig.json');

  await with_daemon('client', async (url, key) => {
    const program = join(folder, 'out', 'client.js');
    execFileSync(process.execPath, [program, url, key], { env, stdio: 'inherit', timeout: 60_000 });
  });
  await new Promise((done) => files.listen(0, '127.0.0.1', done));
  await with_daemon('answers', async (url, key) => {
    const answers = new Answers(document, url, key);
    const { port } = files.address();
    await hear_everything(answers, `http://127.0.0.1:${port}/half`, half);
    console.log('events: as the document describes them');
    const left = await ask_everything(answers, port);
    const unexpected = left.filter((route) => !NOT_ASKED.includes(route));
    assert.deepEqual(unexpected, [], 'routes that no request of this test succeeded with');
    console.log('answers: as the document describes them');
  });
  await with_daemon('examples', async (url, key) => {
    const page = readFileSync(join(HERE, '../../docs/api.md'), 'utf8');
    const ran = await run_examples(new Answers(document, url, key), page);
    console.log(`examples: ${ran} of docs/api.md answer as shown`);
  });
} finally {
  files.close();
  files.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
