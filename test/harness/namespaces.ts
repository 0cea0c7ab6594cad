import { spawnSync } from 'node:child_process'

/** A simulated host: a network namespace with a link to this machine that a test can disconnect. */
export type Host = {
  namespace: string
  /** The host's address, and this machine's address as seen from the host. */
  address: string
  gateway: string
  unplug: () => void
  plugIn: () => void
  remove: () => void
}

const ip = (...args: string[]): string => {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' })
  return status === 0 ? '' : (error?.message ?? stderr) || 'failed'
}

/** Returns why this machine cannot create network namespaces, or undefined if it can. */
export function whyNoHosts(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const name = `sauce-try-${process.pid}`
  const failure = ip('netns', 'add', name)
  if (failure === '') ip('netns', 'delete', name)
  return failure || undefined
}

/** Creates a simulated host. `number` (1 to 60) must be unique in this process. The IP addresses of the host exist on this machine only. */
export function makeHost(number: number): Host {
  const namespace = `sauce-${process.pid}-${number}`
  const [near, far] = [`sc${process.pid % 100_000}n${number}`, `sc${process.pid % 100_000}f${number}`]
  const network = `10.${200 + (process.pid % 50)}.${process.pid % 251}`
  const [gateway, address] = [`${network}.${4 * number + 1}`, `${network}.${4 * number + 2}`]
  const runIp = (...args: string[]) => {
    const failure = ip(...args)
    if (failure) throw new Error(`ip ${args.join(' ')}: ${failure}`)
  }
  runIp('netns', 'add', namespace)
  runIp('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace)
  runIp('address', 'add', `${gateway}/30`, 'dev', near)
  runIp('link', 'set', near, 'up')
  for (const device of ['lo', far]) runIp('-n', namespace, 'link', 'set', device, 'up')
  runIp('-n', namespace, 'address', 'add', `${address}/30`, 'dev', far)
  return {
    namespace,
    address,
    gateway,
    unplug: () => runIp('link', 'set', near, 'down'),
    plugIn: () => runIp('link', 'set', near, 'up'),
    remove: () => {
      runIp('link', 'delete', near)
      runIp('netns', 'delete', namespace)
    },
  }
}
