import '#server/known-modules.ts'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'

/** Serves in this process, or with `PROCESSES` starts as many and looks after them. What only one of the two needs is not loaded for the other. */
async function main(): Promise<void> {
  const config = readConfig()
  // Which of several processes this is, said by the one that started it.
  const number = Number(process.argv.find((argument) => argument.startsWith('--process='))?.slice('--process='.length)) || undefined
  const log = pino({ level: config.logLevel, base: number === undefined ? undefined : { process: number } })
  const dev = process.argv.includes('--dev')
  if (config.processes > 1 && number === undefined && !dev) {
    const { supervise } = await import('#server/supervise.ts')
    await supervise(import.meta.filename, config, log)
  } else {
    const { startServing } = await import('./serve.ts')
    await startServing(config, log, { dev, number })
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
