// Asks one address as fast as it is answered and says what came of it: node bench/load.js <url> <seconds>
import autocannon from 'autocannon'

const [url, seconds] = process.argv.slice(2)
const result = await autocannon({
  url,
  duration: Number(seconds),
  connections: 10,
  headers: { 'accept-encoding': 'gzip, deflate, br', accept: 'text/html,application/json' },
})
const { requests, non2xx, errors, timeouts, latency } = result
process.stdout.write(
  JSON.stringify({ perSecond: requests.average, answered: requests.total, wrong: non2xx + errors + timeouts, p50: latency.p50, p99: latency.p99 }),
)
