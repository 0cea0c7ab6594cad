import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { hostScript } from './server/host-script.ts'

type Call = { url: string; options: { signal: AbortSignal } }
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs the script in a fake worker whose requests `answer` answers. Returns what the script measured, and the requests. */
async function run(answer: (call: Call) => Response | Promise<Response>, segments = ['a', 'b', 'c'], maxMs = 300) {
  const calls: Call[] = []
  const measured = await new Promise<{ bytes: number; ms: number }>((resolve) => {
    const worker: { onmessage?: (event: { data: string[] }) => void } = {}
    const fetch = async (url: string, options: Call['options']) => {
      calls.push({ url, options })
      return answer({ url, options })
    }
    const context = { ...{ AbortController, setTimeout, performance, fetch }, postMessage: resolve }
    Object.assign(worker, runInNewContext(`${hostScript({ maxBytes: 10_000, maxMs })};({ onmessage })`, context))
    worker.onmessage?.({ data: segments })
  })
  return { ...measured, calls }
}
/** Responds with chunks of 1,000 bytes, one every `everyMs` milliseconds, without an end unless `count` is set. */
const slowly = ({ options: { signal } }: Call, everyMs: number, count = Number.POSITIVE_INFINITY) => {
  let sent = 0
  return new Response(
    new ReadableStream({
      start: (controller) => signal.addEventListener('abort', () => controller.error(new Error('aborted'))),
      pull: async (controller) => {
        await wait(everyMs)
        if (signal.aborted) return
        if (sent++ < count) controller.enqueue(new Uint8Array(1_000))
        else controller.close()
      },
    }),
  )
}

test('nothing is measured if the host does not answer or refuses', async () => {
  const failed = await run(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(failed).toMatchObject({ bytes: 0, ms: 0, calls: [{ url: 'a' }] })
  expect(await run(() => new Response('No', { status: 403 }))).toMatchObject({ bytes: 0, ms: 0, calls: [{ url: 'a' }] })
})

test('the time until the first answer is not counted', async () => {
  const { bytes, ms } = await run(async (call) => {
    if (call.url === 'a') await wait(150)
    return slowly(call, 0, 2)
  })
  expect(bytes).toBe(6_000)
  expect(ms).toBeLessThan(120)
})

test('the script stops after the maximum number of bytes or the maximum time, and aborts its request', async () => {
  const many = await run((call) => slowly(call, 0))
  expect(many.bytes).toBe(10_000)
  expect(many.calls).toHaveLength(1)
  expect(many.calls[0]!.options.signal.aborted).toBe(true)
  const slow = await run((call) => slowly(call, 60))
  expect(slow.bytes).toBeLessThan(6_000)
  expect(slow.ms).toBeGreaterThan(200)
  expect(slow.ms).toBeLessThan(600)
  expect(slow.calls[0]!.options.signal.aborted).toBe(true)
})

test('a host that stops sending is measured until the maximum time', async () => {
  const { bytes, ms } = await run((call) => slowly(call, 100_000))
  expect(bytes).toBe(0)
  expect(ms).toBeGreaterThan(200)
})

test('the requests have no credentials and no referrer', async () => {
  const { calls } = await run((call) => slowly(call, 0, 1), ['a'])
  expect(calls[0]!.options).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' })
})
