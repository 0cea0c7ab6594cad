// Checks our headers with MDN's HTTP Observatory over TLS and with csp_evaluator. Run: npm run torture headers
// The scanners have two hundred dependencies, so they are installed into a temporary folder.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { localCertificate } from '../test/harness/certificate.ts'
import { dataFolder, runApp } from '../test/harness/running-app.ts'
import { reportResult } from './report-result.ts'

const scanners = ['@mdn/mdn-http-observatory@1.4.8', 'csp_evaluator@1.1.8']
const minPoints = 130
/** Severities of csp_evaluator: 10 is high, 20 a syntax error, 30 medium. */
const medium = 30
const pages = ['/', '/pricing', '/channels', '/auth', '/nowhere', '/api/plans', '/api/docs', '/healthz']
const run = promisify(execFile)

type Observatory = {
  error?: string
  scan?: { grade: string; score: number; testsFailed: number; testsPassed: number }
  tests?: Record<string, { pass: boolean; result: string; scoreModifier: number }>
}
type Finding = { severity: number; directive: string; value?: string; description: string }
type Evaluator = { CspEvaluator: new (policy: unknown) => { evaluate: () => Finding[] } }
type Parser = { CspParser: new (policy: string) => { csp: unknown } }

const messages: string[] = []
let passed = 0
const expectThat = (holds: boolean, what: string) => {
  console.log(`${holds ? '✓' : '✗'} ${what}`)
  if (holds) passed++
  else messages.push(what)
}

const folder = mkdtempSync(join(tmpdir(), 'sauce-scan-'))
const data = dataFolder()
try {
  await run('npm', ['init', '-y'], { cwd: folder })
  await run('npm', ['install', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', ...scanners], {
    cwd: folder,
  })
  const app = await runApp({
    dataDir: data.path,
    env: { PUBLIC_URL: 'https://localhost', TRUST_PROXY: '1', SEED: 'sample', RATE_LIMIT_FACTOR: '1000' },
  })
  const fronts = await startProxies(app.url)
  try {
    await observe()
    await evaluate(app.url)
  } finally {
    for (const front of fronts) front.close()
    await app.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  data.remove()
}
reportResult({ passed, failed: messages.length, messages })
process.exitCode = messages.length > 0 ? 1 : 0

/** A TLS proxy in front of the app, and a redirect from http, on the default ports, the only ones the scanner uses. */
async function startProxies(to: string): Promise<Server[]> {
  const { key, cert } = localCertificate()
  writeFileSync(join(folder, 'ca.pem'), cert)
  const secure = createTlsServer({ key, cert }, (asked, answered) => {
    const headers = { ...asked.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
    const passedOn = request(to + asked.url, { method: asked.method, headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(answered)
    })
    passedOn.on('error', () => answered.destroy())
    asked.pipe(passedOn)
  })
  const plain = createServer((socket) =>
    socket.once('data', () =>
      socket.end(
        'HTTP/1.1 301 Moved Permanently\r\nLocation: https://localhost/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      ),
    ),
  )
  for (const [server, port] of [
    [secure, 443],
    [plain, 80],
  ] as const)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new Error(`The scanner needs port ${port}, which is not available: ${error.message}`)),
      )
      server.listen(port, 'localhost', resolve)
    })
  return [secure, plain]
}

async function observe(): Promise<void> {
  const at = join(folder, 'node_modules/@mdn/mdn-http-observatory')
  writeFileSync(join(at, 'conf/hsts-preload.json'), '{}')
  const { stdout } = await run(process.execPath, [join(at, 'src/scan.js'), 'localhost'], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    timeout: 120_000,
  })
  const { error, scan, tests = {} } = JSON.parse(stdout) as Observatory
  for (const [name, { pass, result, scoreModifier }] of Object.entries(tests))
    expectThat(pass, `${name}: ${result} (${scoreModifier})`)
  expectThat(
    scan?.grade === 'A+' && scan.score >= minPoints,
    `Observatory gives ${scan?.grade} with ${scan?.score} points${error ? `: ${error}` : ''}`,
  )
}

async function evaluate(url: string): Promise<void> {
  const dist = join(folder, 'node_modules/csp_evaluator/dist')
  const { CspEvaluator } = ((await import(join(dist, 'evaluator.js'))) as { default: Evaluator }).default
  const { CspParser } = ((await import(join(dist, 'parser.js'))) as { default: Parser }).default
  for (const page of pages) {
    const policy = (await fetch(url + page)).headers.get('content-security-policy') ?? ''
    const found = new CspEvaluator(new CspParser(policy).csp).evaluate().filter(({ severity }) => severity < medium)
    expectThat(
      policy !== '' && found.length === 0,
      `csp_evaluator of ${page}: ${found.map(({ directive, value, description }) => `${directive} ${value ?? ''} ${description}`).join('; ') || 'nothing high'}`,
    )
  }
}
