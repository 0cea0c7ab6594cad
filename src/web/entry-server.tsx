import {
  createRequestHandler,
  getSsrStatus,
  RouterServer,
  transformHtmlStringWithRouter,
} from '@tanstack/react-router/ssr/server'
import { renderToString } from 'react-dom/server'
import { chatSources, type PolicySources } from '#features/chat/rules.ts'
import type { Site } from '#features/settings/contract.ts'
import { ApiError, caller } from '#kit/caller.ts'
import { cachedParams } from './cached-params.ts'
import { DataClient } from './data.ts'
import { isPublicPath, publicPaths as paths } from './public-paths.ts'
import { makeRouter } from './router.tsx'
import { startScript } from './shell/start-script.ts'

export { renderMail } from './mail/render-mail.tsx'

/** The public pages, each with the query parameters that are part of its cache key. */
export const publicPaths = new Map(paths.map((path) => [path, cachedParams[path] ?? []]))

type Scripts = { entry: string; preloads: string[] }
type Assets = Scripts & { css: string[]; inline?: string; tv?: Scripts }
/** `yieldToEventLoop` is awaited before the page is rendered, because rendering blocks the event loop for several milliseconds. */
type Options = { assets: Assets; nonce: string; origin: string; yieldToEventLoop: () => Promise<void> }

/**
 * Renders the page of a request. `html` is the body of the response, and undefined for a redirect. It is a string because a Response stream takes 5 % more
 * processor time. `thirdParties` are the chat provider's sources for the Content-Security-Policy. `send` handles API calls within this process, with the
 * cookie of the request. Responds with 503 if an API call of a loader failed with 503.
 */
export async function render(
  request: Request,
  send: (url: string, init: RequestInit) => Promise<Response>,
  { assets, nonce, origin, yieldToEventLoop }: Options,
): Promise<{ response: Response; html?: string; thirdParties?: PolicySources }> {
  const client = new DataClient(caller(send))
  const { pathname } = new URL(request.url)
  const { entry, preloads: imported } = (pathname === '/tv' && assets.tv) || assets
  const start = isPublicPath(pathname) && !assets.inline ? startScript(entry, imported) : undefined
  const scripts = [
    ...(assets.inline ? [{ attrs: { type: 'module', nonce }, children: assets.inline }] : []),
    ...(start ? [] : [{ attrs: { type: 'module', async: true, src: entry } }]),
  ]
  const preloads = start ? [] : [entry, ...imported]
  const manifest = { routes: { __root__: { preloads, css: assets.css, scripts } } }
  let thirdParties: PolicySources | undefined
  let html: string | undefined
  try {
    const handle = createRequestHandler({
      request,
      createRouter: () => makeRouter(client, { origin, nonce, start }),
      getRouterManifest: () => manifest as never,
    })
    const response = await handle(async ({ router, responseHeaders }) => {
      const { site } = (router.state.matches[0]?.context ?? {}) as { site?: Site }
      if (site && isPublicPath(router.state.location.pathname)) thirdParties = chatSources(site.chat) ?? undefined
      const isUnavailable = router.state.matches.some(
        (match) => match.error instanceof ApiError && match.error.status === 503,
      )
      await yieldToEventLoop()
      html = await transformHtmlStringWithRouter(router, renderToString(<RouterServer router={router} />))
      if (isUnavailable) responseHeaders.set('retry-after', '2')
      return new Response(null, { status: isUnavailable ? 503 : getSsrStatus(router), headers: responseHeaders })
    })
    return { response, html, thirdParties }
  } finally {
    client.clear()
  }
}
