// Bundles every src/**/*.test.ts for node and runs them: Node 18 cannot read TypeScript.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

function find(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? find(join(folder, entry.name))
      : entry.name.endsWith('.test.ts')
        ? [join(folder, entry.name)]
        : [],
  );
}

const out = '.build/test';
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: find('src'),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
  sourcemap: 'inline',
});
const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.test.mjs'));
const run = spawnSync(process.execPath, ['--test', ...files.map((name) => join(out, name))], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
