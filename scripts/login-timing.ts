// Checks that response times do not reveal whether a user or invoice exists: alternates logins with a known and an unknown name, and requests
// for another user's and a missing invoice. Compares them by Welch's t and by their medians. Run: npm run torture timing
import { reportResult } from './report-result.ts'
import { startProduct } from './scan/product.ts'

const samples = Number(process.env.TIMING_SAMPLES ?? 2_000)
const maxT = 4.5
const maxDifferenceMs = 5

const product = await startProduct()
const messages: string[] = []
try {
  const origin = product.url
  const login = (username: string) => async () => {
    const body = JSON.stringify({ username, password: 'not-the-right-one' })
    await answer(
      fetch(`${origin}/api/login`, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body }),
      401,
    )
  }
  const { invoiceNumber } = product.ids
  const registered = await fetch(`${origin}/api/register`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'stranger', email: 'stranger@example.org', password: 'correct-horse' }),
  })
  const cookie = registered.headers.getSetCookie()[0]!.split(';')[0]!
  const invoice = (number: string) => () =>
    answer(fetch(`${origin}/api/invoices/${number}`, { headers: { cookie } }), 404)
  await compare('login of a known and an unknown name', login('olive'), login('olivia'))
  await compare('another user’s invoice and a missing one', invoice(invoiceNumber!), invoice('ORD-ZZZZZZ'))
} finally {
  await product.stop()
}
reportResult({ passed: 2 - messages.length, failed: messages.length, messages })
process.exitCode = messages.length > 0 ? 1 : 0

async function answer(call: Promise<Response>, status: number): Promise<void> {
  const response = await call
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`answered ${response.status}, not ${status}`)
}

/** Alternates which of the two comes first, so that other load on the machine affects both equally. */
async function compare(what: string, one: () => Promise<void>, other: () => Promise<void>): Promise<void> {
  const times: [number[], number[]] = [[], []]
  for (let sample = -50; sample < samples; sample++) {
    for (const index of sample % 2 === 0 ? [0, 1] : [1, 0]) {
      const started = performance.now()
      await (index === 0 ? one() : other())
      if (sample >= 0) times[index]!.push(performance.now() - started)
    }
  }
  const t = welch(...times)
  const medians = times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!)
  const difference = Math.abs(medians[0]! - medians[1]!)
  const summary = `${what}: t ${t.toFixed(2)}, medians ${medians.map((median) => median.toFixed(2)).join(' and ')} ms, ${samples} samples each`
  console.log(summary)
  if (!(Math.abs(t) < maxT && difference < maxDifferenceMs)) messages.push(summary)
}

function welch(one: number[], other: number[]): number {
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const error = (list: number[], middle = mean(list)) =>
    list.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (list.length - 1) / list.length
  return (mean(one) - mean(other)) / Math.sqrt(error(one) + error(other))
}
