// The baseline: a bare node:http server that sends the given bytes and does nothing else.
// node bench/bare.js <port> <body file> <content-type> <content-encoding>
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file, type, encoding] = process.argv.slice(2)
const body = readFileSync(file)
const headers = {
  'content-type': type,
  'content-length': body.length,
  ...(encoding && { 'content-encoding': encoding }),
}
createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(port))
