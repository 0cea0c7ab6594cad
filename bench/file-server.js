// Sends a file to each request and prints its port: node bench/file-server.js <file> <content-type>
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'

const [file, type] = process.argv.slice(2)
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': type })
  createReadStream(file).pipe(response)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
