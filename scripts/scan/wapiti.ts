import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import type { Product } from './product.ts'
import { scan } from './scanner.ts'

// Without the modules that need the internet: nikto and wapp download lists, ssrf and xxe use an external server.
const modules =
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'.split(
    ',',
  )
const bounds = { crawl: 180, module: 90, all: 900 }

type Report = Record<
  'vulnerabilities' | 'anomalies' | 'additionals',
  Record<string, { method: string; path: string; info: string }[]>
>

/** Crawls the site as a visitor, a customer and an administrator, and attacks every link and form. */
export async function siteWeaknesses({ url, customer, admin }: Product, folder: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [who, cookie] of Object.entries({ visitor: '', customer, admin })) {
    const home = join(folder, `wapiti-${who}`)
    mkdirSync(home, { recursive: true })
    const file = join(home, 'report.json')
    const started = performance.now()
    // Debian's wapiti requests Brotli but cannot decompress it, and would find one page only.
    const headers = ['-H', 'Accept-Encoding: gzip', ...(cookie ? ['-H', `Cookie: ${cookie}`] : [])]
    const time = ['--max-scan-time', String(bounds.crawl), '--max-attack-time', String(bounds.module)]
    const outputArgs = ['-f', 'json', '-o', file, '--flush-session', '--no-bugreport', '-v', '0']
    const { output, overdue } = await scan(
      'wapiti',
      ['-u', `${url}/`, '--scope', 'domain', '-m', modules.join(','), '-d', '4', ...headers, ...time, ...outputArgs],
      {
        seconds: bounds.all,
        home,
      },
    )
    const pages = Number(/found (\d+) URLs/.exec(output)?.[1] ?? 0)
    const found: Finding[] = []
    if (overdue || pages < 10)
      found.push({ tool: 'wapiti', what: `saw ${pages} pages${overdue ? ' and did not end' : ''}`, where: `as ${who}` })
    else {
      const report = JSON.parse(readFileSync(file, 'utf8')) as Report
      for (const kind of [report.vulnerabilities, report.anomalies, report.additionals])
        for (const [name, list] of Object.entries(kind))
          found.push(
            ...list.map(({ method, path, info }) => ({
              tool: 'wapiti',
              what: `${name}: ${info}`,
              where: `${method} ${path}`,
            })),
          )
    }
    findings.push(...found)
    console.log(
      `  wapiti as ${who}: ${pages} pages, ${found.length} findings (${Math.round((performance.now() - started) / 1000)} s)`,
    )
  }
  return findings
}
