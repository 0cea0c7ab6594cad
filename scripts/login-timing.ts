// Does time tell who is known? Logins of a known and an unknown name, and somebody else's invoice beside none, in turns.
// `npm run torture timing`. Welch's t between the two, and the difference of their medians.
import { notePart } from './note-part.ts'
import { startProduct } from './scan/product.ts'

const samples = Number(process.env.TIMING_SAMPLES ?? 2_000)
const mostT = 4.5
const mostMs = 5

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
  const { invoiceNumber } = product.places
  const registered = await fetch(`${origin}/api/register`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'stranger', email: 'stranger@example.org', password: 'correct-horse' }),
  })
  const cookie = registered.headers.getSetCookie()[0]!.split(';')[0]!
  const invoice = (number: string) => () =>
    answer(fetch(`${origin}/api/invoices/${number}`, { headers: { cookie } }), 404)
  await compare('login of a known and an unknown name', login('olive'), login('olivia'))
  await compare('somebody else’s invoice and none', invoice(invoiceNumber!), invoice('ORD-ZZZZZZ'))
} finally {
  await product.stop()
}
notePart({ passed: 2 - messages.length, failed: messages.length, messages })
process.exitCode = messages.length > 0 ? 1 : 0

async function answer(asked: Promise<Response>, status: number): Promise<void> {
  const response = await asked
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`answered ${response.status}, not ${status}`)
}

/** In turns, and each first as often as the other, so that whatever else the machine does falls on both. */
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
  const said = `${what}: t ${t.toFixed(2)}, medians ${medians.map((median) => median.toFixed(2)).join(' and ')} ms, ${samples} samples each`
  console.log(said)
  if (!(Math.abs(t) < mostT && difference < mostMs)) messages.push(said)
}

function welch(one: number[], other: number[]): number {
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const error = (list: number[], middle = mean(list)) =>
    list.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (list.length - 1) / list.length
  return (mean(one) - mean(other)) / Math.sqrt(error(one) + error(other))
}
