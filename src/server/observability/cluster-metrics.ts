import type { ChildProcess } from 'node:child_process'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

type Values = MetricObjectWithValues<MetricValue<string>>[]
/** IPC messages about metrics. A worker requests `all`; the primary process requests `own` from every worker, gets `values`, and replies with `text`. */
export type MetricsMessage =
  | { metrics: 'all' | 'own'; id: number }
  | { metrics: 'values'; id: number; values: Values }
  | { metrics: 'text'; id: number; text: string }

/** The result does not include the metrics of a worker that has not answered after this time. */
const patienceMs = 2_000
let nextId = 0

/** In the primary process: collects the metrics of all workers and sends them to `asking`, the worker that received the scrape. */
export async function collectFromAll(
  asking: ChildProcess,
  { metrics, id }: MetricsMessage,
  all: ChildProcess[],
): Promise<void> {
  if (metrics !== 'all') return
  const collected = await Promise.all(all.map(valuesOf))
  // Every worker has its own series (label `process`): a sum would drop when a worker restarts, which Prometheus
  // interprets as a counter reset.
  const text = await AggregatorRegistry.aggregate(collected.filter((values) => values !== undefined)).metrics()
  if (asking.connected) asking.send({ metrics: 'text', id, text } satisfies MetricsMessage)
}

function valuesOf(child: ChildProcess): Promise<Values | undefined> {
  if (!child.connected) return Promise.resolve(undefined)
  const id = nextId++
  return new Promise((resolve) => {
    const done = (values?: Values) => {
      clearTimeout(overdue)
      child.off('message', onMessage)
      resolve(values)
    }
    const onMessage = (message: MetricsMessage) => {
      if (message.metrics === 'values' && message.id === id) done(message.values)
    }
    const overdue = setTimeout(done, patienceMs)
    child.on('message', onMessage)
    child.send({ metrics: 'own', id } satisfies MetricsMessage, (error) => error && done())
  })
}

/** In a worker: answers requests for its own metrics. */
export function answerMetricsRequests(values: () => Promise<Values>): void {
  process.on('message', async (message: MetricsMessage) => {
    if (message.metrics === 'own')
      process.send?.({ metrics: 'values', id: message.id, values: await values() } satisfies MetricsMessage)
  })
}

/** In a worker: returns the metrics of all workers as text. */
export function clusterMetricsText(): Promise<string> {
  const id = nextId++
  return new Promise((resolve) => {
    const onMessage = (message: MetricsMessage) => {
      if (message.metrics !== 'text' || message.id !== id) return
      process.off('message', onMessage)
      resolve(message.text)
    }
    process.on('message', onMessage)
    process.send?.({ metrics: 'all', id } satisfies MetricsMessage)
  })
}
