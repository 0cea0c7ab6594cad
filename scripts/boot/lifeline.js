// Loaded into every task that run.js starts. File descriptor 3 ends when run.js does, however it ended: even after
// `kill -9` nothing is left behind holding the port.
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const line = new Socket({ fd: 3 })
  line.on('error', () => {})
  line.on('close', () => process.kill(process.pid, 'SIGTERM'))
  line.resume()
  line.unref()
}
