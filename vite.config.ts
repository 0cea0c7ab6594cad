import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The wall: nothing that runs in a browser may reach into a server wing. */
function wall(): Plugin {
  return {
    name: 'wall',
    enforce: 'pre',
    async resolveId(id, from, options) {
      if (!from) return null
      const resolved = await this.resolve(id, from, { ...options, skipSelf: true })
      if (resolved && /\/src\/(server\/|features\/[^/]+\/server\/)/.test(resolved.id))
        this.error(`${from} (pages) must not import ${resolved.id} (server): say it in a contract.ts instead`)
      return resolved
    },
  }
}

export default defineConfig(({ command }) => ({
  plugins: [wall(), tailwindcss(), react()],
  appType: 'custom',
  publicDir: 'public',
  build: { target: 'es2023', modulePreload: { polyfill: false } },
  builder: {
    buildApp: async (builder) => {
      await builder.build(builder.environments.client!)
      await builder.build(builder.environments.ssr!)
    },
  },
  environments: {
    client: {
      build: { outDir: 'dist/client', emptyOutDir: true, manifest: true, assetsInlineLimit: 0, rolldownOptions: { input: 'src/web/entry-browser.tsx' } },
    },
    ssr: {
      // One file instead of a thousand modules of icons and routers to load at every start, and React's production build whatever NODE_ENV is.
      ...(command === 'build' && { resolve: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }),
      build: { outDir: 'dist/server', emptyOutDir: true, copyPublicDir: false, rolldownOptions: { input: 'src/web/entry-server.tsx' } },
    },
  },
}))
