import type { ChildProcess } from 'node:child_process'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

type Values = MetricObjectWithValues<MetricValue<string>>[]
/** What the processes and the one that looks after them say to each other about it. */
export type AboutMetrics =
  | { metrics: 'all' | 'yours'; id: number }
  | { metrics: 'mine'; id: number; values: Values }
  | { metrics: 'text'; id: number; text: string }

/** A process that hangs must not keep the others from being seen. */
const patienceMs = 2_000
let asked = 0

/** In the process that looks after the others: gathers what they tell of themselves for whichever of them, `asking`, was asked. */
export async function answerForAll(
  asking: ChildProcess,
  { metrics, id }: AboutMetrics,
  all: ChildProcess[],
): Promise<void> {
  if (metrics !== 'all') return
  const told = await Promise.all(all.map(valuesOf))
  // Each of them keeps its own series (label `process`): a sum would fall when one starts anew, which looks like traffic.
  const text = await AggregatorRegistry.aggregate(told.filter((values) => values !== undefined)).metrics()
  if (asking.connected) asking.send({ metrics: 'text', id, text } satisfies AboutMetrics)
}

function valuesOf(child: ChildProcess): Promise<Values | undefined> {
  if (!child.connected) return Promise.resolve(undefined)
  const id = asked++
  return new Promise((resolve) => {
    const done = (values?: Values) => {
      clearTimeout(overdue)
      child.off('message', hear)
      resolve(values)
    }
    const hear = (message: AboutMetrics) => {
      if (message.metrics === 'mine' && message.id === id) done(message.values)
    }
    const overdue = setTimeout(done, patienceMs)
    child.on('message', hear)
    child.send({ metrics: 'yours', id } satisfies AboutMetrics, (error) => error && done())
  })
}

/** In one of the processes: tells of itself when asked to. */
export function tellOfMyself(values: () => Promise<Values>): void {
  process.on('message', async (message: AboutMetrics) => {
    if (message.metrics === 'yours')
      process.send?.({ metrics: 'mine', id: message.id, values: await values() } satisfies AboutMetrics)
  })
}

/** In one of the processes: what all of them tell. */
export function textOfAll(): Promise<string> {
  const id = asked++
  return new Promise((resolve) => {
    const hear = (message: AboutMetrics) => {
      if (message.metrics !== 'text' || message.id !== id) return
      process.off('message', hear)
      resolve(message.text)
    }
    process.on('message', hear)
    process.send?.({ metrics: 'all', id } satisfies AboutMetrics)
  })
}
