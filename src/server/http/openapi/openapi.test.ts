import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type AnyEndpoint, get, post } from '#kit/endpoint.ts'
import { buildApp, type TestApp } from '../../../../test/harness/app.ts'
import { endpoints } from '../../app.ts'
import { type OpenApiDocument, type Operation, openapiDocument, type Schema } from './openapi.ts'
import { openapiPage } from './openapi-page.ts'

const about = { title: 'Sauce', version: '1.2.3', url: 'https://tv.example' }
const document = openapiDocument(endpoints, about)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const operationOf = (path: string, method: string): Operation => document.paths[path]![method]!

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'output' in value
async function endpointsOfContracts(): Promise<AnyEndpoint[]> {
  const features = new URL('../../../features/', import.meta.url)
  const files = readdirSync(features, { recursive: true }).filter((file) =>
    /^[^/]+\/(admin-([\w-]+-)?)?contract\.ts$/.test(String(file)),
  )
  const contracts = await Promise.all(
    files.map((file) => import(new URL(String(file), features).href) as Promise<Record<string, unknown>>),
  )
  return contracts.flatMap((contract) => Object.values(contract).filter(isEndpoint))
}

/** Every schema in the document, with those inside it. */
function schemasIn(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn)
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(schemasIn)
  return 'type' in value || '$ref' in value || 'anyOf' in value ? [value as Schema, ...inner] : inner
}

describe('the OpenAPI document', () => {
  test('rejects a contract that JSON Schema cannot express', () => {
    const odd = get('/api/odd', { summary: 'Odd', access: 'public', output: z.object({ at: z.date() }) })
    expect(() => openapiDocument([odd], about)).toThrow(/date/i)
  })

  test('lists every endpoint of every contract once', async () => {
    const declared = (await endpointsOfContracts()).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const listed = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(declared.length).toBeGreaterThan(15)
    expect(listed.toSorted()).toEqual(declared.toSorted())
  })

  test('is OpenAPI 3.1 with the title, the version and the URL of the site', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Sauce', version: '1.2.3' },
      servers: [{ url: 'https://tv.example' }],
    })
    expect(document.info.description).not.toBe('')
  })

  test('gives every operation a unique id and a description', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^(get|post|put|delete)[A-Z][A-Za-z]+$/)
      expect(operation.summary).not.toBe('')
      expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0])
    }
  })

  test('references only components that exist', () => {
    const references = schemasIn(document.paths).flatMap((schema) =>
      typeof schema.$ref === 'string' ? [schema.$ref] : [],
    )
    expect(references.length).toBeGreaterThan(0)
    expect([...new Set(references)]).toEqual(['#/components/schemas/Error'])
    expect(document.components.schemas.Error?.required).toEqual(['message', 'code'])
  })

  test('requires only fields it describes', () => {
    const objects = schemasIn(document).filter((schema) => schema.required)
    expect(objects.length).toBeGreaterThan(20)
    for (const { required, properties } of objects)
      expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(required!))
  })

  test('contains no nested $schema or local definitions, so that every tool can resolve it', () => {
    expect(JSON.stringify(document)).not.toMatch(/"\$schema"|"\$defs"|"definitions"/)
  })

  test('describes every path parameter as required', () => {
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name).toSorted()).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted(),
      )
      expect(inPath.every(({ required }) => required)).toBe(true)
    }
  })

  test('requires the session cookie or an API key for every non-public operation and lists its 401 and 403 responses', () => {
    for (const { method, operation } of operations) {
      const open = operation['x-access'] === 'public'
      expect(operation.security.slice(0, 1)).toEqual(open ? [] : [{ session: [] }])
      const keys = operation.security.slice(1)
      expect(keys.length === 0 || operation['x-access'] === 'admin').toBe(true)
      for (const { apiKey } of keys) expect(operation.description).toContain(apiKey![0])
      expect('401' in operation.responses).toBe(!open)
      expect('403' in operation.responses).toBe(operation['x-access'] === 'admin' || method !== 'get')
    }
    expect(operationOf('/api/admin/users', 'get').security).toEqual([{ session: [] }, { apiKey: ['customers.read'] }])
    expect(operationOf('/api/admin/images', 'post').security).toEqual([
      { session: [] },
      { apiKey: ['catalog.edit'] },
      { apiKey: ['settings.edit'] },
    ])
    expect(operationOf('/api/admin/staff', 'get').security).toEqual([{ session: [] }])
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' })
    expect(document.components.securitySchemes.session).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-sid',
    })
    expect(
      openapiDocument([], { ...about, url: 'http://localhost:3000' }).components.securitySchemes.session.name,
    ).toBe('sid')
  })

  test('documents the count and link headers of every paged list', () => {
    const paged = endpoints.filter((endpoint) => endpoint.paged)
    expect(paged.length).toBeGreaterThan(0)
    for (const { path } of paged) {
      const response = operationOf(path, 'get').responses[200]!
      expect(Object.keys(response.headers ?? {})).toEqual(['X-Total-Count', 'X-Total-Is-Minimum', 'Link'])
      expect(response.content?.['application/json']?.schema.type).toBe('array')
    }
    expect(operationOf('/api/plans', 'get').responses[200]).not.toHaveProperty('headers')
  })

  test('describes input and output, and fields with a default are optional only in the input', () => {
    const shape = z.object({ name: z.string(), size: z._default(z.int(), 5) })
    const both = post('/api/both/:id', {
      summary: 'Both',
      access: 'member',
      limit: 'write',
      params: z.object({ id: z.coerce.number<string>() }),
      body: shape,
      output: shape,
    })
    const { parameters, requestBody, responses } = openapiDocument([both], about).paths['/api/both/{id}']!.post!
    expect(parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'number' } }])
    expect(requestBody?.content['application/json']?.schema.required).toEqual(['name'])
    expect(responses[200]?.content?.['application/json']?.schema.required).toEqual(['name', 'size'])
    expect(Object.keys(responses).toSorted()).toEqual(['200', '400', '401', '403', '404', '429', 'default'])
    expect(responses[429]?.headers).toHaveProperty('Retry-After')
  })
})

describe('the API page', () => {
  const page = openapiPage(document)

  test('contains no script, inline style or event handler', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i)
  })

  test('escapes all texts from contracts', () => {
    const hostile = get('/api/sly', {
      summary: '<img src=x onerror=alert(1)> & more',
      access: 'public',
      output: z.object({ '<b>': z.literal('"><i>') }),
    })
    const shown = openapiPage(openapiDocument([hostile], about))
    expect(shown).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; more')
    expect(shown).not.toMatch(/<img|<b>|<i>/)
  })

  test('lists every operation with its method, path, access and fields', () => {
    for (const { path, method, operation } of operations)
      expect(page).toContain(
        `<article id="${operation.operationId}">\n<h3><code>${method.toUpperCase()} ${path}</code></h3>`,
      )
    expect(page.match(/For administrators only\./g)).toHaveLength(
      endpoints.filter(({ access }) => access === 'admin').length,
    )
    expect(sectionOf(document, 'postCreateInvoice')).toContain(
      '<td>body</td><th scope="row"><code>planId</code></th><td>integer</td>',
    )
    expect(sectionOf(document, 'getPlans')).toContain(
      '<td>response</td><th scope="row"><code>[].features</code></th><td>list of string</td>',
    )
  })

  test('has no broken internal link', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })
})

describe('the app', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await buildApp()
  })
  afterAll(() => app.close())

  test('returns errors in exactly the documented shape', async () => {
    const described = Object.keys(document.components.schemas.Error!.properties!)
    const refusals = await Promise.all([
      app.client().request('/api/user'),
      app.client().post('/api/login', {}),
      app.client().request('/api/nothing'),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([401, 400, 404])
    for (const refusal of refusals) {
      const fields = Object.keys((await refusal.json()) as object)
      expect(fields).toEqual(expect.arrayContaining(['message', 'code']))
      expect(described).toEqual(expect.arrayContaining(fields))
    }
  })

  test('serves the document with its own base URL', async () => {
    const response = await app.client().request('/api/openapi.json')
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: app.context.config.publicUrl }],
      paths: document.paths,
    })
  })

  test('serves the page with a policy that forbids inline code', async () => {
    const response = await app.client().request('/api/docs')
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|script-src/)
    expect(await response.text()).toContain('<h1>Sauce API')
  })
})

const sectionOf = (from: OpenApiDocument, id: string): string =>
  openapiPage(from)
    .split('<article')
    .find((part) => part.startsWith(` id="${id}"`)) ?? ''
