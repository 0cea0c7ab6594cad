const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']
const sameKeystrokeMs = 1000

/** Forwards signals to `child`, exits with its exit code or signal, and ends it when the parent npm process is killed. */
export function forwardSignals(child) {
  const sentAt = new Map()
  const forward = (signal) => {
    // A terminal signals the whole process group, and npm forwards the signal: forward one Ctrl-C only once.
    if (Date.now() - (sentAt.get(signal) ?? 0) < sameKeystrokeMs) return
    sentAt.set(signal, Date.now())
    child.kill(signal)
  }
  for (const signal of forwarded) process.on(signal, () => forward(signal))
  if (process.env.npm_lifecycle_event && process.ppid > 1) {
    const npm = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === npm) return
      clearInterval(watch)
      forward('SIGTERM')
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
