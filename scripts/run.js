// The way in for every npm script, on whatever Node npm itself runs on. It is plain JavaScript that any Node since 14 reads, and loads the rest
// only where that can run.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 11)) {
  console.error(
    `This project needs Node 20.11 or newer to begin with; this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  )
  process.exit(1)
}
await import('./boot/run-task.js')
