import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MailBody } from '#kit/mail-body.ts'
import type { Pages } from '../app.ts'
import type { Config } from '../config.ts'
import { yieldToEventLoop } from '../overload/yield-to-event-loop.ts'
import { allowThirdParties, pagePolicy, scriptHash, type ThirdPartySources } from './headers.ts'
import type { PublicPaths } from './response-cache.ts'
import { textResponse } from './text-response.ts'

type Scripts = { entry: string; preloads: string[] }
/** `tv`: the scripts of /tv, which are built for older browsers. Missing in development. */
export type Assets = Scripts & { css: string[]; inline?: string; tv?: Scripts }
type Send = (url: string, init: RequestInit) => Promise<Response>
/** The exports of `web/entry-server.tsx`: the only interface between server and web code. */
export type PageBundle = {
  render: (
    request: Request,
    send: Send,
    options: { assets: Assets; nonce: string; origin: string; yieldToEventLoop: () => Promise<void> },
  ) => Promise<{ response: Response; html?: string | undefined; thirdParties?: ThirdPartySources | undefined }>
  publicPaths: PublicPaths
  renderMail: (mailBody: MailBody) => string
}

type ManifestChunk = { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }

/** Loads the built pages from `dist/`. Throws if the bundle is missing. */
export async function builtPages(config: Config, dist: string): Promise<Pages> {
  const bundle = (await import(join(dist, 'server/entry-server.js'))) as PageBundle
  const manifestFile = join(dist, 'client/.vite/manifest.json')
  const assets = { ...readAssets(manifestFile), tv: readAssets(join(dist, 'client/.vite/tv-manifest.json')) }
  return {
    ...pagesOf(config, () => Promise.resolve({ bundle, assets }), bundle.publicPaths),
    builtAt: statSync(manifestFile).mtime,
  }
}

function readAssets(manifestFile: string): Assets {
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, ManifestChunk>
  const entry = Object.values(manifest).find((chunk) => chunk.isEntry)!
  return {
    entry: `/${entry.file}`,
    css: (entry.css ?? []).map((file) => `/${file}`),
    preloads: (entry.imports ?? []).map((key) => `/${manifest[key]!.file}`),
  }
}

/** Returns the page renderer, which uses the bundle that `load` returns. In development the bundle may change between requests. */
export function pagesOf(
  config: Config,
  load: () => Promise<{ bundle: PageBundle; assets: Assets }>,
  publicPaths: PublicPaths,
  dev = false,
): Pages {
  return {
    publicPaths,
    builtAt: new Date(),
    renderMail: async (mailBody) => (await load()).bundle.renderMail(mailBody),
    render: async (request, send) => {
      const { bundle, assets } = await load()
      const nonce = randomBytes(18).toString('base64')
      const { response, html, thirdParties } = await bundle.render(request, send, {
        assets,
        nonce,
        origin: config.publicUrl,
        yieldToEventLoop,
      })
      const headers = new Headers(response.headers)
      if (html === undefined) return new Response(response.body, { status: response.status, headers })
      const frameable = headers.get('x-frame-options') === 'SAMEORIGIN'
      const { hashes, stripped } = trustedScripts(html, nonce)
      headers.set('content-security-policy', pagePolicy(config, hashes, { thirdParties, frameable, dev }))
      if (thirdParties) allowThirdParties(headers)
      if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache')
      if (response.status !== 200) headers.set('x-robots-tag', 'noindex')
      return textResponse(dev ? html : stripped, headers, response.status)
    },
  }
}

/**
 * Returns the CSP hashes of our own inline scripts and the page without nonces. Rendering marks its own scripts with a
 * random nonce, which injected text cannot contain. Hashes instead of nonces allow the page to be cached. The nonce
 * that the router writes into a meta tag is removed too.
 */
export function trustedScripts(html: string, nonce: string): { hashes: string[]; stripped: string } {
  const hashes = new Set<string>()
  const mark = ` nonce="${nonce}"`
  for (const [, attributes, script] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (script && attributes!.includes(mark)) hashes.add(scriptHash(script))
  }
  return {
    hashes: [...hashes],
    stripped: html.replaceAll(mark, '').replace(`<meta property="csp-nonce" content="${nonce}"/>`, ''),
  }
}
