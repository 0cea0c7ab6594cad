// Sends several kinds of requests, each so many a second whatever becomes of them, and says what did:
// node bench/mix.js '{"port":3000,"seconds":5,"kinds":[{"name":"page","connections":500,"perSecond":100,"requests":["GET / HTTP/1.1…"]}]}'
// No client library: at thousands a second it would need a processor core of its own.
import { connect } from 'node:net'

const { port, seconds, kinds } = JSON.parse(process.argv[2])
const tickMs = 2
const patienceMs = 10_000
/** Each kind has connections of its own, so that a slow one does not keep the others from asking. */
const lines = new Map(kinds.map(({ name, connections }) => [name, { most: connections, open: 0, free: [] }]))
const asking = new Set()
const heard = new Map(
  kinds.map(({ name }) => [name, { statuses: {}, codes: {}, withoutRetry: 0, lost: {}, unsent: 0 }]),
)

/** One kept connection, which does one request after the other. */
function dial(kept) {
  kept.open++
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const line = { socket, kept, asked: undefined, text: '' }
  const end = (why) => {
    if (line.asked) lost(line.asked, why)
    line.asked = undefined
    asking.delete(line)
    if (line.isOver) return
    line.isOver = true
    kept.open--
    const index = kept.free.indexOf(line)
    if (index >= 0) kept.free.splice(index, 1)
  }
  socket.on('data', (chunk) => {
    line.text += chunk.toString('latin1')
    if (line.asked && isWhole(line.text)) answered(line)
  })
  socket.on('error', (error) => end(error.code))
  socket.on('close', () => end('closed'))
  return line
}

function isWhole(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= headEnd + 4 + Number(length)
}

function answered(line) {
  const { kind, began } = line.asked
  const status = line.text.slice(9, 12)
  const tally = heard.get(kind)
  tally.statuses[status] ??= []
  tally.statuses[status].push(performance.now() - began)
  const code = status === '200' ? undefined : /"code":"(\w+)"/.exec(line.text)?.[1]
  if (code) tally.codes[code] = (tally.codes[code] ?? 0) + 1
  if (status === '503' && !/\r\nretry-after: \d+\r\n/i.test(line.text)) tally.withoutRetry++
  const isClosing = /\r\nconnection: close\r\n/i.test(line.text.slice(0, 2_000))
  line.asked = undefined
  asking.delete(line)
  line.text = ''
  if (isClosing) line.socket.destroy()
  else line.kept.free.push(line)
}

function lost({ kind }, why) {
  const tally = heard.get(kind)
  tally.lost[why] = (tally.lost[why] ?? 0) + 1
}

function ask(kind, request) {
  const kept = lines.get(kind)
  const line = kept.free.shift() ?? (kept.open < kept.most ? dial(kept) : undefined)
  if (!line) {
    heard.get(kind).unsent++
    return
  }
  line.asked = { kind, began: performance.now() }
  asking.add(line)
  line.socket.write(request)
}

/** Every connection is made, and has been answered once, before the clock starts: here requests are counted, not handshakes. */
async function open() {
  for (const kept of lines.values())
    while (kept.open < kept.most) {
      const batch = Array.from({ length: Math.min(10, kept.most - kept.open) }, () => dial(kept))
      await Promise.all(
        batch.map((line) => {
          line.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
          return new Promise((resolve) => line.socket.once('data', resolve).once('close', resolve))
        }),
      )
      for (const line of batch) {
        line.text = ''
        kept.free.push(line)
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
      ask(name, requests[sent[i] % requests.length])
  })
}, tickMs)

function finish() {
  clearInterval(ticking)
  const until = performance.now() + patienceMs
  const waiting = setInterval(() => {
    if ([...lines.values()].some(({ open, free }) => open > free.length) && performance.now() < until) return
    clearInterval(waiting)
    for (const { asked } of asking) lost(asked, 'no answer')
    const report = {}
    for (const [name, { statuses, ...rest }] of heard) report[name] = { ...rest, statuses: {} }
    for (const [name, { statuses }] of heard)
      for (const [status, times] of Object.entries(statuses)) {
        times.sort((a, b) => a - b)
        const at = (part) => Math.round(times[Math.ceil(part * times.length) - 1] * 10) / 10
        report[name].statuses[status] = { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) }
      }
    process.stdout.write(JSON.stringify(report), () => process.exit(0))
  }, 20)
}
