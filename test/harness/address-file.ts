/** Builds an IP address database in MaxMind's format. `countries` has the country of each IPv4 network (such as `198.51.100.0/24`). */
export function addressFile(countries: Record<string, { code: string; name?: string }>): Buffer {
  const networks = Object.entries(countries)
  const places: number[] = []
  let data = Buffer.alloc(0)
  for (const [, { code, name }] of networks) {
    places.push(data.length)
    data = Buffer.concat([
      data,
      map({ country: map({ iso_code: text(code), ...(name && { names: map({ en: text(name) }) }) }) }),
    ])
  }

  // Each node has a left and a right record: the number of another node, nothing, or an offset in the data section.
  const nodes: [number | undefined, number | undefined][] = [[undefined, undefined]]
  const ends = new Map<string, number>()
  networks.forEach(([network], index) => {
    const [address = '', length = '32'] = network.split('/')
    const bits = address.split('.').flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number))
    let node = 0
    for (const [depth, bit] of bits.slice(0, Number(length)).entries()) {
      if (depth === Number(length) - 1) ends.set(`${node} ${bit}`, index)
      else {
        nodes[node]![bit] ??= nodes.push([undefined, undefined]) - 1
        node = nodes[node]![bit]!
      }
    }
  })
  const record = (node: number, bit: 0 | 1): number => {
    const end = ends.get(`${node} ${bit}`)
    return end === undefined ? (nodes[node]![bit] ?? nodes.length) : nodes.length + 16 + places[end]!
  }
  const tree = Buffer.concat(nodes.flatMap((_, node) => ([0, 1] as const).map((bit) => number(record(node, bit), 3))))
  const metadata = map({
    binary_format_major_version: uint16(2),
    binary_format_minor_version: uint16(0),
    build_epoch: Buffer.concat([Buffer.from([8, 2]), number(1_790_000_000, 8)]),
    database_type: text('Test-Country'),
    description: map({}),
    ip_version: uint16(4),
    languages: Buffer.from([0, 4]),
    node_count: Buffer.concat([Buffer.from([(6 << 5) | 4]), number(nodes.length, 4)]),
    record_size: uint16(24),
  })
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    data,
    Buffer.from('abcdef', 'hex'),
    Buffer.from('MaxMind.com'),
    metadata,
  ])
}

function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64BE(BigInt(value))
  return buffer.subarray(8 - bytes)
}
const uint16 = (value: number): Buffer => Buffer.concat([Buffer.from([(5 << 5) | 2]), number(value, 2)])
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([(2 << 5) | bytes.length]), bytes])
}
function map(entries: Record<string, Buffer>): Buffer {
  const list = Object.entries(entries)
  return Buffer.concat([Buffer.from([(7 << 5) | list.length]), ...list.flatMap(([key, value]) => [text(key), value])])
}
