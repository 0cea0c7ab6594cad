import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from './finding.ts'
import type { Product } from './product.ts'
import { scan } from './scanner.ts'

const connections = 200
const seconds = 40
const maxP95Ms = 500
const attacks: Record<string, string[]> = {
  'slow headers': ['-H', '-i', '5', '-x', '24'],
  'slow bodies': ['-B', '-i', '5', '-s', '8192', '-x', '10', '-t', 'POST', '-f', 'application/json'],
  'slow readers': ['-X', '-w', '10', '-y', '20', '-n', '5', '-z', '32', '-k', '3'],
}

/** Checks that other requests stay fast while 200 slow connections are open. */
export async function slowVisitors(
  { url }: Product,
  folder: string,
): Promise<{ findings: Finding[]; p95: Record<string, number> }> {
  const findings: Finding[] = []
  const p95: Record<string, number> = {}
  for (const [what, how] of Object.entries(attacks)) {
    const target = what === 'slow bodies' ? '/api/login' : '/'
    let isOver = false
    // The tool cannot set headers, so inject Origin here: without it a write is refused before its body is read.
    const ours = what === 'slow bodies' ? ['-j', `from=here\r\nOrigin: ${url}`] : []
    const args = [
      ...how,
      ...ours,
      '-c',
      String(connections),
      '-r',
      String(connections),
      '-l',
      String(seconds),
      '-u',
      url + target,
    ]
    const attack = scan('slowhttptest', args, { seconds: seconds + 30, home: folder }).finally(() => {
      isOver = true
    })
    const times: number[] = []
    while (!isOver) {
      const started = performance.now()
      const path = ['/', '/api/plans', '/api/site', '/pricing'][times.length % 4]!
      const status = await fetch(url + path, { signal: AbortSignal.timeout(10_000) }).then(
        async (response) => (await response.arrayBuffer()) && response.status,
        (error: Error) => error.name,
      )
      times.push(performance.now() - started)
      if (status !== 200) findings.push({ tool: 'slowhttptest', what: `${what}: ${status}`, where: path })
      await sleep(20)
    }
    const { output, overdue } = await attack
    const opened = Math.max(0, ...Array.from(output.matchAll(/^connected:\s+(\d+)/gm), ([, count]) => Number(count)))
    p95[what] = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY)
    if (overdue || opened < connections / 2)
      findings.push({ tool: 'slowhttptest', what: `${what}: held ${opened} connections only`, where: target })
    if (times.length < 100 || p95[what] >= maxP95Ms)
      findings.push({ tool: 'slowhttptest', what: `${what}: p95 ${p95[what]} ms`, where: target })
    console.log(
      `  slowhttptest, ${what}: up to ${opened} connections, ${times.length} other requests, p95 ${p95[what]} ms`,
    )
  }
  return { findings, p95 }
}
