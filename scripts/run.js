// Entry point of every npm script, on the Node that npm runs on. Plain JavaScript for Node 14 and later; loads the rest only if Node is new
// enough.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 11)) {
  console.error(
    `This project needs Node 20.11 or newer to begin with; this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  )
  process.exit(1)
}
await import('./boot/run-task.js')
