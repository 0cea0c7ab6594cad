import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { endpoints } from '#server/app.ts'
import { validExample } from '../../test/harness/fuzz-values.ts'
import type { Finding } from './finding.ts'
import type { Product } from './product.ts'
import { scan } from './scanner.ts'

const atOnce = 2
const seconds = 240
type JsonSchema = Parameters<typeof validExample>[0]
const plausibleValue = (schema: AnyEndpoint['body']) =>
  validExample(z.toJSONSchema(schema!, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

/** A request with every input of an endpoint: path parameters, query and body fields. An asterisk marks each injection point. */
function requestOf(endpoint: AnyEndpoint, { url, customer, admin, ids }: Product): string | undefined {
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => `${encodeURIComponent(ids[name] ?? '1')}*`)
  const query = endpoint.query ? Object.entries(plausibleValue(endpoint.query) as Record<string, unknown>) : []
  const body = endpoint.body && withMarkers(plausibleValue(endpoint.body) as object, ids)
  if (path === endpoint.path && query.length === 0 && !body) return undefined
  const search =
    query.length > 0
      ? `?${query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}*`).join('&')}`
      : ''
  const { host } = new URL(url)
  return [
    `${endpoint.method} ${path}${search} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${url}`,
    `Cookie: ${endpoint.access === 'admin' ? admin : customer}`,
    ...(body ? ['Content-Type: application/json', '', body] : ['', '']),
  ].join('\r\n')
}

const number = 'a number: '
/** A body with a marker after every string and number; ids are replaced by existing ones. */
const withMarkers = (body: object, ids: Record<string, string>): string =>
  JSON.stringify(body, (name, value: unknown) => {
    if (typeof value === 'number') return `${number}${ids[name] ?? value}*`
    return typeof value === 'string' ? `${ids[name] ?? value}*` : value
  }).replaceAll(new RegExp(`"${number}([^"]+)"`, 'g'), '$1')

/** Tests every endpoint with inputs for SQL injection. An endpoint that could not be tested is a finding too. */
export async function sqlInjections(product: Product, folder: string): Promise<{ findings: Finding[]; tried: number }> {
  const queue = endpoints.flatMap((endpoint) => {
    const request = requestOf(endpoint, product)
    return request ? [{ endpoint, request }] : []
  })
  const tried = queue.length
  const findings: Finding[] = []
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { endpoint, request } = next
      const home = join(folder, endpoint.id.replaceAll(/\W+/g, '-'))
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, 'request'), request)
      const started = performance.now()
      const level = ['--level=3', '--risk=1', '--dbms=PostgreSQL', '--technique=BEUSQT', '--time-sec=2']
      const quiet = [
        '--batch',
        '--disable-coloring',
        '--flush-session',
        '--drop-set-cookie',
        '--skip-waf',
        '--ignore-code=*',
        '--threads=4',
        '--timeout=10',
      ]
      const result = await scan(
        'sqlmap',
        ['--ignore-stdin', '-r', join(home, 'request'), '--output-dir', join(home, 'out'), ...level, ...quiet],
        {
          seconds,
          home,
        },
      )
      writeFileSync(join(home, 'said'), result.output)
      const found = Array.from(
        result.output.matchAll(/^Parameter: (.+)$/gm),
        ([, parameter]) => `injection in ${parameter}`,
      )
      const isDone = /all tested parameters do not appear to be injectable/.test(result.output)
      if (found.length === 0 && !isDone)
        found.push(result.overdue ? `not tried within ${seconds} s` : 'could not be tried')
      findings.push(...found.map((what) => ({ tool: 'sqlmap', what, where: endpoint.id })))
      console.log(
        `${found.length > 0 ? '✗' : '✓'} sqlmap ${endpoint.id} (${Math.round((performance.now() - started) / 1000)} s)`,
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { findings, tried }
}
