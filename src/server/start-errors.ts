import type { Config } from './config.ts'

type Settings = Pick<Config, 'port' | 'host' | 'dataDir'>
type SystemError = Error & { code?: string; syscall?: string; path?: string }
const ofFiles = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT']

/** What the operator has to change, as one sentence, for an error of the system that stops a start; any other error's own message. */
export function startTrouble(error: Error, { port, host, dataDir }: Settings): string {
  const { code = '', syscall, path = '', message } = error as SystemError
  if (syscall === 'listen' || code === 'EADDRINUSE') {
    if (code === 'EADDRINUSE')
      return `PORT ${port} is used by another program on this machine: stop that program, or set another PORT.`
    if (code === 'EACCES')
      return `PORT ${port} may not be opened by this account: set a PORT of 1024 or above, with a proxy in front for 80 and 443.`
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
      return `HOST ${host} is not an address of this machine: set another HOST, or none to listen on all.`
  }
  if (ofFiles.includes(code) && (path.startsWith(dataDir) || dataDir.startsWith(path)) && path !== '')
    return `DATA_DIR ${dataDir} cannot be used by this account (user id ${process.getuid?.() ?? 'unknown'}): ${code} at ${path}.`
  return message
}
