import { spawnSync } from 'node:child_process'

/** A host of its own as far as the network goes: a network namespace with a cable to this machine that can be pulled out. */
export type Host = {
  namespace: string
  /** Where it is reached from here, and where it reaches this machine. */
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

/** Why there can be no hosts here; undefined where there can. */
export function whyNoHosts(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const name = `sauce-try-${process.pid}`
  const complaint = ip('netns', 'add', name)
  if (complaint === '') ip('netns', 'delete', name)
  return complaint || undefined
}

/** Creates a network namespace, the `number`th (1 to 60) of this process. Its addresses exist on this machine only. */
export function makeHost(number: number): Host {
  const namespace = `sauce-${process.pid}-${number}`
  const [near, far] = [`sc${process.pid % 100_000}n${number}`, `sc${process.pid % 100_000}f${number}`]
  const network = `10.${200 + (process.pid % 50)}.${process.pid % 251}`
  const [gateway, address] = [`${network}.${4 * number + 1}`, `${network}.${4 * number + 2}`]
  const must = (...args: string[]) => {
    const complaint = ip(...args)
    if (complaint) throw new Error(`ip ${args.join(' ')}: ${complaint}`)
  }
  must('netns', 'add', namespace)
  must('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace)
  must('address', 'add', `${gateway}/30`, 'dev', near)
  must('link', 'set', near, 'up')
  for (const device of ['lo', far]) must('-n', namespace, 'link', 'set', device, 'up')
  must('-n', namespace, 'address', 'add', `${address}/30`, 'dev', far)
  return {
    namespace,
    address,
    gateway,
    unplug: () => must('link', 'set', near, 'down'),
    plugIn: () => must('link', 'set', near, 'up'),
    remove: () => {
      must('link', 'delete', near)
      must('netns', 'delete', namespace)
    },
  }
}
