import '#server/known-modules.ts'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from '#server/config.ts'

// Left alone, V8 lets garbage grow to several times what is in use before it collects: in a lasting overload to half a gigabyte.
setFlagsFromString('--heap-growing-percent=50')

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
    await serve(config, log, { dev, number })
  }
}

type Which = { dev: boolean; number: number | undefined }
/** The database starts in a process of its own while this one loads all the rest; whatever fails leaves none behind. */
async function serve(config: Config, log: Logger, which: Which): Promise<void> {
  const { openDatabase } = await import('#server/db/open.ts')
  const opening = openDatabase(config, log, join(import.meta.dirname, '../migrations'))
  // It may fail before anybody waits for it below.
  opening.catch(() => {})
  try {
    const { startServing } = await import('./serve.ts')
    await startServing(config, log, opening, which)
  } catch (error) {
    const database = await opening.catch(() => undefined)
    await database?.close()
    throw error
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
