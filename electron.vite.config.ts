import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const source = (path: string): string => resolve(import.meta.dirname, path);

/** Everything but Electron and the native SQLite add-on is bundled, so a built tree runs without development packages. */
const external = ['electron', 'better-sqlite3'];

/** One configuration, eight bundles: the window host, its preload script, the headless host, the worker, the search thread, the tool child, the command line and the page. */
export default defineConfig({
  main: {
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      sourcemap: true,
      rollupOptions: {
        external,
        input: {
          main: source('src-main/main.ts'),
          headless: source('src-main/headless.ts'),
          worker: source('src-main/worker.ts'),
          'search-thread': source('src-main/search-thread.ts'),
          'tool-child': source('src-main/tool-child.ts'),
          cli: source('src-main/cli.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        external: ['electron'],
        input: { preload: source('src-main/shell/preload/preload.ts') },
        // A sandboxed preload script must be CommonJS, in one file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('src-renderer'),
    plugins: [react()],
    build: {
      target: 'chrome130',
      outDir: source('out/renderer'),
      rollupOptions: { input: source('src-renderer/index.html') },
    },
  },
});
