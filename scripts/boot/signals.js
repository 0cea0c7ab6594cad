const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']
const sameKeystrokeMs = 1000

/** Stands in for `child`: passes signals on, ends as it ends, and takes it along when npm above is killed. */
export function follow(child) {
  const told = new Map()
  const tell = (signal) => {
    // A terminal tells the whole process group, and npm passes on what it hears: one Ctrl-C must arrive as one.
    if (Date.now() - (told.get(signal) ?? 0) < sameKeystrokeMs) return
    told.set(signal, Date.now())
    child.kill(signal)
  }
  for (const signal of forwarded) process.on(signal, () => tell(signal))
  if (process.env.npm_lifecycle_event && process.ppid > 1) {
    const npm = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === npm) return
      clearInterval(watch)
      tell('SIGTERM')
    }, 500).unref()
  }
  child.on('error', (error) => {
    console.error(`Could not start ${child.spawnfile}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
