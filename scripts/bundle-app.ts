// Bundles the server and the command line into a folder, for the short form of the tests: docs/decisions/109-tests-start-a-bundle.md.
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { root } from './checks/tree.ts'

/** Replaces `import.meta.dirname` and `import.meta.url` by the paths of the sources, so that the bundle finds the same migrations, pages and workers. */
const sourcePaths: Plugin = {
  name: 'source-paths',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /import\.meta\.(dirname|url)/ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [sourcePaths],
  // Bundle the packages that consist of many small modules. All others are loaded as in the product.
  ssr: { noExternal: ['drizzle-orm', 'hono', '@hono/node-server', 'zod'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: process.argv[2] ?? '.cache/test-app',
    emptyOutDir: true,
    copyPublicDir: false,
    minify: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      input: { main: join(root, 'src/main.ts'), cli: join(root, 'src/cli.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
