import type { Server } from 'node:http'
import type { Pages } from './app.ts'
import type { Config } from './config.ts'
import type { Listener } from './http/http-server.ts'
import { type PageBundle, pagesOf } from './http/pages.ts'

const refreshPreamble = `import RefreshRuntime from '/@react-refresh'; RefreshRuntime.injectIntoGlobalHook(window); window.$RefreshReg$ = () => {}; window.$RefreshSig$ = () => (type) => type`

/** Serves pages from their sources through Vite, with hot reloading on the app's own port. */
export async function developmentServer(
  config: Config,
  server: Server,
): Promise<{ pages: Pages; wrap: (next: Listener) => Listener }> {
  const { createServer } = await import('vite')
  // The native loader writes no temporary file, whose removal would restart the server under `node --watch`.
  const vite = await createServer({
    configLoader: 'native',
    server: { middlewareMode: true, ws: { server } as never },
    appType: 'custom',
  })
  const assets = {
    entry: '/src/web/entry-browser.tsx',
    css: ['/src/web/styles/app.css'],
    preloads: [],
    inline: `import '/@vite/client'; ${refreshPreamble}`,
  }
  const load = async () => ({
    bundle: (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as unknown as PageBundle,
    assets,
  })
  return {
    pages: pagesOf(config, load, new Map(), true),
    wrap: (next) => (request, response) => vite.middlewares(request, response, () => next(request, response)),
  }
}
