// `npm run dev`: the server restarts when a module that it loads changes, pages reload in the browser, and the database keeps running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readConfig } from '../src/server/config.ts'
import { startEmbedded } from '../src/server/postgres/embedded.ts'

const config = readConfig()
const log = { info: () => {}, warn: console.warn, error: console.error }
// This process uses the database too, so the database does not stop while the server restarts.
const embedded = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir, log })
// SIGINT ends the server without waiting for open connections.
const flags = ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGINT']
const server = spawn(process.execPath, [...flags, 'src/main.ts', '--dev'], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
const [code] = (await once(server, 'exit')) as [number | null]
await embedded?.stop()
process.exit(code ?? 0)
