import { createRequestHandler, RouterServer, renderRouterToString } from '@tanstack/react-router/ssr/server'
import { chatSources, type PolicySources } from '#features/chat/rules.ts'
import type { Site } from '#features/settings/contract.ts'
import { ApiError, caller } from '#kit/caller.ts'
import { wordsRead } from './cached-params.ts'
import { DataClient } from './data.ts'
import { isPublicPath, publicPaths as paths } from './public-paths.ts'
import { makeRouter, routeTree } from './router.tsx'
import { startScript } from './shell/start-script.ts'

export { renderMail } from './mail/render-mail.tsx'

/** The public pages, each with the words that it reads of its query. */
export const publicPaths = new Map(paths.map((path) => [path, wordsRead(routeTree, path)]))

type Assets = { entry: string; css: string[]; preloads: string[]; inline?: string }
/** `ownTurn` is waited for before the one long piece of work. */
type Options = { assets: Assets; nonce: string; origin: string; ownTurn: () => Promise<void> }

/** Renders one request and says whom else its page lets in. `send` answers API calls in process with that request's cookie; the per-request client is emptied afterwards. */
export async function render(
  request: Request,
  send: (url: string, init: RequestInit) => Promise<Response>,
  { assets, nonce, origin, ownTurn }: Options,
): Promise<{ response: Response; guests?: PolicySources }> {
  const client = new DataClient(caller(send))
  const start =
    isPublicPath(new URL(request.url).pathname) && !assets.inline
      ? startScript(assets.entry, assets.preloads)
      : undefined
  const scripts = [
    ...(assets.inline ? [{ attrs: { type: 'module', nonce }, children: assets.inline }] : []),
    ...(start ? [] : [{ attrs: { type: 'module', async: true, src: assets.entry } }]),
  ]
  const preloads = start ? [] : [assets.entry, ...assets.preloads]
  const manifest = { routes: { __root__: { preloads, css: assets.css, scripts } } }
  let guests: PolicySources | undefined
  try {
    const handle = createRequestHandler({
      request,
      createRouter: () => makeRouter(client, { origin, nonce, start }),
      getRouterManifest: () => manifest as never,
    })
    const response = await handle(async ({ router, responseHeaders }) => {
      const { site } = (router.state.matches[0]?.context ?? {}) as { site?: Site }
      if (site && isPublicPath(router.state.location.pathname)) guests = chatSources(site.chat) ?? undefined
      const away = router.state.matches.some((match) => match.error instanceof ApiError && match.error.status === 503)
      await ownTurn()
      const response = await renderRouterToString({
        router,
        responseHeaders,
        children: <RouterServer router={router} />,
      })
      if (!away) return response
      const headers = new Headers(response.headers)
      headers.set('retry-after', '2')
      return new Response(response.body, { status: 503, headers })
    })
    return { response, guests }
  } finally {
    client.clear()
  }
}
