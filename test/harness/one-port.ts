import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export type PortResponse = { status: number; body: string; cookie: string | undefined }
type RequestOptions = { method?: string; cookie?: string; ip?: string; body?: unknown; timeoutMs?: number }

/** Sends a request on a new connection, so that the processes behind one port take turns. */
export function sendRequest(
  url: string,
  { method = 'GET', cookie, ip, body, timeoutMs = 10_000 }: RequestOptions = {},
): Promise<PortResponse> {
  const { origin } = new URL(url)
  const headers = {
    origin,
    'user-agent': 'a browser/1',
    ...(cookie && { cookie }),
    ...(ip && { 'x-forwarded-for': ip }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent: false, headers, timeout: timeoutMs }, async (response) => {
      try {
        resolve({
          status: response.statusCode ?? 0,
          body: await text(response),
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
        })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${url} took too long`))).on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Reads a metric series per process behind the port. Returns the sum over all other labels, by process number. */
export async function metricByProcess(url: string, series: string, labels = ''): Promise<Map<string, number>> {
  const { body } = await sendRequest(`${url}/metrics`)
  const totals = new Map<string, number>()
  for (const line of body.split('\n')) {
    const [, name, all = '', value] = /^(\w+)\{(.*)\} (\S+)$/.exec(line) ?? []
    const number = /process="(\d+)"/.exec(all)?.[1]
    if (name === series && number && all.includes(labels)) totals.set(number, (totals.get(number) ?? 0) + Number(value))
  }
  return totals
}

/** Returns the ids of the server processes that the primary process `pid` has started. */
export function processesOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '),
  )
  return children
    .filter((child) => child !== '' && /\/main\.[jt]s\0/.test(readFileSync(`/proc/${child}/cmdline`, 'utf8')))
    .map(Number)
    .toSorted((a, b) => a - b)
}
