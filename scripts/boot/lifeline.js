// Loaded into every task that run.js starts. File descriptor 3 closes when run.js ends, also after `kill -9`; the task then ends too and
// releases its port.
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const parent = new Socket({ fd: 3 })
  parent.on('error', () => {})
  parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
  parent.resume()
  parent.unref()
}
