// Sends requests to one URL at full speed and prints the result as JSON: node bench/load.js <url> <seconds> [<method, headers and body as JSON>]
import autocannon from 'autocannon'

const [url, seconds, request = '{}'] = process.argv.slice(2)
const { method = 'GET', headers = {}, body, connections = 10 } = JSON.parse(request)
const result = await autocannon({
  url,
  method,
  body,
  duration: Number(seconds),
  connections,
  headers: { 'accept-encoding': 'gzip, deflate, br', accept: 'text/html,application/json', ...headers },
})
const { requests, non2xx, errors, timeouts, latency } = result
process.stdout.write(
  JSON.stringify({
    perSecond: requests.average,
    answered: requests.total,
    wrong: non2xx + errors + timeouts,
    p50: latency.p50,
    p99: latency.p99,
  }),
)
