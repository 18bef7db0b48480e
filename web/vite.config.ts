// Builds the page into dist/: index.html, one script, one style sheet, one icon.
import { defineConfig } from 'vite';

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0, // The CSP allows no inline script or style.
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: 'assets/haul-[hash].js',
        assetFileNames: 'assets/haul-[hash][extname]',
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': process.env.HAUL_URL ?? 'http://127.0.0.1:4286' } },
});
