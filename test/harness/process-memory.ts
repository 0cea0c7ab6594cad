import { once } from 'node:events'
import WebSocket from 'ws'

/** In MB: objects and buffers that are still in use after a full collection, and the resident memory of the process. */
export type MemoryInUse = { usedMb: number; residentMb: number }

/** Collects the garbage of a process that was started with `--inspect=127.0.0.1:PORT`, and returns what it still uses. */
export async function memoryInUse(port: number): Promise<MemoryInUse> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await once(socket, 'open')
  let serial = 0
  const call = async (method: string, params = {}): Promise<{ result?: { value?: string } }> => {
    const id = ++serial
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [data] = (await once(socket, 'message')) as [Buffer]
      const message = JSON.parse(String(data)) as { id?: number; result: { result?: { value?: string } } }
      if (message.id === id) return message.result
    }
  }
  try {
    // Finalizers of the first collection free more.
    for (let n = 0; n < 3; n++) await call('HeapProfiler.collectGarbage')
    const { result } = await call('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' })
    const { heapUsed, external, rss } = JSON.parse(result?.value ?? '') as NodeJS.MemoryUsage
    return { usedMb: (heapUsed + external) / 1024 ** 2, residentMb: rss / 1024 ** 2 }
  } finally {
    socket.terminate()
  }
}
