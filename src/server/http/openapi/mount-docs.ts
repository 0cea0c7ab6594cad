import type { Hono } from 'hono'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { appVersion } from '#kit/version.ts'
import { openapiDocument } from './openapi.ts'
import { openapiPage } from './openapi-page.ts'

/** Mounts the API documentation: `/api/openapi.json`, and `/api/docs` as a page. The document is built on first use. `url` is the URL of the site. */
export function mountDocs(hono: Hono, endpoints: AnyEndpoint[], url: string): void {
  let cachedDocument: ReturnType<typeof openapiDocument> | undefined
  const document = () => {
    cachedDocument ??= openapiDocument(endpoints, { title: 'Sauce', version: appVersion, url })
    return cachedDocument
  }
  hono.get('/api/openapi.json', (c) => c.json(document()))
  hono.get('/api/docs', (c) =>
    c.html(openapiPage(document()), 200, {
      'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    }),
  )
}
