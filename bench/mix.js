// Sends several kinds of requests, each at a fixed rate independent of the responses, and prints the results as JSON:
// node bench/mix.js '{"port":3000,"seconds":5,"kinds":[{"name":"page","connections":500,"perSecond":100,"requests":["GET / HTTP/1.1…"]}]}'
// No client library: at thousands of requests per second it would need a whole core.
import { connect } from 'node:net'

const { port, seconds, kinds } = JSON.parse(process.argv[2])
const tickMs = 2
const lastResponsesMs = 10_000
/** Each kind has its own connections, so that a slow kind does not block the others. */
const pools = new Map(kinds.map(({ name, connections }) => [name, { max: connections, open: 0, free: [] }]))
const busy = new Set()
const results = new Map(
  kinds.map(({ name }) => [name, { statuses: {}, codes: {}, withoutRetry: 0, lost: {}, unsent: 0 }]),
)

/** Opens one keep-alive connection, which sends one request at a time. */
function openConnection(pool) {
  pool.open++
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const connection = { socket, pool, request: undefined, text: '' }
  const end = (why) => {
    if (connection.request) lost(connection.request, why)
    connection.request = undefined
    busy.delete(connection)
    if (connection.isOver) return
    connection.isOver = true
    pool.open--
    const index = pool.free.indexOf(connection)
    if (index >= 0) pool.free.splice(index, 1)
  }
  socket.on('data', (chunk) => {
    connection.text += chunk.toString('latin1')
    if (connection.request && isComplete(connection.text)) onResponse(connection)
  })
  socket.on('error', (error) => end(error.code))
  socket.on('close', () => end('closed'))
  return connection
}

function isComplete(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= headEnd + 4 + Number(length)
}

function onResponse(connection) {
  const { kind, began } = connection.request
  const status = connection.text.slice(9, 12)
  const result = results.get(kind)
  result.statuses[status] ??= []
  result.statuses[status].push(performance.now() - began)
  const code = status === '200' ? undefined : /"code":"(\w+)"/.exec(connection.text)?.[1]
  if (code) result.codes[code] = (result.codes[code] ?? 0) + 1
  if (status === '503' && !/\r\nretry-after: \d+\r\n/i.test(connection.text)) result.withoutRetry++
  const isClosing = /\r\nconnection: close\r\n/i.test(connection.text.slice(0, 2_000))
  connection.request = undefined
  busy.delete(connection)
  connection.text = ''
  if (isClosing) connection.socket.destroy()
  else connection.pool.free.push(connection)
}

function lost({ kind }, why) {
  const result = results.get(kind)
  result.lost[why] = (result.lost[why] ?? 0) + 1
}

function send(kind, request) {
  const pool = pools.get(kind)
  const connection = pool.free.shift() ?? (pool.open < pool.max ? openConnection(pool) : undefined)
  if (!connection) {
    results.get(kind).unsent++
    return
  }
  connection.request = { kind, began: performance.now() }
  busy.add(connection)
  connection.socket.write(request)
}

/** Opens every connection and waits for one response on it before the measurement starts, so that handshakes are not measured. */
async function open() {
  for (const pool of pools.values())
    while (pool.open < pool.max) {
      const batch = Array.from({ length: Math.min(10, pool.max - pool.open) }, () => openConnection(pool))
      await Promise.all(
        batch.map((connection) => {
          connection.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
          return new Promise((resolve) => connection.socket.once('data', resolve).once('close', resolve))
        }),
      )
      for (const connection of batch) {
        connection.text = ''
        pool.free.push(connection)
      }
    }
}

await open()
const began = performance.now()
const sent = kinds.map(() => 0)
const ticking = setInterval(() => {
  const passed = performance.now() - began
  if (passed > seconds * 1_000) return finish()
  kinds.forEach(({ name, perSecond, requests }, i) => {
    for (const due = Math.floor((passed / 1_000) * perSecond); sent[i] < due; sent[i]++)
      send(name, requests[sent[i] % requests.length])
  })
}, tickMs)

function finish() {
  clearInterval(ticking)
  const until = performance.now() + lastResponsesMs
  const waiting = setInterval(() => {
    if ([...pools.values()].some(({ open, free }) => open > free.length) && performance.now() < until) return
    clearInterval(waiting)
    for (const { request } of busy) lost(request, 'no response')
    const report = {}
    for (const [name, { statuses, ...rest }] of results) report[name] = { ...rest, statuses: {} }
    for (const [name, { statuses }] of results)
      for (const [status, times] of Object.entries(statuses)) {
        times.sort((a, b) => a - b)
        const at = (part) => Math.round(times[Math.ceil(part * times.length) - 1] * 10) / 10
        report[name].statuses[status] = { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
      }
    process.stdout.write(JSON.stringify(report), () => process.exit(0))
  }, 20)
}
